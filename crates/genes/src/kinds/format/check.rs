//! Whether a text is of a format. Careful rather than complete: a few odd but valid texts are
//! refused, no invalid one is let through.

pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, b)| match at {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

pub(super) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&b);
    let atoms = local
        .split('.')
        .all(|atom| !atom.is_empty() && atom.bytes().all(plain));
    atoms && local.len() <= 64 && text.len() <= 254 && domain.contains('.') && is_hostname(domain)
}

pub(super) fn is_hostname(text: &str) -> bool {
    let label = |label: &str| {
        let bytes = label.as_bytes();
        (1..=63).contains(&bytes.len())
            && bytes
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || *b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
            && bytes.get(2..4) != Some(b"--")
    };
    text.len() <= 253 && text.split('.').all(label)
}

pub(super) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let scheme_ok = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    let authority_ok = match rest.strip_prefix("//") {
        Some(rest) => is_authority(rest.split(['/', '?', '#']).next().unwrap_or("")),
        None => true,
    };
    scheme_ok && authority_ok && are_uri_characters(rest)
}

fn is_authority(text: &str) -> bool {
    let (host, port) = text.split_once(':').unwrap_or((text, ""));
    host.bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"-._~".contains(&b))
        && port.bytes().all(|b| b.is_ascii_digit())
}

pub(super) fn is_relative(text: &str) -> bool {
    let first = text.split(['/', '?', '#']).next().unwrap_or("");
    !text.starts_with("//") && !first.contains(':') && are_uri_characters(text)
}

fn are_uri_characters(text: &str) -> bool {
    let (before, fragment) = text.split_once('#').unwrap_or((text, ""));
    let legal = |b: u8| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%".contains(&b);
    before.bytes().chain(fragment.bytes()).all(legal) && escapes_are_whole(text)
}

fn escapes_are_whole(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit))
    })
}

pub(super) fn is_template(text: &str) -> bool {
    let mut rest = text;
    let literal = |t: &str| {
        t.bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"/-._~:?=&".contains(&b))
    };
    while let Some((before, after)) = rest.split_once('{') {
        let Some((body, tail)) = after.split_once('}') else {
            return false;
        };
        let names = body.trim_start_matches(['+', '#', '.', '/', ';', '?', '&']);
        let name =
            |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !literal(before) || body.len() > names.len() + 1 || !names.split(',').all(name) {
            return false;
        }
        rest = tail;
    }
    literal(rest)
}

pub(super) fn is_duration(text: &str) -> bool {
    let Some(body) = text.strip_prefix('P') else {
        return false;
    };
    if let Some(weeks) = body.strip_suffix('W') {
        return !weeks.is_empty() && weeks.bytes().all(|b| b.is_ascii_digit());
    }
    let (date, time) = body
        .split_once('T')
        .map_or((body, None), |(d, t)| (d, Some(t)));
    let time_ok = time.is_none_or(|time| !time.is_empty() && are_parts(time, "HMS"));
    !body.is_empty() && are_parts(date, "YMD") && time_ok
}

/// Numbers with units in order and without a gap: `1H2M`, not `1H2S`.
fn are_parts(text: &str, units: &str) -> bool {
    let mut last: Option<usize> = None;
    let mut digits = 0;
    for c in text.chars() {
        match (c.is_ascii_digit(), units.find(c)) {
            (true, _) => digits += 1,
            (false, Some(at)) if digits > 0 && last.is_none_or(|last| at == last + 1) => {
                (last, digits) = (Some(at), 0);
            }
            _ => return false,
        }
    }
    digits == 0
}

pub(super) fn is_json_pointer(text: &str) -> bool {
    let escapes = text
        .split('~')
        .skip(1)
        .all(|rest| rest.starts_with(['0', '1']));
    (text.is_empty() || text.starts_with('/')) && escapes
}

pub(super) fn is_relative_pointer(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    !number.is_empty()
        && (number == "0" || !number.starts_with('0'))
        && (rest == "#" || is_json_pointer(rest))
}
