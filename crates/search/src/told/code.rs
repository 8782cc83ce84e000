//! Code that a refusal shows: "define a function like `def evaluate(output):`".
//!
//! What is quoted is mostly the head of a function alone; a body is added, so that it can be read.

/// A function that a sentence shows an example of.
pub(crate) fn shown(text: &str) -> Option<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let mut heads = quoted.filter(|part| part.contains('(') && part.len() < 200);
    heads.find_map(complete)
}

fn complete(head: &str) -> Option<String> {
    let head = head.trim();
    let begins = |words: &[&str]| words.iter().any(|word| head.starts_with(word));
    match () {
        () if begins(&["def ", "async def "]) && head.ends_with(':') => {
            Some(format!("{head}\n    return None"))
        }
        () if begins(&["function ", "async function ", "func ", "fn "]) => {
            let open = head.trim_end_matches(['{', '}', '.', '…', ' ']);
            Some(format!("{open} {{ }}"))
        }
        () => None,
    }
}

/// Whether a field of this name holds code.
pub(crate) fn is_code(name: &str) -> bool {
    let bare = name.replace(['_', '-'], "").to_lowercase();
    let ends = ["sourcecode", "script", "snippet", "program", "function"];
    bare == "code" || bare == "source" || ends.iter().any(|end| bare.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_function_gets_a_body() {
        let said = "no top-level `evaluate(...)` function was found. Define a function like \
                    `def evaluate(output, input=None):`.";
        let expected = "def evaluate(output, input=None):\n    return None";
        assert_eq!(shown(said).as_deref(), Some(expected));
        assert_eq!(
            shown("write `function run(input) {...}`").as_deref(),
            Some("function run(input) { }")
        );
        assert_eq!(shown("the `name` (of all) is `def`"), None);
    }

    #[test]
    fn code_is_told_by_the_name_of_its_field() {
        assert!(is_code("sourceCode") && is_code("init_script") && is_code("code"));
        assert!(!is_code("countryCode") && !is_code("dataSource"));
    }
}
