//! Reading: which operation is taken, how fragments are laid in, and what is refused and where.

use fossick_contract::RootKind;
use fossick_query::{Asked, Directive, Literal, NotReadable, Part, Pick, read, write_compact};

/// What a text comes to, on one line.
fn said(text: &str) -> String {
    write_compact(&read(text, None).expect(text))
}

fn refused(text: &str) -> NotReadable {
    read(text, None).expect_err(text)
}

#[test]
fn an_operation_is_read_with_all_that_is_in_it() {
    let text = r#"
        # a comment, and commas where nobody needs them
        query Shelf($id: ID!, $tags: [[String!]!] = [["a"], []] @old) @live {
          shelf: bookshelf(id: $id, wide: true, at: {x: -1.50e3, y: null}, in: HALL,,) @include(if: $on) {
            label(text: """
              two
                lines
            """)
          }
        }
    "#;
    let document = read(text, None).expect("it is GraphQL");
    assert_eq!(document.kind, RootKind::Query);
    assert_eq!(document.name.as_deref(), Some("Shelf"));
    assert_eq!(document.variables[1].type_text, "[[String!]!]");
    let Some(Pick::Field(shelf)) = document.picks.first() else {
        panic!("a field");
    };
    assert_eq!((shelf.key(), shelf.name.as_str()), ("shelf", "bookshelf"));
    let number = Literal::Number("-1.50e3".into());
    let at = Literal::Object(vec![("x".into(), number), ("y".into(), Literal::Null)]);
    assert_eq!(shelf.arguments[2], ("at".into(), at));
    assert_eq!(
        shelf.directives,
        [Directive {
            name: "include".into(),
            arguments: vec![("if".into(), Literal::Variable("on".into()))],
        }]
    );
    let label = Pick::Field(Asked {
        name: "label".into(),
        arguments: vec![("text".into(), Literal::Text("two\n  lines".into()))],
        ..Asked::default()
    });
    assert_eq!(shelf.picks, [label]);
}

#[test]
fn the_named_operation_is_taken_and_the_only_one_needs_no_name() {
    let text = "query A { a } mutation B { b }";
    let named = |name| read(text, Some(name));
    assert_eq!(named("B").expect("there").kind, RootKind::Mutation);
    assert_eq!(write_compact(&named("A").expect("there")), "query A{a}");
    assert_eq!(
        named("C"),
        Err(NotReadable::NoSuchOperation { name: "C".into() })
    );
    assert_eq!(
        refused(text),
        NotReadable::SeveralOperations {
            line: 1,
            column: 15
        }
    );
    assert_eq!(refused("fragment F on T { a }"), NotReadable::NoOperation);
    assert_eq!(refused(" # nothing"), NotReadable::NoOperation);
}

#[test]
fn fragments_lie_where_they_are_spread_each_with_the_directives_of_the_spread() {
    let text = "{ a { ...F @skip(if: true) ...F } } fragment F on T @own { b ...G } \
                fragment G on U { c }";
    let part = "... on T";
    let laid = said(text).replace("...on", "... on");
    assert_eq!(
        laid,
        format!("{{a{{{part}@skip(if:true){{b ... on U{{c}}}}{part}{{b ... on U{{c}}}}}}}}")
    );
}

#[test]
fn a_part_may_be_there_for_its_directives_alone() {
    let document = read("{ ... @skip(if: false) { a } }", None).expect("it is GraphQL");
    let Some(Pick::Part(Part { on, directives, .. })) = document.picks.first() else {
        panic!("a part");
    };
    assert_eq!((on.as_deref(), directives.len()), (None, 1));
}

#[test]
fn a_fragment_that_leads_back_to_itself_is_refused() {
    let circle = |name: &str, line, column| NotReadable::Circle {
        name: name.into(),
        line,
        column,
    };
    assert_eq!(
        refused("{ ...F }\nfragment F on T { a { ...G } }\nfragment G on T { ...F }"),
        circle("F", 3, 19)
    );
    assert_eq!(
        refused("{ ...F }\nfragment F on T { ...F }"),
        circle("F", 2, 19)
    );
    // Nobody uses it, so nothing comes of it.
    assert_eq!(said("{ a } fragment F on T { ...F }"), "{a}");
}

#[test]
fn fragments_that_grow_beyond_all_measure_are_refused() {
    let mut text = String::from("{ ...F0 }");
    for at in 0..60 {
        let next = at + 1;
        text.push_str(&format!(" fragment F{at} on T {{ ...F{next} ...F{next} }}"));
    }
    text.push_str(" fragment F60 on T { a }");
    assert!(matches!(refused(&text), NotReadable::TooLarge { .. }));
    let long = format!("{{ {} }}", "a ".repeat(1_000_001));
    assert!(matches!(refused(&long), NotReadable::TooLarge { .. }));
}

#[test]
fn deep_nesting_of_any_sort_is_refused_and_no_stack_overflows() {
    const DEEP: usize = 100_000;
    let fields = "{a".repeat(DEEP);
    let lists = format!("{{ a(b: {}", "[".repeat(DEEP));
    let objects = format!("{{ a(b: {}", "{c:".repeat(DEEP));
    let types = format!("query($a: {}", "[".repeat(DEEP));
    for text in [fields, lists, objects, types] {
        assert!(matches!(refused(&text), NotReadable::TooDeep { .. }));
    }
    let mut fragments = String::from("{ ...F0 }");
    for at in 0..400 {
        fragments.push_str(&format!(
            " fragment F{at} on T {{ a {{ ...F{} }} }}",
            at + 1
        ));
    }
    assert!(matches!(refused(&fragments), NotReadable::TooDeep { .. }));
}

#[test]
fn what_was_read_can_be_read_again_also_at_the_greatest_depth() {
    let deepest = (1..400)
        .rev()
        .map(|depth| format!("{}a{}", "{a".repeat(depth), "}".repeat(depth)))
        .find_map(|text| read(&text, None).ok())
        .expect("some depth is fine");
    assert_eq!(read(&write_compact(&deepest), None), Ok(deepest));
}

#[test]
fn a_subscription_is_refused() {
    assert_eq!(
        refused("\nsubscription { a }"),
        NotReadable::Subscription { line: 2, column: 1 }
    );
}

#[test]
fn a_fragment_that_is_not_there_is_named_with_its_place() {
    assert_eq!(
        refused("{ # é\n  a\r\n  ...F\n}"),
        NotReadable::NoSuchFragment {
            name: "F".into(),
            line: 3,
            column: 3
        }
    );
}

#[test]
fn what_is_not_graphql_is_refused_with_its_place() {
    let place = |text: &str| match refused(text) {
        NotReadable::Syntax {
            line,
            column,
            message,
        } => (line, column, message),
        other => panic!("{text}: {other}"),
    };
    for (text, line, column, word) in [
        ("{ a( }", 1, 6, "argument"),
        ("{ a(b: ) }", 1, 8, "a value"),
        ("{ }", 1, 3, "a field"),
        ("{\n  a {}\n}", 2, 6, "a field"),
        ("{ a", 1, 4, "the end"),
        ("{ a(b: \"x", 1, 8, "does not end"),
        ("{ a(b: \"\"\"x", 1, 8, "does not end"),
        ("{ a(b: \"é\\x\") }", 1, 10, "escape"),
        ("{ a(b: 01) }", 1, 8, "begin with 0"),
        ("{ a(b: 1x) }", 1, 9, "character"),
        ("{ a(b: 1.) }", 1, 10, "digit"),
        ("{ a ? }", 1, 5, "character"),
        ("{ .. a }", 1, 3, "character"),
        ("query($a: Int = $b) { a }", 1, 17, "a value"),
        ("fragment on on T { a }", 1, 10, "fragment"),
        ("type A { b: Int }", 1, 1, "operation"),
        ("{ a } }", 1, 7, "operation"),
        ("{ a ...on }", 1, 11, "type"),
    ] {
        let (at_line, at_column, message) = place(text);
        assert_eq!((at_line, at_column), (line, column), "{text}: {message}");
        assert!(message.contains(word), "{text}: {message}");
    }
}
