//! A GraphQL operation: read, and what was read is written and read again.

use fossick_query::{read, write, write_compact};

pub fn graphql_query(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    match read(text, None) {
        Ok(document) => {
            for written in [write(&document), write_compact(&document)] {
                let again = read(&written, None);
                assert_eq!(again.as_ref(), Ok(&document), "{written}");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
