//! Functions of the standard library, and of a few others, whose arguments are worth a look.

/// What the probe is to do with a call, as it reads it, by the name of what is called.
pub(crate) fn act(name: &str) -> Option<String> {
    let name = plain(name);
    of_trait(&name).or_else(|| of_method(&name))
}

/// `<A as PartialEq<B>>::eq` and the like.
fn of_trait(name: &str) -> Option<String> {
    let (impl_, method) = name.strip_prefix('<')?.rsplit_once(">::")?;
    let (left, trait_) = impl_.split_once(" as ")?;
    let (trait_, right) = match trait_.split_once('<') {
        Some((trait_, rest)) => (trait_, rest.strip_suffix('>')?),
        None => (trait_, left),
    };
    match (trait_, method) {
        ("PartialEq", "eq") => Some(format!("eq:{left}:{right}")),
        ("PartialEq", "ne") => Some(format!("ne:{left}:{right}")),
        ("PartialOrd", "lt" | "le" | "gt" | "ge" | "partial_cmp") | ("Ord", "cmp") => {
            Some(format!("order:{left}:{right}"))
        }
        _ => None,
    }
    .filter(|_| is_known(left) && is_known(right))
}

fn is_known(name: &str) -> bool {
    const TYPES: [&str; 22] = [
        "str",
        "&str",
        "String",
        "&String",
        "Option<&str>",
        "Option<String>",
        "[u8]",
        "Vec<u8>",
        "char",
        "bool",
        "i8",
        "u8",
        "i16",
        "u16",
        "i32",
        "u32",
        "i64",
        "u64",
        "isize",
        "usize",
        "f32",
        "f64",
    ];
    TYPES.contains(&name)
}

fn of_method(name: &str) -> Option<String> {
    let read = match name {
        "<HeaderMap>::get::<&str>" => Some("header"),
        "<HashMap<String, String>>::get::<str>" => Some("query"),
        "<Value>::get::<&str>" => Some("key"),
        _ => None,
    };
    if let Some(place) = read {
        return Some(format!("read:{place}"));
    }
    match name {
        "<str>::eq_ignore_ascii_case" => return Some("same".to_owned()),
        "<str>::is_empty" => return Some("empty:str".to_owned()),
        "<String>::is_empty" => return Some("empty:String".to_owned()),
        _ => {}
    }
    let generic = |before: &str| name.strip_prefix(before)?.strip_suffix('>');
    let searches = [
        ("<str>::starts_with::<", "prefix"),
        ("<str>::ends_with::<", "suffix"),
        ("<str>::contains::<", "contains"),
    ];
    for (before, act) in searches {
        if let Some(piece) = generic(before) {
            let is_plain = matches!(piece, "&str" | "&String" | "char");
            return is_plain.then(|| format!("{act}:{piece}"));
        }
    }
    if let Some(kind) = parses(name) {
        return Some(format!("parse:{kind}"));
    }
    match name {
        "<Regex>::new" | "Regex::new" => return Some("pattern".to_owned()),
        "<Regex>::is_match" | "<Regex>::find" | "<Regex>::captures" | "Regex::is_match"
        | "Regex::find" | "Regex::captures" => return Some("match".to_owned()),
        _ => {}
    }
    let member = name.strip_prefix("<[")?.strip_suffix("]>::contains")?;
    let is_scalar = is_known(member) && !matches!(member, "str" | "[u8]");
    is_scalar.then(|| format!("member:{member}"))
}

/// What a text is parsed as, where that is told by the function.
fn parses(name: &str) -> Option<&str> {
    let known = match name {
        "<Uuid>::parse_str" | "<Uuid>::try_parse" => "uuid",
        "<DateTime<FixedOffset>>::parse_from_rfc3339" => "moment",
        "<NaiveDate>::parse_from_str" => "date",
        "<Url>::parse" => "url",
        _ if name.starts_with("from_str::<") || name.starts_with("from_slice::<") => "json",
        _ if name.ends_with(" as Engine>::decode::<&str>") => "base64",
        _ => {
            let type_ = name.strip_prefix("<str>::parse::<")?.strip_suffix('>')?;
            return of_type(type_);
        }
    };
    Some(known)
}

fn of_type(name: &str) -> Option<&str> {
    let is_number = name.starts_with(['i', 'u', 'f']) && is_known(name);
    match name {
        _ if is_number || name == "bool" => Some(name),
        "Uuid" => Some("uuid"),
        "NaiveDate" => Some("date"),
        "NaiveTime" => Some("time"),
        "IpAddr" | "Ipv4Addr" | "Ipv6Addr" => Some("address"),
        "Url" => Some("url"),
        "Decimal" => Some("decimal"),
        "NaiveDateTime" => Some("moment"),
        _ => name.starts_with("DateTime<").then_some("moment"),
    }
}

/// A demangled name without the paths of what it names: a word before two colons and another word
/// is a crate or a module, if it is written small.
fn plain(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let word = &rest[..end];
        rest = &rest[end..];
        let behind = rest
            .strip_prefix("::")
            .filter(|behind| behind.starts_with(is_part));
        match behind {
            Some(behind) if word.starts_with(|c: char| c.is_lowercase() || c == '_') => {
                rest = behind;
            }
            _ if word.is_empty() => {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
            _ => out.push_str(word),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_compares_is_known_by_its_name() {
        let known = [
            ("<str as core::cmp::PartialEq>::eq", "eq:str:str"),
            (
                "<alloc::string::String as core::cmp::PartialEq<&str>>::ne",
                "ne:String:&str",
            ),
            (
                "<core::option::Option<alloc::string::String> as core::cmp::PartialEq>::eq",
                "eq:Option<String>:Option<String>",
            ),
            ("<i64 as core::cmp::PartialOrd>::lt", "order:i64:i64"),
            ("<&i64 as core::cmp::PartialOrd>::lt", ""),
            ("<str>::starts_with::<&str>", "prefix:&str"),
            ("<str>::ends_with::<char>", "suffix:char"),
            ("<str>::contains::<app::find::{closure#0}>", ""),
            ("<str>::parse::<i64>", "parse:i64"),
            ("<str>::parse::<uuid::Uuid>", "parse:uuid"),
            ("<str>::parse::<app::Size>", ""),
            (
                "serde_json::de::from_str::<serde_json::value::Value>",
                "parse:json",
            ),
            ("<regex::regex::string::Regex>::captures", "match"),
            ("<[&str]>::contains", "member:&str"),
            ("<[alloc::string::String]>::contains", "member:String"),
            ("<str>::eq_ignore_ascii_case", "same"),
            ("<http::header::map::HeaderMap>::get::<&str>", "read:header"),
            ("<serde_json::value::Value>::get::<&str>", "read:key"),
            (
                "<std::collections::hash::map::HashMap<alloc::string::String, alloc::string::String>>::get::<str>",
                "read:query",
            ),
            ("<app::Order as core::cmp::PartialEq>::eq", ""),
            ("app::main", ""),
        ];
        for (name, wanted) in known {
            assert_eq!(act(name).unwrap_or_default(), wanted, "{name}");
        }
    }
}
