//! Gets one document, such as a schema, from wherever it is kept.

use std::time::Duration;

use bytes::Bytes;
use fossick_contract::Method;
use fossick_trace::{Answer, Outcome, Request};

use crate::base::locate;
use crate::{Base, Client, Settings};

const MOST_REDIRECTS: usize = 5;
/// The largest known API description has 78 MB.
const MOST_BYTES: usize = 256 << 20;
const PATIENCE: Duration = Duration::from_mins(1);

/// Gets a document: its status, content type and bytes. Follows redirects on the same host, and
/// no others: the headers may hold secrets.
pub async fn fetch(
    url: &str,
    headers: &[(String, String)],
    insecure: bool,
) -> Result<(u16, String, Bytes), String> {
    let mut url = url.to_owned();
    for _ in 0..=MOST_REDIRECTS {
        let (origin, target) = locate(&url).map_err(|why| why.to_string())?;
        let answer = get(&origin, target.clone(), headers, insecure).await?;
        let Some(location) = redirect(&answer) else {
            return finish(&url, answer);
        };
        url = follow(&origin, &target, location)?;
    }
    Err(format!("{url}: more than {MOST_REDIRECTS} redirects"))
}

async fn get(
    origin: &Base,
    target: String,
    headers: &[(String, String)],
    insecure: bool,
) -> Result<Answer, String> {
    let client = Client::new(Settings {
        timeout: PATIENCE,
        max_body: MOST_BYTES,
        connections: 1,
        headers: headers.to_vec(),
        insecure,
        ..Settings::new(origin.clone())
    })
    .map_err(|why| why.to_string())?;
    let request = Request {
        method: Method::Get,
        target,
        headers: vec![(
            "accept".into(),
            "application/json, application/yaml, */*".into(),
        )],
        body: Bytes::new(),
        user: None,
        anonymous: false,
    };
    match client.send(&request).await {
        Outcome::Answered(answer) => Ok(answer),
        Outcome::Failed(failure) => Err(format!("{origin}: {failure}")),
    }
}

fn redirect(answer: &Answer) -> Option<&str> {
    match answer.status {
        301 | 302 | 303 | 307 | 308 => answer.header("location"),
        _ => None,
    }
}

fn follow(origin: &Base, target: &str, location: &str) -> Result<String, String> {
    if location.starts_with('/') && !location.starts_with("//") {
        return Ok(format!("{origin}{location}"));
    }
    if let Some(rest) = location.strip_prefix("//") {
        return follow(origin, target, &format!("{}://{rest}", origin.scheme));
    }
    if !location.contains("://") {
        let path = target.split('?').next().unwrap_or_default();
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        return Ok(format!("{origin}{folder}/{location}"));
    }
    let (other, _) = locate(location).map_err(|why| why.to_string())?;
    if other.host != origin.host {
        return Err(format!("{origin} redirects to another host, {other}"));
    }
    Ok(location.to_owned())
}

fn finish(url: &str, answer: Answer) -> Result<(u16, String, Bytes), String> {
    if answer.truncated {
        return Err(format!("{url}: larger than {MOST_BYTES} bytes"));
    }
    let content_type = answer.header("content-type").unwrap_or_default().to_owned();
    Ok((answer.status, content_type, answer.body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_stay_on_the_host() {
        let origin: Base = "http://h:8080".parse().expect("a good URL");
        let to = |location| follow(&origin, "/a/b?c", location);
        assert_eq!(to("/x?y"), Ok("http://h:8080/x?y".into()));
        assert_eq!(to("x"), Ok("http://h:8080/a/x".into()));
        assert_eq!(to("https://h/x"), Ok("https://h/x".into()));
        assert_eq!(to("//h:1/x"), Ok("http://h:1/x".into()));
        assert!(to("http://evil/x").is_err());
        assert!(to("ftp://h/x").is_err());
    }
}
