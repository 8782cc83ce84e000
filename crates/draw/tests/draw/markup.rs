//! A strict reader of the markup that is written here: every tag known and closed, every attribute
//! in quotes, no stray sign in a text. Browsers forgive; a test should not.

/// Elements that are never closed.
const VOID: [&str; 2] = ["meta", "input"];
/// Elements whose content is no markup.
const RAW: [&str; 2] = ["style", "script"];

const KNOWN: [&str; 39] = [
    "svg", "g", "path", "rect", "text", "title", "style", "html", "head", "body", "meta", "header",
    "main", "aside", "h1", "p", "div", "span", "label", "input", "output", "button", "fieldset",
    "legend", "kbd", "script", "desc", "ul", "ol", "li", "b", "i", "a", "table", "tr", "td", "h2",
    "h3", "font",
];

/// Reads a document; gives the names of its elements in order, or what is wrong.
pub(crate) fn elements(text: &str) -> Result<Vec<String>, String> {
    let mut rest = text.strip_prefix("<!doctype html>").unwrap_or(text);
    let mut open: Vec<String> = Vec::new();
    let mut names = Vec::new();
    while let Some(at) = rest.find('<') {
        plain(&rest[..at])?;
        let (tag, after) = tag(&rest[at + 1..])?;
        rest = after;
        match tag {
            Tag::Close(name) => {
                let last = open.pop();
                if last.as_deref() != Some(&name) {
                    return Err(format!("</{name}> closes {last:?}"));
                }
            }
            Tag::Empty(name) => names.push(known(name)?),
            Tag::Open(name) => {
                let name = known(name)?;
                if RAW.contains(&name.as_str()) {
                    let end = format!("</{name}>");
                    let at = rest.find(&end).ok_or("raw text without an end")?;
                    rest = &rest[at + end.len()..];
                } else if !VOID.contains(&name.as_str()) {
                    open.push(name.clone());
                }
                names.push(name);
            }
        }
    }
    plain(rest)?;
    if open.is_empty() {
        Ok(names)
    } else {
        Err(format!("never closed: {open:?}"))
    }
}

enum Tag {
    Open(String),
    Close(String),
    Empty(String),
}

fn known(name: String) -> Result<String, String> {
    if KNOWN.contains(&name.as_str()) {
        Ok(name)
    } else {
        Err(format!("nobody writes <{name}>"))
    }
}

fn tag(text: &str) -> Result<(Tag, &str), String> {
    let end = text
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '/')
        .ok_or("a tag without an end")?;
    let (name, mut rest) = text.split_at(end);
    if let Some(name) = name.strip_prefix('/') {
        let rest = rest.strip_prefix('>').ok_or("a closing tag with more")?;
        return Ok((Tag::Close(name.to_owned()), rest));
    }
    let name = name.trim_end_matches('/').to_owned();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("/>") {
            return Ok((Tag::Empty(name), after));
        }
        if let Some(after) = rest.strip_prefix('>') {
            return Ok((Tag::Open(name), after));
        }
        rest = attribute(rest)?;
    }
}

fn attribute(text: &str) -> Result<&str, String> {
    let end = text
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .ok_or("an attribute without an end")?;
    let (name, rest) = text.split_at(end);
    if name.is_empty() || name.starts_with("on") || name == "href" || name == "src" {
        return Err(format!("an attribute `{name}` at {rest:.40}"));
    }
    let Some(rest) = rest.strip_prefix("=\"") else {
        return Ok(rest);
    };
    let end = rest.find('"').ok_or("a value without an end")?;
    plain(&rest[..end]).map(|()| &rest[end + 1..])
}

/// Text without signs that mean something.
fn plain(text: &str) -> Result<(), String> {
    let entities = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
    if text.contains(['<', '>']) {
        return Err(format!("a sign in a text: {text:.60}"));
    }
    if text.chars().any(|c| c.is_control() && c != '\n') {
        return Err("a control character".to_owned());
    }
    for (at, _) in text.match_indices('&') {
        if !entities.iter().any(|entity| text[at..].starts_with(entity)) {
            return Err(format!("no entity: {:.20}", &text[at..]));
        }
    }
    Ok(())
}

/// Whether DOT is what we write: outside of quotes and labels nothing but names of our own.
pub(crate) fn dot_skeleton(text: &str) -> Result<String, String> {
    let mut skeleton = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                quoted(&mut chars)?;
                skeleton.push('"');
            }
            '<' => skeleton.push_str(&label(&mut chars)?),
            _ => skeleton.push(c),
        }
    }
    let ours = |c: char| c.is_ascii_alphanumeric() || " \n[]{}=,;:->.\"".contains(c);
    match skeleton.chars().find(|c| !ours(*c)) {
        Some(stray) => Err(format!("`{stray}` outside of quotes")),
        None => Ok(skeleton),
    }
}

fn quoted(chars: &mut impl Iterator<Item = char>) -> Result<(), String> {
    while let Some(c) = chars.next() {
        match c {
            '"' => return Ok(()),
            '\n' => return Err("a line break in a string".to_owned()),
            '\\' => {
                chars.next();
            }
            _ => {}
        }
    }
    Err("a string without an end".to_owned())
}

/// A label in Graphviz's own markup, held against the same rules.
fn label(chars: &mut impl Iterator<Item = char>) -> Result<String, String> {
    let (mut depth, mut inner) = (1, String::new());
    for c in chars {
        depth += i32::from(c == '<') - i32::from(c == '>');
        if depth == 0 {
            return elements(&inner).map(|_| String::new());
        }
        inner.push(c);
    }
    Err("a label without an end".to_owned())
}

mod tests {
    use super::*;

    #[test]
    fn the_reader_sees_what_breaks_out() {
        assert_eq!(
            elements("<g><path d=\"M0 0\"/></g>").map(|e| e.len()),
            Ok(2)
        );
        for bad in [
            "<g>",
            "<g></text>",
            "<img>",
            "<g onload=\"x\"></g>",
            "<text>a & b</text>",
            "<text>a > b</text>",
            "<g id=\"a\"b\"></g>",
        ] {
            assert!(elements(bad).is_err(), "{bad}");
        }
        assert!(dot_skeleton("digraph \"a\" { o0 [label=\"x\\\"\"]; }").is_ok());
        for bad in [
            "digraph \"a\"; evil!",
            "a \"b\nc\"",
            "a \"b",
            "s [label=<<b>x>]",
        ] {
            assert!(dot_skeleton(bad).is_err(), "{bad}");
        }
    }
}
