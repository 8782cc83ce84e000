//! Eleven functions of texts with branches that only few inputs reach.
//!
//! Each keeps the decisions that it is known for: where tests follow one another and the last that
//! holds decides, all of them are made. Texts are compared and counted by their characters.

use std::f64::consts::{E, PI};
use std::sync::LazyLock;

use regex::Regex;

pub fn calc(op: &str, arg1: f64, arg2: f64) -> f64 {
    let op = op.to_lowercase();
    if op == "pi" {
        return PI;
    }
    if op == "e" {
        return E;
    }
    if op == "sqrt" {
        return arg1.sqrt();
    }
    if op == "log" {
        return arg1.ln();
    }
    if op == "sine" {
        return arg1.sin();
    }
    if op == "cosine" {
        return arg1.cos();
    }
    if op == "tangent" {
        return arg1.tan();
    }
    if op == "plus" {
        return arg1 + arg2;
    }
    if op == "subtract" {
        return arg1 - arg2;
    }
    if op == "multiply" {
        return arg1 * arg2;
    }
    if op == "divide" {
        return arg1 / arg2;
    }
    0.0
}

pub fn cookie(name: &str, val: &str, site: &str) -> &'static str {
    let (name, val, site) = (name.to_lowercase(), val.to_lowercase(), site.to_lowercase());
    if name == "userid" {
        if val.chars().count() > 6 && val.starts_with("user") {
            return "1";
        }
    } else if name == "session" {
        if val == "am" && site == "abc.com" {
            return "1";
        }
        return "2";
    }
    "0"
}

pub fn costfuns(i: i32, s: &str) -> String {
    let mut result = 0;
    if i == 5 {
        result = 1;
    }
    if i < -444 {
        result = 2;
    }
    if i <= -333 {
        result = 3;
    }
    if i > 666 {
        result = 4;
    }
    if i >= 555 {
        result = 5;
    }
    if i != -4 {
        result = 6;
    }
    if s == "baab" {
        result = 7;
    }
    if s > "ababba" {
        result = 8;
    }
    if s >= "ababba" {
        result = 9;
    }
    if s != "abab" {
        result = 10;
    }
    result.to_string()
}

/// 1 for the name of a day and the number of a month, added up.
pub fn date_parse(dayname: &str, monthname: &str) -> String {
    let mut result = 0;
    let (day, month) = (dayname.to_lowercase(), monthname.to_lowercase());
    if day == "mon"
        || day == "tue"
        || day == "wed"
        || day == "thur"
        || day == "fri"
        || day == "sat"
        || day == "sun"
    {
        result = 1;
    }
    if month == "jan" {
        result += 1;
    }
    if month == "feb" {
        result += 2;
    }
    if month == "mar" {
        result += 3;
    }
    if month == "apr" {
        result += 4;
    }
    if month == "may" {
        result += 5;
    }
    if month == "jun" {
        result += 6;
    }
    if month == "jul" {
        result += 7;
    }
    if month == "aug" {
        result += 8;
    }
    if month == "sep" {
        result += 9;
    }
    if month == "oct" {
        result += 10;
    }
    if month == "nov" {
        result += 11;
    }
    if month == "dec" {
        result += 12;
    }
    result.to_string()
}

/// A number where the name of a file ends as those in its directory do.
pub fn file_suffix(directory: &str, file: &str) -> &'static str {
    let mut result = "0";
    if let Some((_, suffix)) = file.rsplit_once('.') {
        if directory == "text" {
            if suffix == "txt" {
                result = "1";
            }
        }
        if directory == "acrobat" {
            if suffix == "pdf" {
                result = "2";
            }
        }
        if directory == "word" {
            if suffix == "doc" {
                result = "3";
            }
        }
        if directory == "bin" {
            if suffix == "exe" {
                result = "4";
            }
        }
        if directory == "lib" {
            if suffix == "dll" {
                result = "5";
            }
        }
    }
    result
}

pub fn noty_pevar(i: i32, s: &str) -> String {
    let mut result = 0;
    if i64::from(i) + i64::from(i) == 56 {
        result = i;
    }
    if format!("hello{i}") == "hello7" {
        result = 1;
    }
    if s > "hello" {
        result = 2;
    }
    if i > 5 {
        result = 3;
    }
    result.to_string()
}

/// Note the order in which they are told: the last two change places.
pub fn ordered4(w: &str, x: &str, z: &str, y: &str) -> &'static str {
    let length = |text: &str| text.chars().count();
    if length(w) >= 5
        && length(w) <= 6
        && length(x) >= 5
        && length(x) <= 6
        && length(y) >= 5
        && length(y) <= 6
        && length(z) >= 5
        && length(z) <= 6
    {
        if z > y && y > x && x > w {
            return "increasing";
        }
        if w > x && x > y && y > z {
            return "decreasing";
        }
    }
    "unordered"
}

/// Where a text and its reverse both stand in another, and which of them if only one does.
pub fn pat(txt: &str, pat: &str) -> String {
    let txt: Vec<char> = txt.chars().collect();
    let pat: Vec<char> = pat.chars().collect();
    if pat.len() <= 2 {
        return "0".to_owned();
    }
    let mut result = 0;
    let rev: Vec<char> = pat.iter().rev().copied().collect();
    let mut start = 0;
    while start + pat.len() <= txt.len() {
        let after = start + pat.len();
        if txt[start] == pat[0] && txt[start..after] == pat[..] {
            result = 1;
            if let Some(found) = find(&txt, &rev, after) {
                return ending(start, after, found);
            }
        } else if txt[start] == rev[0] && rev[0] != pat[0] {
            // What both begin with cannot tell them apart: only the forward one is looked for.
            if txt[start..after] == rev[..] {
                result = 2;
                if let Some(found) = find(&txt, &pat, after) {
                    return ending(start, after, found);
                }
            }
        }
        start += 1;
    }
    result.to_string()
}

/// The place of the first, whether or not the second makes a palindrome of it.
fn ending(start: usize, after: usize, found: usize) -> String {
    if found == after {
        return start.to_string();
    }
    start.to_string()
}

/// The first place of a part from a start on.
fn find(txt: &[char], part: &[char], start: usize) -> Option<usize> {
    let mut place = start;
    while place + part.len() <= txt.len() {
        if txt[place] == part[0] && txt[place..place + part.len()] == *part {
            return Some(place);
        }
        place += 1;
    }
    None
}

static URL: LazyLock<Regex> =
    LazyLock::new(|| whole("(http|ftp|afs|gopher)//:[a-z_-][a-z0-9_-]*/[a-z_-][a-z0-9_-]*"));
static DATE: LazyLock<Regex> = LazyLock::new(|| {
    whole("(mon|tue|wed|thur|fri|sat|sun)[0-9]{2}(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)")
});
static FLOAT: LazyLock<Regex> = LazyLock::new(|| whole(r"[0-9]+\.[0-9]+e[+-][0-9]{2}"));

fn whole(pattern: &str) -> Regex {
    Regex::new(&format!("^(?:{pattern})$")).expect("the pattern is right")
}

pub fn regex(txt: &str) -> &'static str {
    if URL.is_match(txt) {
        return "url";
    }
    if DATE.is_match(txt) {
        return "date";
    }
    if FLOAT.is_match(txt) {
        return "fpe";
    }
    "none"
}

/// Words as they are shortened in messages.
pub fn text2txt(word1: &str, word2: &str, word3: &str) -> &'static str {
    let mut result = "";
    let (word1, word2, word3) = (
        word1.to_lowercase(),
        word2.to_lowercase(),
        word3.to_lowercase(),
    );
    if word1 == "two" {
        result = "2";
    }
    if word1 == "for" || word1 == "four" {
        result = "4";
    }
    if word1 == "you" {
        result = "u";
    }
    if word1 == "and" {
        result = "n";
    }
    if word1 == "are" {
        result = "r";
    } else if word1 == "see" && word2 == "you" {
        result = "cu";
    } else if word1 == "by" && word2 == "the" && word3 == "way" {
        result = "btw";
    }
    result
}

/// Whether a title goes with a sex: a code of the sex, or -1.
pub fn title(sex: &str, title: &str) -> &'static str {
    let (sex, title) = (sex.to_lowercase(), title.to_lowercase());
    let mut result = "-1";
    if sex == "male" {
        if title == "mr"
            || title == "dr"
            || title == "sir"
            || title == "rev"
            || title == "rthon"
            || title == "prof"
        {
            result = "1";
        }
    } else if sex == "female" {
        if title == "mrs"
            || title == "miss"
            || title == "ms"
            || title == "dr"
            || title == "lady"
            || title == "rev"
            || title == "rthon"
            || title == "prof"
        {
            result = "0";
        }
    } else if sex == "none" {
        if title == "dr" || title == "rev" || title == "rthon" || title == "prof" {
            result = "2";
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calculations() {
        let known = [
            ("PI", 0.0, 0.0, PI),
            ("e", 0.0, 0.0, E),
            ("sqrt", 9.0, 0.0, 3.0),
            ("log", 1.0, 0.0, 0.0),
            ("sine", 0.0, 0.0, 0.0),
            ("cosine", 0.0, 0.0, 1.0),
            ("tangent", 0.0, 0.0, 0.0),
            ("plus", 1.0, 2.0, 3.0),
            ("subtract", 1.0, 2.0, -1.0),
            ("multiply", 3.0, 2.0, 6.0),
            ("divide", 3.0, 2.0, 1.5),
            ("power", 3.0, 2.0, 0.0),
        ];
        for (op, arg1, arg2, expected) in known {
            assert_eq!(calc(op, arg1, arg2), expected, "{op}");
        }
        for (op, arg1) in [("sqrt", -1.0), ("log", -1.0), ("divide", 0.0)] {
            assert!(calc(op, arg1, 0.0).is_nan(), "{op}");
        }
    }

    #[test]
    fn cookies() {
        assert_eq!(cookie("UserId", "user123", ""), "1");
        assert_eq!(cookie("userid", "user12", ""), "0");
        assert_eq!(cookie("userid", "guest123", ""), "0");
        assert_eq!(cookie("session", "am", "abc.com"), "1");
        assert_eq!(cookie("session", "am", "abc.org"), "2");
        assert_eq!(cookie("other", "am", "abc.com"), "0");
    }

    #[test]
    fn cost_functions() {
        for i in [5, -445, -333, 667] {
            assert_eq!(costfuns(i, "abab"), "6", "{i}");
        }
        assert_eq!(costfuns(-4, "abab"), "0");
        assert_eq!(costfuns(-4, "baab"), "10");
        assert_eq!(costfuns(555, "ababba"), "10");
    }

    #[test]
    fn days_and_months() {
        assert_eq!(date_parse("mon", "x"), "1");
        assert_eq!(date_parse("thur", "DEC"), "13");
        assert_eq!(date_parse("thu", "jan"), "1");
        assert_eq!(date_parse("x", "y"), "0");
        let months = "jan feb mar apr may jun jul aug sep oct nov dec";
        for (place, month) in months.split(' ').enumerate() {
            assert_eq!(date_parse("", month), (place + 1).to_string());
        }
    }

    #[test]
    fn suffixes() {
        assert_eq!(file_suffix("text", "a.txt"), "1");
        assert_eq!(file_suffix("acrobat", "a.b.pdf"), "2");
        assert_eq!(file_suffix("word", "a.doc"), "3");
        assert_eq!(file_suffix("bin", "a.exe"), "4");
        assert_eq!(file_suffix("lib", "a.dll"), "5");
        assert_eq!(file_suffix("text", "txt"), "0");
        for directory in ["text", "acrobat", "word", "bin", "lib"] {
            assert_eq!(file_suffix(directory, "a.b"), "0");
        }
    }

    #[test]
    fn numbers_and_greetings() {
        assert_eq!(noty_pevar(6, ""), "3");
        assert_eq!(noty_pevar(28, "a"), "3");
        assert_eq!(noty_pevar(5, "help"), "2");
        assert_eq!(noty_pevar(5, "hello"), "0");
        assert_eq!(noty_pevar(7, "hello"), "3");
        assert_eq!(noty_pevar(-2_147_483_620, "a"), "0");
    }

    #[test]
    fn orders() {
        assert_eq!(ordered4("aaaaa", "bbbbbb", "ddddd", "ccccc"), "increasing");
        assert_eq!(ordered4("ddddd", "ccccc", "aaaaa", "bbbbb"), "decreasing");
        assert_eq!(ordered4("aaaaa", "bbbbb", "ccccc", "ddddd"), "unordered");
        assert_eq!(ordered4("aaaa", "bbbbb", "ddddd", "ccccc"), "unordered");
    }

    #[test]
    fn mirrors() {
        assert_eq!(pat("abccba", "abc"), "0");
        assert_eq!(pat("xabcxcbax", "abc"), "1");
        assert_eq!(pat("xxcbaabc", "abc"), "2");
        assert_eq!(pat("abc", "abc"), "1");
        assert_eq!(pat("cba", "abc"), "2");
        assert_eq!(pat("abcba", "abc"), "2");
        assert_eq!(pat("acba", "abca"), "0");
        assert_eq!(pat("xxxabccba", "abc"), "3");
    }

    #[test]
    fn mirrors_agree_with_their_rule() {
        for part in words(2..=4) {
            for text in words(0..=7) {
                assert_eq!(
                    pat(&text, &part),
                    expected_pat(&text, &part),
                    "{text} {part}"
                );
            }
        }
    }

    /// All words of two letters, of so many of them.
    fn words(lengths: std::ops::RangeInclusive<usize>) -> Vec<String> {
        let letters = |length, bits: usize| {
            let letter = |place| if bits >> place & 1 == 0 { 'a' } else { 'b' };
            (0..length).map(letter).collect()
        };
        lengths
            .flat_map(|length| (0..1 << length).map(move |bits| letters(length, bits)))
            .collect()
    }

    /// The rule in words of its own: hits from left to right, of which one may end the search.
    fn expected_pat(txt: &str, pat: &str) -> String {
        if pat.len() < 3 {
            return "0".to_owned();
        }
        let rev: String = pat.chars().rev().collect();
        let tells_apart = pat.chars().next() != rev.chars().next();
        let mut last = "0";
        for start in 0..txt.len() {
            let here = &txt[start..];
            let other = if here.starts_with(pat) {
                last = "1";
                &rev
            } else if tells_apart && here.starts_with(&rev) {
                last = "2";
                pat
            } else {
                continue;
            };
            if here[pat.len()..].contains(other) {
                return start.to_string();
            }
        }
        last.to_owned()
    }

    #[test]
    fn patterns() {
        assert_eq!(regex("mon00jan"), "date");
        assert_eq!(regex("thur31dec"), "date");
        assert_eq!(regex("1.5e+10"), "fpe");
        assert_eq!(regex("12.34e-05"), "fpe");
        assert_eq!(regex("1.5e10"), "none");
        assert_eq!(regex("http//:a/b"), "url");
        assert_eq!(regex("http://a/b"), "none");
        assert_eq!(regex("mon00jan\n"), "none");
    }

    #[test]
    fn shortened_words() {
        assert_eq!(text2txt("two", "", ""), "2");
        assert_eq!(text2txt("FOR", "", ""), "4");
        assert_eq!(text2txt("four", "", ""), "4");
        assert_eq!(text2txt("you", "", ""), "u");
        assert_eq!(text2txt("and", "", ""), "n");
        assert_eq!(text2txt("are", "", ""), "r");
        assert_eq!(text2txt("see", "you", ""), "cu");
        assert_eq!(text2txt("by", "the", "way"), "btw");
        assert_eq!(text2txt("by", "the", "by"), "");
    }

    #[test]
    fn titles() {
        assert_eq!(title("male", "Sir"), "1");
        assert_eq!(title("male", "lady"), "-1");
        assert_eq!(title("female", "rthon"), "0");
        assert_eq!(title("female", "mr"), "-1");
        assert_eq!(title("none", "prof"), "2");
        assert_eq!(title("none", "mr"), "-1");
        assert_eq!(title("other", "mr"), "-1");
    }
}
