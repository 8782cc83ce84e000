//! Where values come from: dictionaries, examples, answers, names; and what each manner makes.

mod common;

use common::{Subject, subjects};
use fossick_genes::{Gene, Manner, Source, Values};
use serde_json::{Value, json};

fn plausible(subject: &Subject, name: &str) -> Gene {
    subject.with_maker(1, Manner::Plausible, |maker| {
        maker.sample(name, subject.shape)
    })
}

#[test]
fn what_is_likeliest_comes_first() {
    let schema =
        json!({"type": "string", "maxLength": 9, "examples": ["shown"], "default": "usual"});
    let mut subject = Subject::new("flavour", schema);
    assert_eq!(plausible(&subject, "flavour").value(), json!("shown"));
    subject
        .values
        .tell(Some("GET /x"), "flavour", json!("told"));
    assert_eq!(plausible(&subject, "flavour").value(), json!("told"));
    subject
        .values
        .add_word("Flavour", json!("much too long a word"));
    assert_eq!(
        plausible(&subject, "flavour").value(),
        json!("told"),
        "it does not fit"
    );
    subject.values.add_word("Flavour", json!("mine"));
    let gene = plausible(&subject, "flavour");
    assert_eq!(
        (gene.value(), gene.source()),
        (json!("mine"), Some(Source::Dictionary))
    );
}

#[test]
fn a_reference_takes_what_was_seen_last() {
    let mut subject = Subject::new("project", json!({"type": "integer", "minimum": 1}));
    subject.values.see("projectId", &json!(41));
    subject.values.see("projectId", &json!(42));
    subject.values.see("projectId", &json!("forty-three"));
    let gene = plausible(&subject, "project_id");
    assert_eq!(
        (gene.value(), gene.source()),
        (json!(42), Some(Source::Seen))
    );
}

#[test]
fn varied_values_come_from_every_source() {
    let schema =
        json!({"type": "string", "maxLength": 30, "examples": ["shown"], "default": "usual"});
    let mut subject = Subject::new("city", schema);
    subject.values.see("city", &json!("Oslo"));
    subject.values.tell(None, "city", json!("Rome"));
    subject.values.add_word("city", json!("Bonn"));
    let mut found = std::collections::BTreeSet::new();
    subject.with_maker(1, Manner::Varied, |maker| {
        for _ in 0..600 {
            let gene = maker.sample("city", subject.shape);
            subject.assert_good(&gene, "a sample");
            gene.sources(&mut |source| {
                found.insert(source);
            });
        }
    });
    let wanted = [
        Source::Boundary,
        Source::Example,
        Source::Default,
        Source::Seen,
        Source::Told,
        Source::Named,
        Source::Dictionary,
        Source::Special,
        Source::Random,
    ];
    assert!(
        wanted.iter().all(|source| found.contains(source)),
        "{found:?}"
    );
}

#[test]
fn names_say_what_is_wanted() {
    let text = |name: &str| {
        let subject = Subject::new("text", json!({"type": "string"}));
        let value = plausible(&subject, name).value();
        value.as_str().expect("a string").to_owned()
    };
    assert!(text("contact_email").ends_with("@example.com"));
    assert!(text("callbackUrl").starts_with("https://"));
    assert!(text("created_at").ends_with('Z'));
    assert_eq!(text("birth_date").len(), 10);
    assert_eq!(text("country").len(), 2);
    assert!(text("version").starts_with("1."));
    let slug = text("slug");
    assert!(
        slug.bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()),
        "{slug}"
    );
}

#[test]
fn names_that_must_be_unique_rarely_repeat() {
    let subject = Subject::new(
        "name",
        json!({"type": "string", "minLength": 1, "maxLength": 40}),
    );
    let mut names: Vec<String> = subject.with_maker(3, Manner::Plausible, |maker| {
        (0..1000)
            .map(|_| maker.sample("name", subject.shape).value().to_string())
            .collect()
    });
    names.sort();
    names.dedup();
    assert!(names.len() > 995, "{}", names.len());
}

#[test]
fn manners_differ_in_what_is_optional() {
    let subjects = subjects();
    let subject = subjects
        .iter()
        .find(|s| s.name == "object")
        .expect("is there");
    let keys = |manner| {
        let value = subject
            .with_maker(1, manner, |maker| maker.sample("", subject.shape))
            .value();
        value
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(keys(Manner::Plausible), ["name", "priority"]);
    assert_eq!(
        keys(Manner::Full),
        ["name", "priority", "status", "email", "due", "tags"]
    );
}

#[test]
fn what_is_read_only_is_never_sent() {
    let subject = Subject::new(
        "project",
        json!({"type": "object", "required": ["id", "name"],
        "properties": {"id": {"type": "integer", "readOnly": true}, "name": {"type": "string"},
            "owner": {"type": "object", "properties": {"id": {"type": "integer", "readOnly": true}, "login": {"type": "string"}}}},
        "examples": [{"id": 7, "name": "x", "owner": {"id": 8, "login": "y"}}]}),
    );
    for manner in [Manner::Plausible, Manner::Full, Manner::Varied] {
        subject.with_maker(1, manner, |maker| {
            for _ in 0..100 {
                let mut gene = maker.sample("", subject.shape);
                maker.mutate(&mut gene, "", subject.shape);
                let value = gene.value();
                assert!(
                    value.get("id").is_none() && value.pointer("/owner/id").is_none(),
                    "{value}"
                );
                assert!(value.get("name").is_some());
            }
        });
    }
}

#[test]
fn a_discriminator_says_which_option_it_is() {
    let subject = Subject::new(
        "pet",
        json!({
        "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
        "discriminator": {"propertyName": "kind", "mapping": {
            "cat": "#/components/schemas/Cat", "dog": "#/components/schemas/Dog"}}}),
    );
    let mut seen = std::collections::BTreeSet::new();
    subject.with_maker(1, Manner::Varied, |maker| {
        for _ in 0..100 {
            let mut gene = maker.sample("pet", subject.shape);
            maker.mutate(&mut gene, "pet", subject.shape);
            let value = gene.value();
            let kind = value["kind"].as_str().expect("a kind").to_owned();
            assert_eq!(value.get("lives").is_some(), kind == "cat", "{value}");
            assert_eq!(value.get("tricks").is_some(), kind == "dog", "{value}");
            seen.insert(kind);
        }
        assert!(
            maker
                .slots(subject.shape)
                .iter()
                .all(|slot| slot.name != "kind")
        );
    });
    assert_eq!(seen.len(), 2);
}

#[test]
fn values_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + Clone>(_: &T) {}
    shared(&Values::new());
}

#[test]
fn values_of_one_api_do_no_harm_to_another() {
    let one = Subject::new("one", json!({"type": "integer", "minimum": 5}));
    let other = Subject::new("other", json!({"type": "string", "pattern": "^x+$"}));
    let mut rng = <fossick_genes::Rng as rand::SeedableRng>::seed_from_u64(1);
    for subject in [&one, &other, &one] {
        let mut maker = fossick_genes::Maker {
            api: &subject.api,
            validators: &subject.validators,
            values: &one.values,
            rng: &mut rng,
            manner: Manner::Varied,
        };
        let value: Value = maker.sample("x", subject.shape).value();
        subject.assert_valid(&value, "a sample");
    }
}
