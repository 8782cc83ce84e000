//! A call that went by, whatever it is: taken in, and nothing planted in it is stored.
//!
//! The input reads like a request: a line with method and target, lines with headers, an empty
//! line, the body, and behind a line with three dashes the body of the answer.

use fossick_harvest::{Answered, Intake, IntakeSettings, Privacy, Seen, Taken};
use serde_json::Value;

/// Letters only, so that it is itself in every encoding.
const SECRET: &str = "Qxzkwvjfplanted";

pub fn harvest_intake(data: &[u8]) {
    let seen = parse(data);
    let mut intake = Intake::new(IntakeSettings::new(Privacy::new([7; 32])));
    intake.take(&seen);
    if data
        .windows(SECRET.len())
        .any(|window| window == SECRET.as_bytes())
    {
        return;
    }
    for seen in planted(&seen) {
        let taken = intake.take(&seen);
        assert!(!stored(&taken).contains(SECRET), "{taken:?}");
    }
}

fn stored(taken: &Taken) -> String {
    let calls = taken.sightings.iter().map(|sighting| &sighting.call);
    let calls = serde_json::to_string(&calls.collect::<Vec<_>>()).expect("plain data");
    format!("{calls} {taken:?}")
}

/// The same call with a secret where one may stand.
fn planted(seen: &Seen) -> Vec<Seen> {
    let header = |name: &str, value: String| {
        let mut seen = seen.clone();
        seen.headers.insert(0, (name.to_owned(), value));
        seen
    };
    let mut all = vec![
        header("Authorization", format!("Bearer {SECRET}")),
        header("Cookie", format!("session={SECRET}")),
        header("X-Client", SECRET.to_owned()),
    ];
    let mut asked = seen.clone();
    let head = seen.target.split('#').next().unwrap_or_default();
    let mark = if head.contains('?') { '&' } else { '?' };
    asked.target = format!("{head}{mark}password={SECRET}");
    all.push(asked);
    if let Ok(Value::Object(mut fields)) = serde_json::from_slice(&seen.body) {
        fields.insert("apiKey".to_owned(), SECRET.into());
        if let Some(Value::Object(variables)) = fields.get_mut("variables") {
            variables
                .values_mut()
                .for_each(|value| *value = with_secret(value.take()));
        }
        let mut sent = seen.clone();
        sent.body = Value::Object(fields).to_string().into_bytes();
        all.push(sent);
    }
    all
}

fn with_secret(value: Value) -> Value {
    match value {
        Value::Object(mut fields) => {
            fields.insert("password".to_owned(), SECRET.into());
            fields.into()
        }
        other => other,
    }
}

fn parse(data: &[u8]) -> Seen {
    let (head, rest) = cut(data, b"\n\n");
    let (body, answer) = cut(rest, b"\n---\n");
    let head = String::from_utf8_lossy(head);
    let mut lines = head.lines();
    let first = lines.next().unwrap_or_default();
    let (method, target) = first.split_once(' ').unwrap_or(("POST", first));
    let mut seen = Seen::once(1000, method, target);
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
    seen.headers = headers.collect();
    seen.client = Some("127.0.0.1".to_owned());
    seen.body = body.to_vec();
    seen.answer = Some(Answered {
        status: 200,
        media_type: None,
        body: Some(answer.to_vec()),
        took: Some(1),
    });
    seen
}

fn cut<'a>(data: &'a [u8], mark: &[u8]) -> (&'a [u8], &'a [u8]) {
    match data.windows(mark.len()).position(|window| window == mark) {
        Some(at) => (&data[..at], &data[at + mark.len()..]),
        None => (data, &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_are_a_call() {
        let seen = parse(b"GET /a?b\nAccept: */*\n\nbody\n---\n{}");
        assert_eq!(
            (seen.method.as_str(), seen.target.as_str()),
            ("GET", "/a?b")
        );
        assert_eq!(
            (&seen.body[..], seen.header("accept")),
            (&b"body"[..], Some("*/*"))
        );
        assert_eq!(parse(&[0xff]).method, "POST");
    }

    /// Otherwise the fuzzer would look at calls that are left out.
    #[test]
    fn what_is_planted_is_taken_in() {
        let seen = parse(b"POST /x\nContent-Type: application/json\n\n{\"a\":1}");
        let mut intake = Intake::new(IntakeSettings::new(Privacy::new([7; 32])));
        let taken: Vec<_> = planted(&seen)
            .iter()
            .map(|seen| intake.take(seen))
            .collect();
        assert_eq!(taken.len(), 5);
        assert!(taken.iter().all(|taken| taken.sightings.len() == 1));
        let told = taken
            .iter()
            .filter(|taken| !taken.sightings[0].redactions.is_empty());
        assert_eq!(told.count(), 4);
    }
}
