//! What is written reads back the same, and an independent reader agrees with ours.

mod documents;

use apollo_compiler::ast;
use documents::{document, smudged};
use fossick_query::{NotReadable, read, write, write_compact};
use proptest::prelude::*;

/// Apollo's tree of a text; none where it is not GraphQL or not an operation. It gets spaces for
/// commas, which mean the same, since it stumbles over a comma between an alias and its colon.
fn judged(text: &str) -> Option<ast::Document> {
    let parsed = ast::Document::parser()
        .recursion_limit(400)
        .parse_ast(text.replace(',', " "), "text.graphql")
        .ok()?;
    let executable = parsed
        .definitions
        .iter()
        .all(ast::Definition::is_executable_definition);
    (executable && !parsed.definitions.is_empty()).then_some(parsed)
}

/// They let a line end inside quotes and an argument go without its value; the specification
/// allows neither.
fn is_their_leniency(message: &str) -> bool {
    message.contains("does not end") || message.starts_with("expected `:`")
}

fn settings() -> ProptestConfig {
    ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(settings())]

    #[test]
    fn what_is_written_reads_back_the_same(document in document()) {
        let text = write(&document);
        prop_assert_eq!(read(&text, None), Ok(document.clone()), "{}", text);
        let line = write_compact(&document);
        prop_assert!(!line.contains('\n'), "{}", line);
        prop_assert_eq!(read(&line, None), Ok(document), "{}", line);
    }

    #[test]
    fn an_independent_reader_finds_the_same_in_both_layouts(document in document()) {
        let wide = judged(&write(&document));
        prop_assert!(wide.is_some(), "{}", write(&document));
        prop_assert_eq!(wide, judged(&write_compact(&document)));
    }

    #[test]
    fn a_smudged_text_is_taken_or_refused_as_the_independent_reader_does(text in smudged()) {
        let ours = read(&text, None);
        let theirs = judged(&text);
        match &ours {
            Ok(document) => {
                let Some(theirs) = theirs else {
                    return Err(TestCaseError::fail(format!("only we take {text:?}")));
                };
                let again = write(document);
                prop_assert_eq!(&read(&again, None), &ours, "{}", again);
                if theirs.definitions.len() == 1 && !text.contains('@') {
                    prop_assert_eq!(Some(theirs), judged(&again), "{}", text);
                }
            }
            Err(NotReadable::Syntax { message, .. }) if !is_their_leniency(message) => {
                prop_assert!(theirs.is_none(), "only they take {:?}: {:?}", text, ours);
            }
            Err(_) => {}
        }
    }
}
