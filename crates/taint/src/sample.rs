//! Texts that can be parsed as what a service tried to parse.

use jiff::civil::date;
use jiff::fmt::strtime;

/// Some texts of a kind, the most telling first; a format wins over the kind.
pub(crate) fn samples(kind: &str, format: &str) -> Vec<String> {
    if let Some(text) = formatted(format) {
        return vec![text];
    }
    let texts: &[&str] = match kind {
        "integer" => &["7", "0", "-1"],
        "real" | "decimal" | "number" => &["1.5", "0", "-2.25"],
        "boolean" => &["true", "false", "1", "0"],
        "date" => &["2024-02-29", "1999-12-31"],
        "time" => &["12:34:56", "12:34"],
        "moment" => &["2024-02-29T12:34:56", "2024-02-29T12:34:56Z"],
        "uuid" => &["3f2b8c1e-5d4a-4b6f-9c7d-0a1b2c3d4e5f"],
        "json" => &["{}", "[]", "1"],
        "base64" => &["e30=", "YWJj"],
        "base64url" => &["e30", "YWJj"],
        "hex" => &["6162"],
        "url" => &["http://example.com/a?b=c"],
        "address" => &["192.0.2.1", "2001:db8::1"],
        _ => &[],
    };
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn formatted(format: &str) -> Option<String> {
    if format.is_empty() {
        return None;
    }
    let moment = date(2024, 2, 29).at(12, 34, 56, 0);
    // jiff names a fraction in another way than C does.
    strtime::format(format.replace("%f", "000000"), moment).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_followed() {
        assert_eq!(samples("date", "%d/%m/%Y"), ["29/02/2024"]);
        assert_eq!(samples("date", "")[0], "2024-02-29");
        assert!(samples("something", "").is_empty());
    }
}
