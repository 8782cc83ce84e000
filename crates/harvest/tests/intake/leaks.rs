//! Whatever is sent and wherever a secret stands in it, the secret is not stored.

use fossick_harvest::{Call, Content, GraphQlCall, How, RestCall, Seen};
use proptest::prelude::*;
use serde_json::{Value, json as value};

use super::same::any_json;
use super::{intake, json, made_again, only, places, sent, stored, with_header};

fn settings() -> ProptestConfig {
    ProptestConfig {
        cases: 100,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

const NAMES: [&str; 14] = [
    "password",
    "newPassword",
    "api_key",
    "X-Api-Key",
    "accessToken",
    "refresh-token",
    "ssn",
    "cvv",
    "email",
    "workEmail",
    "phoneNumber",
    "iban",
    "clientSecret",
    "sessionId",
];

/// Long enough not to be there by chance.
fn secret() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z0-9]{12,20}",
        "[A-Za-z]{4,8}[!-/]{1,3}[0-9]{6,8}",
        "[0-9]{12,19}",
        "[a-z]{5,9}\\.[a-z]{3,8}@[a-z]{3,8}\\.(com|org|de)",
        "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}",
        "\\+49 1[0-9]{2} [0-9]{8}",
        "[!-/]{10,14}",
        "DE[0-9]{20}",
        "[äöüßéèñ]{9,12}",
    ]
}

/// What gives itself away under any name.
fn telling() -> impl Strategy<Value = String> {
    prop_oneof![
        "eyJ[A-Za-z0-9_-]{20,40}\\.eyJ[A-Za-z0-9_-]{10,40}\\.[A-Za-z0-9_-]{20,43}",
        "Bearer [A-Za-z0-9._-]{24,40}",
        "ghp_[A-Za-z0-9]{36}",
        "sk_live_[A-Za-z0-9]{24}",
        "(AKIA|ASIA)[A-Z0-9]{16}",
        "-----BEGIN PRIVATE KEY-----[A-Za-z0-9+/]{40}-----END PRIVATE KEY-----",
        Just("4111 1111 1111 1111".to_owned()),
        Just("5500005555555559".to_owned()),
        "[a-z]{5,9}@[a-z]{3,8}\\.(com|org|de)",
    ]
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&NAMES[..])
}

fn holds_not(seen: &Seen, secret: &str) -> Result<(), TestCaseError> {
    let mut intake = intake();
    for seen in [
        seen.clone(),
        with_header(seen.clone(), "Authorization", secret),
    ] {
        let taken = intake.take(&seen);
        prop_assert_eq!(taken.sightings.len(), 1, "{:?}", taken.skipped);
        let kept = format!("{} {:?}", stored(&taken.sightings[0]), taken.flows);
        let escaped = Value::from(secret).to_string();
        for form in [secret, escaped.trim_matches('"'), &encoded(secret)] {
            prop_assert!(!kept.contains(form), "{form} in {kept}");
        }
        prop_assert!(!taken.sightings[0].redactions.is_empty());
    }
    Ok(())
}

fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

/// Puts a value somewhere into another.
fn planted(host: Value, name: &str, secret: Value, depth: usize) -> Value {
    let inner = (0..depth).fold(secret, |inner, at| match at % 3 {
        0 => value!([inner]),
        1 => value!({"k": inner}),
        _ => value!([1, {"x": inner}]),
    });
    match host {
        Value::Object(mut fields) => {
            fields.insert(name.to_owned(), inner);
            fields.into()
        }
        Value::Array(mut items) => {
            items.push(value!({name: inner}));
            items.into()
        }
        _ => value!({name: inner}),
    }
}

proptest! {
    #![proptest_config(settings())]

    #[test]
    fn bodies_do_not_leak(host in any_json(), name in name(), secret in secret(), depth in 0..5_usize) {
        let body = planted(host, name, secret.as_str().into(), depth);
        holds_not(&json("/x", &body), &secret)?;
        let within = value!({"note": body.to_string()});
        holds_not(&json("/x", &within), &secret)?;
    }

    #[test]
    fn queries_and_forms_do_not_leak(name in name(), secret in secret()) {
        let pairs = format!("a=1&{name}={}&user%5B{name}%5D={}", encoded(&secret), encoded(&secret));
        holds_not(&sent("GET", &format!("/x?{pairs}"), "", ""), &secret)?;
        holds_not(&sent("POST", "/x", "application/x-www-form-urlencoded", &pairs), &secret)?;
        let address = value!({"redirect": format!("https://example.org/?{pairs}#x")});
        holds_not(&json("/x", &address), &secret)?;
        holds_not(&sent("PUT", "/x", "application/xml", &format!("<a><{name}>{secret}</{name}></a>")), &secret)?;
    }

    #[test]
    fn paths_do_not_leak(name in name(), secret in secret()) {
        holds_not(&sent("GET", &format!("/users/by-{name}/{}/x", encoded(&secret)), "", ""), &secret)?;
    }

    #[test]
    fn operations_do_not_leak(secret in secret(), depth in 0..4_usize) {
        let literal = Value::from(secret.as_str()).to_string();
        let nested = planted(Value::Null, "password", secret.as_str().into(), depth);
        for (query, variables) in [
            (format!("{{ login(password: {literal}) {{ ok }} }}"), value!({})),
            (format!("{{ a {{ b(input: {{user: [{{apiKey: {literal}}}]}}) {{ ok }} }} }}"), value!({})),
            ("query($p: String) { login(password: $p) { ok } }".to_owned(), value!({"p": secret})),
            ("query($password: String) { x(y: $password) }".to_owned(), value!({"password": secret})),
            ("query($i: In) { x(input: $i) }".to_owned(), value!({"i": nested})),
            (format!("query($p: String = {literal}) {{ login(token: $p) {{ ok }} }}"), value!({})),
            (format!("{{ x @log(secret: {literal}) }}"), value!({})),
            (format!("{{ x(meta: [{{key: \"token\", value: {literal}}}]) }}"), value!({})),
        ] {
            holds_not(&json("/graphql", &value!({"query": query, "variables": variables})), &secret)?;
        }
    }

    #[test]
    fn what_gives_itself_away_leaks_nowhere(secret in telling(), host in any_json()) {
        let text = format!("see: {secret}, and so on");
        holds_not(&json("/x", &planted(host.clone(), "note", text.as_str().into(), 2)), &secret)?;
        holds_not(&json("/x", &value!({secret.as_str(): host})), &secret)?;
        holds_not(&sent("GET", &format!("/x?q={}", encoded(&secret)), "", ""), &secret)?;
        holds_not(&sent("GET", &format!("/x/{}/y", encoded(&secret)), "", ""), &secret)?;
        holds_not(&sent("PUT", "/x", "text/plain", &text), &secret)?;
        let query = format!("{{ find(text: {}) }}", Value::from(text));
        holds_not(&json("/graphql", &value!({"query": query})), &secret)?;
        let seen = with_header(sent("GET", "/x", "", ""), "Accept", &secret);
        holds_not(&seen, &secret)?;
    }

    #[test]
    fn pseudonyms_keep_shape_and_equality(secret in secret(), other in secret()) {
        let of = |text: &str| pseudonym(&value!(text)).as_str().map(str::to_owned).unwrap_or_default();
        let made = of(&secret);
        prop_assert_eq!(&made, &of(&secret));
        prop_assert_ne!(&made, &secret);
        if other != secret {
            prop_assert_ne!(&made, &of(&other));
        }
        if secret.contains('@') {
            prop_assert!(made.ends_with(".example.com"), "{}", made);
        } else {
            prop_assert_eq!(shape(&made), shape(&secret), "{} {}", secret, made);
        }
    }

    #[test]
    fn numbers_keep_digits_and_sign(number in prop_oneof![any::<i64>(), -99_999..99_999_i64]) {
        let made = pseudonym(&value!(number));
        let made = made.as_i64().expect("still 64 bits");
        prop_assert_eq!(made.to_string().len(), number.to_string().len());
        prop_assert_eq!(made < 0, number < 0);
        prop_assert_eq!(i32::try_from(made).is_ok(), i32::try_from(number).is_ok() || i32::try_from(made).is_ok());
        if i32::try_from(number).is_ok() {
            prop_assert!(i32::try_from(made).is_ok());
        }
        prop_assert_eq!(pseudonym(&value!(number.to_string())), value!(made.to_string()));
    }
}

/// Letters and digits by their kind.
fn shape(text: &str) -> String {
    let bare = text.bytes().all(|byte| byte.is_ascii_punctuation());
    let kind = |c: char| match c {
        _ if c.is_numeric() => '0',
        _ if c.is_uppercase() => 'A',
        _ if c.is_alphabetic() || bare => 'a',
        mark => mark,
    };
    text.chars().map(kind).collect()
}

fn pseudonym(secret: &Value) -> Value {
    match only(intake().take(&json("/x", &value!({"password": secret})))).call {
        Call::Rest(RestCall {
            content: Content::Json { value, .. },
            ..
        }) => value["password"].clone(),
        other => panic!("{other:?}"),
    }
}

fn operation(query: &str, variables: &Value) -> (GraphQlCall, Vec<String>) {
    let sighting = only(intake().take(&json(
        "/graphql",
        &value!({"query": query, "variables": variables}),
    )));
    let told = places(&sighting.redactions)
        .into_iter()
        .map(str::to_owned)
        .collect();
    match sighting.call {
        Call::GraphQl(call) => (call, told),
        Call::Rest(call) => panic!("{call:?}"),
    }
}

#[test]
fn an_operation_tells_where_it_was_changed() {
    let query = "query($p:String,$i:In){login(email:\"ada@example.org\",password:$p,mode:FAST,stay:true){ok}\
        a{b(input:{pin:1234}){ok}} c(input:$i)}";
    let (call, told) = operation(
        query,
        &value!({"p": "hunter2", "i": {"users": [{"phone": "+49 170 1234567", "n": 1}]}}),
    );
    assert_eq!(
        told,
        [
            "argument a/b.input.pin",
            "argument login.email",
            "variables /i/users/-/phone",
            "variables /p",
        ]
    );
    assert!(call.query.contains("mode:FAST,stay:true"), "{}", call.query);
    assert!(call.query.contains(".example.com\""), "{}", call.query);
    assert_eq!(call.variables["i"]["users"][0]["n"], 1);
}

#[test]
fn one_value_has_one_pseudonym_everywhere() {
    let (call, _) = operation("{a(email:\"ada@example.org\")}", &value!({}));
    let mail = pseudonym(&value!("ada@example.org"));
    assert_eq!(call.query, format!("{{a(email:{mail})}}"));
    let path = only(intake().take(&sent("GET", "/users/by-phone/1234567", "", "")));
    let Call::Rest(path) = path.call else {
        panic!("GraphQL");
    };
    assert_eq!(
        path.path,
        format!("/users/by-phone/{}", pseudonym(&value!(1_234_567)))
    );
}

#[test]
fn credentials_are_dropped_so_that_calls_of_all_users_are_one() {
    let of = |token: &str| {
        let body =
            value!({"idToken": format!("eyJhbGciOiJIUzI1NiJ9.eyJzdWIi{token}.c2lnbmF0dXJl")});
        only(intake().take(&json("/x", &body)))
    };
    let (one, other) = (of("OiIxIn0"), of("OiIyIn0"));
    assert_eq!(one.key, other.key);
    assert_eq!(one.redactions[0].how, How::Dropped);
}

#[test]
fn a_kept_name_keeps_its_value_but_no_credential() {
    let mut privacy = fossick_harvest::Privacy::new([1; 32]);
    privacy.keep.push("contact_email".to_owned());
    let mut intake = fossick_harvest::Intake::new(fossick_harvest::IntakeSettings::new(privacy));
    let kept = stored(&only(
        intake.take(&json("/x", &value!({"contactEmail": "ada@example.org"}))),
    ));
    assert!(kept.contains("ada@example.org"));
    let token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let kept = stored(&only(
        intake.take(&json("/x", &value!({"contactEmail": token}))),
    ));
    assert!(!kept.contains(token));
}

#[test]
fn another_key_makes_other_pseudonyms() {
    let of = |key: u8| {
        let settings =
            fossick_harvest::IntakeSettings::new(fossick_harvest::Privacy::new([key; 32]));
        let body = value!({"password": "correct horse battery"});
        only(fossick_harvest::Intake::new(settings).take(&json("/x", &body))).key
    };
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
    let shown = format!("{:?}", fossick_harvest::Privacy::new([171; 32]));
    assert!(!shown.contains("171"), "{shown}");
}

#[test]
fn checked_numbers_stay_right() {
    let iban = pseudonym(&value!("DE89370400440532013000"));
    let iban = iban.as_str().expect("a text");
    let moved = format!("{}{}", &iban[4..], &iban[..4]);
    let rest = moved
        .chars()
        .filter_map(|c| c.to_digit(36))
        .fold(0_u32, |sum, digit| {
            (sum * if digit < 10 { 10 } else { 100 } + digit) % 97
        });
    assert_eq!((&iban[..2], rest), ("DE", 1));
    let date = pseudonym(&value!("1987-02-28T10:00:00Z"));
    assert!(
        date.as_str()
            .is_some_and(|text| text.ends_with("T10:00:00Z") && text.len() == 20),
        "{date}"
    );
    let address = pseudonym(&value!("192.168.1.77"));
    assert!(
        address
            .as_str()
            .is_some_and(|text| text.parse::<std::net::Ipv4Addr>().is_ok()),
        "{address}"
    );
}

/// What is made again from the store goes through the rules of the next recorder.
#[test]
fn a_pseudonym_is_as_private_as_the_value() {
    let first = only(intake().take(&json("/x", &value!({"password": "hunter2hunter2"}))));
    let again = only(intake().take(&made_again(&first.call)));
    assert_ne!(again.call, first.call);
}
