//! Whose call it was, as a hash: of what the client proves itself with, or else of its address.

use crate::Seen;
use crate::privacy::Keyed;

pub(super) fn client(seen: &Seen, keyed: &Keyed) -> Option<u64> {
    let proof = ["authorization", "x-api-key"]
        .iter()
        .find_map(|name| seen.header(name));
    let proof = proof.or_else(|| seen.header("cookie").map(lasting));
    let proof = proof
        .or(seen.client.as_deref())
        .filter(|proof| !proof.is_empty())?;
    Some(keyed.short("client", proof.as_bytes()))
}

/// The cookie that names the session; others change from call to call.
fn lasting(cookies: &str) -> &str {
    let mut named = cookies.split(';').map(str::trim);
    let found = named.find(|cookie| {
        let name = cookie
            .split('=')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        ["sess", "sid", "auth", "token"]
            .iter()
            .any(|part| name.contains(part))
            && !name.contains("csrf")
            && !name.contains("xsrf")
    });
    found.unwrap_or(cookies)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(headers: &[(&str, &str)], client: Option<&str>) -> Option<u64> {
        let mut seen = Seen::once(0, "GET", "/");
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        seen.headers = headers.iter().map(owned).collect();
        seen.client = client.map(str::to_owned);
        super::client(&seen, &Keyed::new(&[1; 32]))
    }

    #[test]
    fn a_client_is_known_by_what_it_proves_itself_with() {
        let ada = of(&[("Authorization", "Bearer a")], Some("10.0.0.1"));
        assert_eq!(ada, of(&[("authorization", "Bearer a")], Some("10.0.0.2")));
        assert_ne!(ada, of(&[("authorization", "Bearer b")], Some("10.0.0.1")));
        let cookie = of(&[("Cookie", "seen=1; sid=x")], None);
        assert_eq!(cookie, of(&[("Cookie", "sid=x; seen=2")], None));
        assert_eq!(of(&[], None), None);
        assert!(of(&[], Some("10.0.0.1")).is_some());
    }
}
