//! Writing: the layout, and what is never written.

use fossick_contract::RootKind;
use fossick_query::{Asked, Document, Literal, Part, Pick, read, write, write_compact};

fn field(name: &str, picks: Vec<Pick>) -> Pick {
    Pick::Field(Asked {
        name: name.into(),
        picks,
        ..Asked::default()
    })
}

fn query(picks: Vec<Pick>) -> Document {
    Document {
        kind: RootKind::Query,
        name: None,
        variables: Vec::new(),
        picks,
    }
}

#[test]
fn a_document_is_laid_out_as_people_write_it() {
    let text = "\
mutation Add($input: BookInput!, $tags: [String!] = [\"a\", null]) {
  added: addBook(input: $input, tags: $tags) @include(if: true) {
    id
    ... on Novel {
      pages
    }
    ... @skip(if: false) {
      title(case: UPPER)
    }
  }
}
";
    let document = read(text, None).expect("it is GraphQL");
    assert_eq!(write(&document), text);
    assert_eq!(
        write_compact(&document),
        "mutation Add($input:BookInput!,$tags:[String!]=[\"a\",null])\
         {added:addBook(input:$input,tags:$tags)@include(if:true)\
         {id ...on Novel{pages}...@skip(if:false){title(case:UPPER)}}}"
    );
}

#[test]
fn a_query_without_name_and_variables_is_only_its_braces() {
    let document = query(vec![field("a", vec![field("b", Vec::new())])]);
    assert_eq!(write(&document), "{\n  a {\n    b\n  }\n}\n");
    assert_eq!(write_compact(&document), "{a{b}}");
}

#[test]
fn empty_selections_and_parts_are_never_written() {
    let empty = Pick::Part(Part {
        on: Some("T".into()),
        picks: vec![Pick::Part(Part::default())],
        ..Part::default()
    });
    let document = query(vec![empty.clone(), field("a", vec![empty.clone()])]);
    assert_eq!(write_compact(&document), "{a}");
    assert_eq!(write_compact(&query(vec![empty])), "query");
}

#[test]
fn no_text_finds_a_way_out_of_its_quotes() {
    let asked = |text: &str| {
        let mut asked = Asked {
            name: "a".into(),
            ..Asked::default()
        };
        asked.arguments = vec![("b".into(), Literal::Text(text.into()))];
        write_compact(&query(vec![Pick::Field(asked)]))
    };
    assert_eq!(asked("\") { evil"), r#"{a(b:"\") { evil")}"#);
    assert_eq!(asked("\\"), r#"{a(b:"\\")}"#);
    assert_eq!(
        asked("\u{0}\u{8}\n\r\t\u{1f}\u{7f}\u{85}"),
        r#"{a(b:"\u0000\u0008\n\r\t\u001F\u007F\u0085")}"#
    );
    assert_eq!(asked("é😀"), "{a(b:\"é😀\")}");
}
