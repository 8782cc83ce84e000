//! The phrasings that are understood, one line each: to understand another, add a line.
//!
//! A line has words, what they mean, an example and the rules that come of it; the example is its
//! test. Of the words, `|` stands between alternatives, `#` for a number, `~` for what joins two
//! numbers of a range, and `*` for whatever the meaning itself reads on. Small words before a number
//! (`of`, `is`, `the`) need not be said, and "not" before a comparison is understood everywhere.
//! Longer phrasings stand before the shorter ones that they begin with.

use super::Case::{self, Lower, Upper};
use super::Moment;

pub(super) struct Phrasing {
    pub(super) words: &'static str,
    pub(super) means: Means,
    /// An example, and the rules in it: tests as much as documentation.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(super) like: (&'static str, &'static str),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Means {
    Least,
    Most,
    /// More than, and less than: a "not" before them turns them round.
    Above,
    Below,
    /// Both ends.
    Range,
    /// Both ends, where it says of what.
    CountedRange,
    /// So many characters or items and no other number.
    Exactly,
    Multiple,
    Positive,
    Negative,
    NotNegative,
    /// A list of values follows.
    Members,
    /// A list of quoted values follows.
    Quoted,
    /// A regular expression follows.
    Pattern,
    Letters(&'static str),
    /// The name of a format follows.
    NamedFormat,
    Format(&'static str),
    Case(Case),
    Moment(Moment),
}

const fn row(
    words: &'static str,
    means: Means,
    example: &'static str,
    rules: &'static str,
) -> Phrasing {
    Phrasing {
        words,
        means,
        like: (example, rules),
    }
}

use Means::{
    Above, Below, CountedRange, Exactly, Format, Least, Letters, Members, Most, Multiple,
    NamedFormat, Negative, NotNegative, Pattern, Positive, Quoted, Range,
};

#[rustfmt::skip]
pub(super) const PHRASINGS: &[Phrasing] = &[
    // Ranges.
    row("between # ~ #", Range, "between 3 and 20", "at least 3; at most 20"),
    row("from # ~ #", Range, "from 1 up to 12", "at least 1; at most 12"),
    row("range|ranges|ranging # ~ #", Range, "in the range [1, 5]", "at least 1; at most 5"),
    row("range|ranges|ranging from|between # ~ #", Range, "ranging from 1 to 5", "at least 1; at most 5"),
    row("# <= * <= #", Range, "0 <= size <= 9", "at least 0; at most 9"),
    row("# ~ #", CountedRange, "be 2 to 8 capital letters", "at least 2 long; at most 8 long; matches ^[A-Z]+$"),
    row("# ~ #", CountedRange, "3-20 characters", "at least 3 long; at most 20 long"),
    // Lower bounds.
    row("greater|larger|bigger|higher|more than or equal to|than #", Least, "greater than or equal to 3", "at least 3"),
    row("greater|larger|more or equal to|than #", Least, "greater or equal to 3", "at least 3"),
    row("longer than or equal to #", Least, "longer than or equal to 3 characters", "at least 3 long"),
    row("equal to or greater|larger|more than #", Least, "equal to or greater than 3", "at least 3"),
    row("at least #", Least, "at least 2 characters", "at least 2 long"),
    row("minimum|min #", Least, "minimum length 3", "at least 3 long"),
    row("starting|starts|counted from|at|with #", Least, "Page number, starting from 1", "at least 1"),
    row(">=|≥ #", Least, "must be >= 1", "at least 1"),
    row("# or more|greater|higher|above|larger", Least, "8 characters or more", "at least 8 long"),
    row("# and above|up|over", Least, "18 and above", "at least 18"),
    row("# minimum|min", Least, "3 characters minimum", "at least 3 long"),
    // Upper bounds.
    row("less|lower|smaller|fewer than or equal to|than #", Most, "less than or equal to 5", "at most 5"),
    row("less|lower|smaller or equal to|than #", Most, "less or equal to 5", "at most 5"),
    row("shorter than or equal to #", Most, "shorter than or equal to 80 characters", "at most 80 long"),
    row("equal to or less|lower|smaller than #", Most, "equal to or less than 5", "at most 5"),
    row("at most #", Most, "at most 5 items", "at most 5 items"),
    row("up to #", Most, "up to 12", "at most 12"),
    row("maximum|max #", Most, "max. 10", "at most 10"),
    row("limited to #", Most, "limited to 80 characters", "at most 80 long"),
    row("capped at #", Most, "Page size, capped at 50", "at most 50"),
    row("<=|≤ #", Most, "<= 100", "at most 100"),
    row("# or less|fewer|lower|below|smaller", Most, "10 or fewer", "at most 10"),
    row("# maximum|max", Most, "80 chars max", "at most 80 long"),
    // Comparisons.
    row("greater|larger|bigger|higher|more than #", Above, "greater than 0", "more than 0"),
    row("longer than #", Above, "longer than 3 characters", "more than 3 long"),
    row("above #", Above, "above 5", "more than 5"),
    row("exceed|exceeds|exceeding #", Above, "must not exceed 100", "at most 100"),
    row("> #", Above, "> 0", "more than 0"),
    row("less|smaller|lower|fewer than #", Below, "less than 10", "less than 10"),
    row("shorter than #", Below, "shorter than 80 characters", "less than 80 long"),
    row("below #", Below, "below 5", "less than 5"),
    row("< #", Below, "< 10", "less than 10"),
    // Numbers in other ways.
    row("exactly #", Exactly, "exactly 8 digits", "at least 8 long; at most 8 long; matches ^[0-9]+$"),
    row("be|have #", Exactly, "must be 8 characters long", "at least 8 long; at most 8 long"),
    row("multiple|multiples of #", Multiple, "must be a multiple of 5", "multiple of 5"),
    row("divisible by #", Multiple, "divisible by 3", "multiple of 3"),
    row("steps|increments of #", Multiple, "in steps of 0.5", "multiple of 0.5"),
    row("non-negative|nonnegative", NotNegative, "a non-negative integer", "at least 0"),
    row("non negative", NotNegative, "a non negative number", "at least 0"),
    row("positive", Positive, "must be positive", "more than 0"),
    row("negative", Negative, "can't be negative", "at least 0"),
    // Lists of values.
    row("one of *", Members, "one of a, b or c", r#"one of "a", "b", "c""#),
    row("allowed|valid|possible|permitted|accepted|supported|available|legal values|options|choices|value *", Members, "Allowed values: asc, desc.", r#"one of "asc", "desc""#),
    row("allowed|valid|possible|permitted|accepted|supported|available are|is *", Members, "allowed are 'a' and 'b'", r#"one of "a", "b""#),
    row("allowed|permitted|accepted|choices|options|enum|values *", Quoted, "Enum: [\"x\", \"y\"]", r#"one of "x", "y""#),
    row("choose|chosen from *", Members, "choose from [small, large]", r#"one of "small", "large""#),
    row("either *", Members, "either asc or desc", r#"one of "asc", "desc""#),
    row("expected|be *", Quoted, "must be 'x', 'y' or 'z'", r#"one of "x", "y", "z""#),
    // Texts.
    row("pattern|regex|regexp|expression|match|matches|matching *", Pattern, "must match the pattern ^[a-z]+$", "matches ^[a-z]+$"),
    row("be|in|only|all|use|is lowercase|lower-case", Means::Case(Lower), "must be lowercase", "lower case"),
    row("be|in|only|all|use|is lower case", Means::Case(Lower), "must be lower case", "lower case"),
    row("lowercase|lower-case only", Means::Case(Lower), "Lowercase only", "lower case"),
    row("be|in|only|all|use|is uppercase|upper-case", Means::Case(Upper), "in uppercase", "upper case"),
    row("be|in|only|all|use|is upper case", Means::Case(Upper), "must be in upper case", "upper case"),
    row("be|is|only|contain alphanumeric", Letters("^[A-Za-z0-9]+$"), "must be alphanumeric", "matches ^[A-Za-z0-9]+$"),
    row("only letters and|or digits|numbers", Letters("^[A-Za-z0-9]+$"), "only letters and digits", "matches ^[A-Za-z0-9]+$"),
    row("only contain letters and|or digits|numbers", Letters("^[A-Za-z0-9]+$"), "may only contain letters and numbers", "matches ^[A-Za-z0-9]+$"),
    row("only digits", Letters("^[0-9]+$"), "only digits", "matches ^[0-9]+$"),
    row("only contain digits", Letters("^[0-9]+$"), "may only contain digits", "matches ^[0-9]+$"),
    row("digits only", Letters("^[0-9]+$"), "digits only", "matches ^[0-9]+$"),
    row("only letters", Letters("^[A-Za-z]+$"), "only letters", "matches ^[A-Za-z]+$"),
    row("only contain letters", Letters("^[A-Za-z]+$"), "may only contain letters", "matches ^[A-Za-z]+$"),
    // Formats.
    row("valid|invalid uuid|guid", Format("uuid"), "must be a valid GUID", "format uuid"),
    row("be|not a uuid|guid", Format("uuid"), "must be a UUID", "format uuid"),
    row("uuid|guid format|string", Format("uuid"), "in UUID format", "format uuid"),
    row("valid|invalid email|e-mail|mail", Format("email"), "must be a valid email address", "format email"),
    row("be an email|e-mail", Format("email"), "must be an email", "format email"),
    row("format *", NamedFormat, "must match format \"email\"", "format email"),
    row("valid|invalid url|uri|link", Format("uri"), "Enter a valid URL.", "format uri"),
    row("be a url|uri", Format("uri"), "must be a URL address", "format uri"),
    row("be an|a absolute url|uri", Format("uri"), "must be an absolute URL", "format uri"),
    row("valid|invalid date-time|datetime|timestamp", Format("date-time"), "invalid datetime", "format date-time"),
    row("iso|iso-8601|iso8601 8601 date", Format("date"), "an ISO 8601 date", "format date"),
    row("iso 8601", Format("date-time"), "in ISO 8601 format", "format date-time"),
    row("iso8601|iso-8601", Format("date-time"), "as ISO8601", "format date-time"),
    row("rfc 3339", Format("date-time"), "as RFC 3339", "format date-time"),
    row("rfc3339|rfc-3339", Format("date-time"), "RFC3339", "format date-time"),
    row("valid|invalid date", Format("date"), "must be a valid date", "format date"),
    row("valid|invalid time", Format("time"), "not a valid time", "format time"),
    row("valid|invalid ipv4", Format("ipv4"), "a valid IPv4 address", "format ipv4"),
    row("valid|invalid ip", Format("ipv4"), "must be a valid IP address", "format ipv4"),
    row("valid|invalid ipv6", Format("ipv6"), "a valid IPv6 address", "format ipv6"),
    row("valid|invalid hostname|host", Format("hostname"), "must be a valid hostname", "format hostname"),
    row("valid|invalid base64", Format("byte"), "not valid base64", "format byte"),
    row("base64 encoded|string", Format("byte"), "base64 encoded", "format byte"),
    row("base64-encoded", Format("byte"), "must be base64-encoded", "format byte"),
    // Moments.
    row("in the future", Means::Moment(Moment::Future), "must be in the future", "in the future"),
    row("future date|time|datetime", Means::Moment(Moment::Future), "must be a future date", "in the future"),
    row("in the past", Means::Moment(Moment::Past), "must be in the past", "in the past"),
    row("past date|time|datetime", Means::Moment(Moment::Past), "must be a past date", "in the past"),
];
