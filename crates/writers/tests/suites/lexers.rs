//! Just enough of four languages to tell code from strings and comments.
//!
//! Each gives what is left of a file without them, or nothing where it can't be read.

use std::iter::Peekable;
use std::str::Chars;

type Reader<'a> = Peekable<Chars<'a>>;

/// To the sign that ends it; a backslash takes the next sign along.
fn string(reader: &mut Reader<'_>, end: char) -> Option<String> {
    let mut inside = String::new();
    loop {
        match reader.next()? {
            c if c == end => return Some(inside),
            '\\' => {
                inside.push('\\');
                inside.push(reader.next()?);
            }
            c => inside.push(c),
        }
    }
}

fn rest_of_line(reader: &mut Reader<'_>) -> String {
    let mut line = String::new();
    while let Some(c) = reader.next_if(|c| *c != '\n' && *c != '\r') {
        line.push(c);
    }
    line
}

pub(crate) fn outside_of_shell(text: &str) -> Option<String> {
    let mut reader = text.chars().peekable();
    let mut code = String::new();
    shell(&mut reader, &mut code, None)?;
    reader.next().is_none().then_some(code)
}

/// Commands up to `end`.
fn shell(reader: &mut Reader<'_>, code: &mut String, end: Option<char>) -> Option<()> {
    loop {
        let Some(c) = reader.next() else {
            return end.is_none().then_some(());
        };
        match c {
            c if Some(c) == end => return Some(()),
            '\'' => while reader.next()? != '\'' {},
            '"' => double_quoted(reader, code)?,
            '\\' => code.push(reader.next()?),
            '#' if code.ends_with([' ', '\n', '\t', ';']) || code.is_empty() => {
                rest_of_line(reader);
            }
            '$' => dollar(reader, code)?,
            '(' => {
                code.push('(');
                shell(reader, code, Some(')'))?;
            }
            c => code.push(c),
        }
    }
}

fn double_quoted(reader: &mut Reader<'_>, code: &mut String) -> Option<()> {
    loop {
        match reader.next()? {
            '"' => return Some(()),
            '`' => return None,
            '\\' => {
                reader.next()?;
            }
            '$' => dollar(reader, code)?,
            _ => {}
        }
    }
}

fn dollar(reader: &mut Reader<'_>, code: &mut String) -> Option<()> {
    match reader.peek() {
        Some('(') => {
            reader.next();
            shell(reader, code, Some(')'))
        }
        Some('{') => {
            reader.next();
            shell(reader, code, Some('}'))
        }
        _ => {
            while let Some(c) = reader.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                code.push(c);
            }
            Some(())
        }
    }
}

pub(crate) fn outside_of_rust(text: &str) -> Option<String> {
    let mut reader = text.chars().peekable();
    let mut code = String::new();
    while let Some(c) = reader.next() {
        match (c, reader.peek()) {
            ('/', Some('/')) => {
                rest_of_line(&mut reader);
            }
            ('/', Some('*')) => return None,
            ('r', Some('#')) if !code.ends_with(char::is_alphanumeric) => {
                let raw: String = reader.by_ref().take_while(|c| *c != '"').collect();
                let mut inside = String::new();
                while !inside.ends_with("\"#") {
                    inside.push(reader.next()?);
                }
                code.push_str(&raw);
            }
            ('"', _) => {
                string(&mut reader, '"')?;
                code.push_str("\"\"");
            }
            ('\'', _) => {
                // A character or a lifetime; neither holds text.
                code.push('\'');
                if reader.next_if_eq(&'\\').is_some() {
                    reader.next()?;
                }
            }
            (c, _) => code.push(c),
        }
    }
    Some(code)
}

pub(crate) fn outside_of_php(text: &str) -> Option<String> {
    let mut reader = text.strip_prefix("<?php")?.chars().peekable();
    let mut code = String::new();
    while let Some(c) = reader.next() {
        match (c, reader.peek()) {
            ('?', Some('>')) | ('#', _) => return None,
            ('/', Some('/')) => {
                if rest_of_line(&mut reader).contains("?>") {
                    return None;
                }
            }
            ('/', Some('*')) => {
                reader.next();
                let mut inside = String::new();
                while !inside.ends_with("*/") {
                    inside.push(reader.next()?);
                }
            }
            ('\'', _) => {
                string(&mut reader, '\'')?;
            }
            ('"', _) => code.push_str(&variables(&string(&mut reader, '"')?)),
            (c, _) => code.push(c),
        }
    }
    Some(code)
}

/// What a string with double quotes puts in: from an open `$` on, all is code.
fn variables(inside: &str) -> String {
    let shut = inside.replace("\\\\", "").replace("\\$", "");
    shut.find('$')
        .map_or(String::new(), |at| shut[at..].to_owned())
}

/// A line is a comment, a value behind a name, a body, or code.
pub(crate) fn outside_of_hurl(text: &str) -> Option<String> {
    let mut code = String::new();
    for line in text.split('\n') {
        if line.contains(|c: char| c.is_control() || c == '\u{2028}' || c == '\u{85}') {
            return None;
        }
        if line.starts_with('#') {
            continue;
        }
        code.push_str(&hurl_line(line)?);
        code.push('\n');
    }
    Some(code)
}

fn hurl_line(line: &str) -> Option<String> {
    let is_query = ["jsonpath ", "header ", "body ", "status ", "bytes "];
    let is_capture = line
        .split_once(": ")
        .is_some_and(|(_, query)| is_query.iter().any(|start| query.starts_with(start)));
    if is_capture || is_query.iter().any(|start| line.starts_with(start)) {
        return outside_of_quotes(line);
    }
    let is_body = line.starts_with(['{', '}', '[', ']', ' ', '`', '"']);
    if is_body && !line.starts_with("[Captures]") && !line.starts_with("[Asserts]") {
        return outside_of_quotes(line).map(|code| code + &templates(line));
    }
    match line.split_once(' ') {
        // An address or the value of a header: to the end of the line, or to a comment.
        Some((head, value)) if !value.replace("\\#", "").contains('#') => {
            Some(format!("{head} {}", templates(value)))
        }
        Some(_) => None,
        None => Some(line.to_owned()),
    }
}

fn outside_of_quotes(line: &str) -> Option<String> {
    let mut reader = line.chars().peekable();
    let mut code = String::new();
    while let Some(c) = reader.next() {
        match c {
            '"' | '`' => code.push_str(&templates(&string(&mut reader, c)?)),
            '/' => {
                string(&mut reader, '/')?;
            }
            '#' => return Some(code),
            c => code.push(c),
        }
    }
    Some(code)
}

/// What is between double braces.
fn templates(text: &str) -> String {
    let mut parts = text.split("{{").skip(1);
    parts
        .by_ref()
        .map(|part| part.split("}}").next().unwrap_or(part))
        .collect()
}
