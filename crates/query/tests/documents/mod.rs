//! Documents of every sort, and texts that nearly are.

use fossick_contract::RootKind;
use fossick_query::{Asked, Directive, Document, Literal, Part, Pick, Variable, write};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[_A-Za-z][_0-9A-Za-z]{0,5}",
        // Words of the grammar are names wherever a name may stand.
        Just("on".to_owned()),
        Just("query".to_owned()),
        Just("fragment".to_owned()),
        Just("null".to_owned()),
    ]
}

fn member() -> impl Strategy<Value = String> {
    name().prop_filter("words of their own", |name| {
        !matches!(name.as_str(), "true" | "false" | "null")
    })
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[\"\\\\/\n\r\t\u{0}-\u{20}\u{7f}-\u{9f}a\u{feff}\u{2028}😀#{}]{0,8}",
        Just("\"\"\"".to_owned()),
        Just("\") { evil }".to_owned()),
    ]
}

fn number() -> impl Strategy<Value = String> {
    "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,3})?"
}

fn literal(variables: bool) -> impl Strategy<Value = Literal> {
    let constant = prop_oneof![
        Just(Literal::Null),
        any::<bool>().prop_map(Literal::Boolean),
        number().prop_map(Literal::Number),
        text().prop_map(Literal::Text),
        member().prop_map(Literal::Enum),
    ];
    let leaf = if variables {
        prop_oneof![constant, name().prop_map(Literal::Variable)].boxed()
    } else {
        constant.boxed()
    };
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Literal::List),
            vec((name(), inner), 0..3).prop_map(Literal::Object),
        ]
    })
}

fn arguments() -> impl Strategy<Value = Vec<(String, Literal)>> {
    vec((name(), literal(true)), 0..3)
}

fn directives() -> impl Strategy<Value = Vec<Directive>> {
    let directive =
        (name(), arguments()).prop_map(|(name, arguments)| Directive { name, arguments });
    vec(directive, 0..2)
}

fn asked(picks: impl Strategy<Value = Vec<Pick>>) -> impl Strategy<Value = Pick> {
    (option::of(name()), name(), arguments(), directives(), picks).prop_map(
        |(alias, name, arguments, directives, picks)| {
            Pick::Field(Asked {
                alias,
                name,
                arguments,
                directives,
                picks,
            })
        },
    )
}

fn pick() -> impl Strategy<Value = Pick> {
    asked(Just(Vec::new())).prop_recursive(4, 16, 3, |inner| {
        let part = (option::of(name()), directives(), vec(inner.clone(), 1..3)).prop_map(
            |(on, directives, picks)| {
                Pick::Part(Part {
                    on,
                    directives,
                    picks,
                })
            },
        );
        prop_oneof![asked(vec(inner, 0..3)), part]
    })
}

fn variable() -> impl Strategy<Value = Variable> {
    let kind = (name(), any::<bool>()).prop_map(|(name, firm)| firmly(name, firm));
    let kind = kind.prop_recursive(2, 3, 1, |inner| {
        (inner, any::<bool>()).prop_map(|(inner, firm)| firmly(format!("[{inner}]"), firm))
    });
    (name(), kind, option::of(literal(false))).prop_map(|(name, type_text, default)| Variable {
        name,
        type_text,
        default,
    })
}

fn firmly(mut text: String, firm: bool) -> String {
    if firm {
        text.push('!');
    }
    text
}

pub(crate) fn document() -> impl Strategy<Value = Document> {
    let kind = prop_oneof![Just(RootKind::Query), Just(RootKind::Mutation)];
    (
        kind,
        option::of(name()),
        vec(variable(), 0..3),
        vec(pick(), 1..4),
    )
        .prop_map(|(kind, name, variables, picks)| Document {
            kind,
            name,
            variables,
            picks,
        })
}

/// The text of a document with something put in, taken out or put in its place.
pub(crate) fn smudged() -> impl Strategy<Value = String> {
    let bit = prop_oneof![
        "[!$&()\\[\\]{}:=@|.,\"\\\\#0-9a-e_ \n-]{0,3}",
        Just("\"\"\"".to_owned()),
        Just("...".to_owned()),
        Just("\\u00e9".to_owned()),
        Just("\\u{61}".to_owned()),
    ];
    let smudge = (any::<prop::sample::Index>(), 0..3_usize, bit);
    (document(), vec(smudge, 1..3)).prop_map(|(document, smudges)| {
        let mut characters: Vec<char> = write(&document).chars().collect();
        for (at, gone, put) in smudges {
            let at = at.index(characters.len() + 1);
            let end = (at + gone).min(characters.len());
            characters.splice(at..end, put.chars());
        }
        characters.into_iter().collect()
    })
}
