//! Calls of the user's own code to what compares: what they are given.
//!
//! The call goes on to the function that was meant, so nothing is changed; what it is given is read
//! from where the calling convention has it. That convention is the compiler's own affair, so it is
//! [tried out](calibrate) before anything is believed of it.

use std::arch::global_asm;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::map::What;
use crate::patterns;
use crate::record::Record;
use crate::scalar::{apart, of_texts, Observed, Scalar};

/// What is done with the arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    Equal(Type, Type),
    /// The other way round.
    Differ(Type, Type),
    Order(Type, Type),
    Prefix(Piece),
    Suffix(Piece),
    Contains(Piece),
    Same,
    Empty(Type),
    Member(Type),
    Parse(Parsed),
    /// A text that is parsed by somebody else's code.
    Decode(&'static str),
    /// A pattern is made.
    Pattern,
    /// A text is matched against one.
    Match,
    Read(Place),
}

/// What a reference leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Type {
    Str,
    RefStr,
    String,
    RefString,
    OptionStr,
    OptionString,
    Bytes,
    ByteVec,
    Char,
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    Isize,
    Usize,
    F32,
    F64,
}

/// What a text is searched for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Piece {
    Str,
    String,
    Char,
}

/// What a text is parsed as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Parsed {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    Isize,
    Usize,
    F32,
    F64,
    Bool,
}

/// Where something is looked for by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    Header,
    Query,
    Key,
}

impl Place {
    fn number(self) -> u8 {
        match self {
            Self::Header => 0,
            Self::Query => 1,
            Self::Key => 4,
        }
    }
}

impl Type {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "str" => Self::Str,
            "&str" => Self::RefStr,
            "String" => Self::String,
            "&String" => Self::RefString,
            "Option<&str>" => Self::OptionStr,
            "Option<String>" => Self::OptionString,
            "[u8]" => Self::Bytes,
            "Vec<u8>" => Self::ByteVec,
            "char" => Self::Char,
            "bool" => Self::Bool,
            "i8" => Self::I8,
            "u8" => Self::U8,
            "i16" => Self::I16,
            "u16" => Self::U16,
            "i32" => Self::I32,
            "u32" => Self::U32,
            "i64" => Self::I64,
            "u64" => Self::U64,
            "isize" => Self::Isize,
            "usize" => Self::Usize,
            "f32" => Self::F32,
            "f64" => Self::F64,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::RefStr => size_of::<&str>(),
            Self::String => size_of::<String>(),
            Self::Char | Self::I32 | Self::U32 | Self::F32 => 4,
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            _ => 8,
        }
    }
}

impl Piece {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "&str" => Self::Str,
            "&String" => Self::String,
            "char" => Self::Char,
            _ => return None,
        })
    }
}

impl Parsed {
    const ALL: [(&'static str, Self); 13] = [
        ("i8", Self::I8),
        ("u8", Self::U8),
        ("i16", Self::I16),
        ("u16", Self::U16),
        ("i32", Self::I32),
        ("u32", Self::U32),
        ("i64", Self::I64),
        ("u64", Self::U64),
        ("isize", Self::Isize),
        ("usize", Self::Usize),
        ("f32", Self::F32),
        ("f64", Self::F64),
        ("bool", Self::Bool),
    ];

    fn of(name: &str) -> Option<Self> {
        let known = Self::ALL.iter().find(|(known, _)| *known == name);
        known.map(|(_, parsed)| *parsed)
    }

    fn kind(self) -> &'static str {
        match self {
            Self::F32 | Self::F64 => "real",
            Self::Bool => "boolean",
            _ => "integer",
        }
    }

    fn works(self, text: &str) -> bool {
        match self {
            Self::I8 => text.parse::<i8>().is_ok(),
            Self::U8 => text.parse::<u8>().is_ok(),
            Self::I16 => text.parse::<i16>().is_ok(),
            Self::U16 => text.parse::<u16>().is_ok(),
            Self::I32 => text.parse::<i32>().is_ok(),
            Self::U32 => text.parse::<u32>().is_ok(),
            Self::I64 => text.parse::<i64>().is_ok(),
            Self::U64 => text.parse::<u64>().is_ok(),
            Self::Isize => text.parse::<isize>().is_ok(),
            Self::Usize => text.parse::<usize>().is_ok(),
            Self::F32 => text.parse::<f32>().is_ok(),
            Self::F64 => text.parse::<f64>().is_ok(),
            Self::Bool => text.parse::<bool>().is_ok(),
        }
    }

    /// The register in which the text begins: the first may be where the result goes.
    fn begins(self) -> usize {
        match self {
            Self::I8 => where_text_begins::<Result<i8, std::num::ParseIntError>>(),
            Self::U8 => where_text_begins::<Result<u8, std::num::ParseIntError>>(),
            Self::I16 => where_text_begins::<Result<i16, std::num::ParseIntError>>(),
            Self::U16 => where_text_begins::<Result<u16, std::num::ParseIntError>>(),
            Self::I32 => where_text_begins::<Result<i32, std::num::ParseIntError>>(),
            Self::U32 => where_text_begins::<Result<u32, std::num::ParseIntError>>(),
            Self::I64 => where_text_begins::<Result<i64, std::num::ParseIntError>>(),
            Self::U64 => where_text_begins::<Result<u64, std::num::ParseIntError>>(),
            Self::Isize => where_text_begins::<Result<isize, std::num::ParseIntError>>(),
            Self::Usize => where_text_begins::<Result<usize, std::num::ParseIntError>>(),
            Self::F32 => where_text_begins::<Result<f32, std::num::ParseFloatError>>(),
            Self::F64 => where_text_begins::<Result<f64, std::num::ParseFloatError>>(),
            Self::Bool => where_text_begins::<Result<bool, std::str::ParseBoolError>>(),
        }
    }
}

/// What others parse, in the words of the protocol.
const KINDS: [&str; 8] = [
    "uuid", "date", "time", "moment", "json", "base64", "url", "address",
];

/// Whether a text looks like what it is parsed as. Whether it was is not known.
fn looks_like(kind: &str, text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    match kind {
        "uuid" => text.bytes().filter(u8::is_ascii_hexdigit).count() == 32,
        "date" => text.len() == 10 && digits == 8,
        "time" => text.contains(':') && digits >= 4,
        "moment" => text.len() >= 19 && digits >= 14,
        "json" => text.trim_start().starts_with(['{', '[']),
        "base64" => text.len() % 4 == 0 && !text.contains(char::is_whitespace),
        "url" => text.contains("://"),
        _ => digits > 0 && text.contains(['.', ':']),
    }
}

impl Act {
    /// As the map has it: `eq:&str:String`.
    pub fn of(code: &str) -> Option<Self> {
        let mut words = code.split(':');
        let act = words.next()?;
        let (first, second) = (words.next(), words.next());
        let types = || Some((Type::of(first?)?, Type::of(second?)?));
        Some(match act {
            "eq" => types().map(|(a, b)| Self::Equal(a, b))?,
            "ne" => types().map(|(a, b)| Self::Differ(a, b))?,
            "order" => types().map(|(a, b)| Self::Order(a, b))?,
            "prefix" => Self::Prefix(Piece::of(first?)?),
            "suffix" => Self::Suffix(Piece::of(first?)?),
            "contains" => Self::Contains(Piece::of(first?)?),
            "same" => Self::Same,
            "empty" => Self::Empty(Type::of(first?)?),
            "member" => Self::Member(Type::of(first?)?),
            "parse" => match Parsed::of(first?) {
                Some(parsed) => Self::Parse(parsed),
                None => Self::Decode(KINDS.into_iter().find(|kind| Some(*kind) == first)?),
            },
            "pattern" => Self::Pattern,
            "match" => Self::Match,
            "read" => Self::Read(match first? {
                "header" => Place::Header,
                "query" => Place::Query,
                _ => Place::Key,
            }),
            _ => return None,
        })
    }
}

global_asm!(
    ".globl FOSSICK_CAPTURE",
    ".type FOSSICK_CAPTURE, @function",
    "FOSSICK_CAPTURE:",
    "mov [rip + {place}], rdi",
    "mov [rip + {place} + 8], rsi",
    "mov [rip + {place} + 16], rdx",
    "mov [rip + {place} + 24], rcx",
    "mov rax, rdi",
    "xor edx, edx",
    "ret",
    place = sym CAPTURED,
);

extern "C" {
    #[link_name = "FOSSICK_CAPTURE"]
    fn capture_stub();
}

/// The first four registers of arguments, as a function of Rust found them.
static CAPTURED: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];
/// Two texts, or a text behind something, come as was expected.
static IS_AS_EXPECTED: AtomicBool = AtomicBool::new(false);
static PARSES_AT: [AtomicUsize; Parsed::ALL.len()] = [const { AtomicUsize::new(NOWHERE) }; 13];
const NOWHERE: usize = usize::MAX;

fn captured() -> [usize; 4] {
    [0, 1, 2, 3].map(|at| CAPTURED[at].load(Ordering::SeqCst))
}

/// Calls functions of our own that only look at where their arguments are.
pub fn calibrate() {
    let (left, right) = ("fossick", "looks inside");
    let stub = capture_stub as *const ();
    // SAFETY: the stub takes anything and gives back a clean register.
    let two: fn(&str, &str) -> *const () = unsafe { std::mem::transmute(stub) };
    two(left, right);
    let texts = [left, right].map(|it| [it.as_ptr() as usize, it.len()]);
    let are_texts = captured()[..] == texts.concat()[..];
    let (one, other) = (left.to_owned(), right.to_owned());
    // SAFETY: likewise.
    let two: fn(&String, &String) -> *const () = unsafe { std::mem::transmute(stub) };
    two(&one, &other);
    let expected = [&raw const one as usize, &raw const other as usize];
    let are_references = captured()[..2] == expected;
    IS_AS_EXPECTED.store(are_texts && are_references, Ordering::Release);
    for (at, (_, parsed)) in PARSES_AT.iter().zip(Parsed::ALL) {
        at.store(parsed.begins(), Ordering::Release);
    }
}

fn where_text_begins<T>() -> usize {
    let text = "fossick";
    let mut room = std::mem::MaybeUninit::<T>::zeroed();
    // SAFETY: the stub gives back nothing but zeros in registers, or leaves the room for the result
    // as it is. Neither is looked at.
    let parse: fn(&str) -> T = unsafe { std::mem::transmute(capture_stub as *const ()) };
    room.write(parse(text));
    std::hint::black_box(&room);
    let expected = [text.as_ptr() as usize, text.len()];
    let found = captured();
    (0..2)
        .find(|at| found[*at..*at + 2] == expected)
        .unwrap_or(NOWHERE)
}

/// Arguments from left to right.
struct Arguments<'a> {
    registers: &'a [u64; 6],
    at: usize,
}

impl Arguments<'_> {
    fn next(&mut self) -> Option<usize> {
        let register = *self.registers.get(self.at)?;
        self.at += 1;
        Some(register as usize)
    }

    /// # Safety
    /// The next argument is a slice of `T`.
    unsafe fn slice<T>(&mut self) -> Option<&[T]> {
        let (begin, length) = (self.next()?, self.next()?);
        // SAFETY: the caller says so.
        (begin != 0).then(|| unsafe { std::slice::from_raw_parts(begin as *const T, length) })
    }

    /// # Safety
    /// The next argument is a text.
    unsafe fn text(&mut self) -> Option<&str> {
        // SAFETY: the caller says so.
        std::str::from_utf8(unsafe { self.slice::<u8>()? }).ok()
    }

    /// A text behind at most so many addresses. Where it begins hangs on types that are not known
    /// here; but no length is an address, and no address a length.
    ///
    /// # Safety
    /// There is a text behind addresses only.
    unsafe fn guessed(&mut self, most: usize) -> Option<&str> {
        const FIRST_ADDRESS: u64 = 1 << 32;
        const LONGEST: u64 = 1 << 16;
        let is_address = |at: usize| self.registers[at] >= FIRST_ADDRESS;
        let begins = |at: &usize| is_address(*at) && self.registers[at + 1] < LONGEST;
        let begin = (0..=most).find(begins)?;
        if !(0..begin).all(is_address) {
            return None;
        }
        self.at = begin;
        // SAFETY: the caller says so.
        unsafe { self.text() }
    }

    /// # Safety
    /// The next argument is a reference to such a type.
    unsafe fn value(&mut self, type_: Type) -> Option<Scalar> {
        // SAFETY: the caller says so.
        unsafe {
            match type_ {
                Type::Str => Scalar::text(self.text()?),
                Type::Bytes => of_bytes(self.slice::<u8>()?),
                _ => value_at(self.next()?, type_),
            }
        }
    }

    /// # Safety
    /// The next argument is such a pattern.
    unsafe fn piece(&mut self, piece: Piece) -> Option<String> {
        match piece {
            // SAFETY: the caller says so.
            Piece::Str => unsafe { self.text() }.map(str::to_owned),
            // SAFETY: likewise.
            Piece::String => unsafe { (self.next()? as *const String).as_ref() }.cloned(),
            Piece::Char => char::from_u32(self.next()? as u32).map(String::from),
        }
    }
}

fn of_bytes(bytes: &[u8]) -> Option<Scalar> {
    Scalar::text(std::str::from_utf8(bytes).ok()?)
}

/// # Safety
/// There is a value of this type at the address.
unsafe fn value_at(address: usize, type_: Type) -> Option<Scalar> {
    if address == 0 {
        return None;
    }
    macro_rules! it {
        ($type:ty) => {
            // SAFETY: the caller says so.
            unsafe { &*(address as *const $type) }
        };
    }
    let text = |text: Option<&str>| text.map_or(Some(Scalar::Nothing), Scalar::text);
    match type_ {
        Type::Str | Type::Bytes => None,
        Type::RefStr => Scalar::text(it!(&str)),
        Type::String => Scalar::text(it!(String)),
        Type::RefString => Scalar::text(it!(&String)),
        Type::OptionStr => text(*it!(Option<&str>)),
        Type::OptionString => text(it!(Option<String>).as_deref()),
        Type::ByteVec => of_bytes(it!(Vec<u8>)),
        Type::Char => Scalar::text(it!(char).encode_utf8(&mut [0; 4])),
        Type::Bool => Some(Scalar::Flag(*it!(bool))),
        Type::I8 => Some(Scalar::Whole((*it!(i8)).into())),
        Type::U8 => Some(Scalar::Whole((*it!(u8)).into())),
        Type::I16 => Some(Scalar::Whole((*it!(i16)).into())),
        Type::U16 => Some(Scalar::Whole((*it!(u16)).into())),
        Type::I32 => Some(Scalar::Whole((*it!(i32)).into())),
        Type::U32 => Some(Scalar::Whole((*it!(u32)).into())),
        Type::I64 => Some(Scalar::Whole(*it!(i64))),
        Type::U64 => i64::try_from(*it!(u64)).ok().map(Scalar::Whole),
        Type::Isize => Some(Scalar::Whole(*it!(isize) as i64)),
        Type::Usize => i64::try_from(*it!(usize)).ok().map(Scalar::Whole),
        Type::F32 => Some(Scalar::Real((*it!(f32)).into())),
        Type::F64 => Some(Scalar::Real(*it!(f64))),
    }
}

/// What was found out of one call.
struct Seen {
    /// Whether the condition holds and how far it is from being otherwise, where that is known.
    verdict: Option<(bool, f64)>,
    observed: Observed,
}

pub fn called(returns: usize, registers: &[u64; 6]) {
    let Some(record) = Record::get() else { return };
    let Some((at, site)) = record.site(returns) else {
        return;
    };
    let What::Observe { act, original } = &site.what else {
        return;
    };
    let is_decision = !matches!(
        act,
        Act::Parse(_) | Act::Decode(_) | Act::Pattern | Act::Match | Act::Read(_)
    );
    if !IS_AS_EXPECTED.load(Ordering::Acquire) || is_decision && record.are_silent(&site.sides) {
        return;
    }
    let registers = Arguments { registers, at: 0 };
    let original = original.wrapping_add(record.shift);
    // SAFETY: fossick has the type of the function from its symbol, and where its arguments are was
    // tried out.
    let Some(seen) = (unsafe { look(act, registers, original) }) else {
        return;
    };
    let mut target = None;
    if let Some((holds, distance)) = seen.verdict {
        record.decide(site.sides, holds, distance);
        target = Some(site.sides[usize::from(holds)]);
    }
    if record.listens(at) {
        record.note(at, target, seen.observed);
    }
}

/// # Safety
/// The arguments are those of the function that is meant, which stands at `original`.
unsafe fn look(act: &Act, mut arguments: Arguments<'_>, original: usize) -> Option<Seen> {
    // SAFETY: the caller says so.
    unsafe {
        Some(match act {
            Act::Equal(left, right) | Act::Differ(left, right) => {
                let (left, right) = (arguments.value(*left)?, arguments.value(*right)?);
                let is_equal = left == right;
                let distance = if is_equal { 1.0 } else { apart(&left, &right) };
                Seen {
                    verdict: Some((is_equal == matches!(act, Act::Equal(..)), distance)),
                    observed: Observed::Equal(left, right),
                }
            }
            Act::Order(left, right) => {
                let (left, right) = (arguments.value(*left)?, arguments.value(*right)?);
                Seen {
                    verdict: Some((left == right, apart(&left, &right))),
                    observed: Observed::Order(left, right),
                }
            }
            Act::Prefix(piece) | Act::Suffix(piece) | Act::Contains(piece) => {
                let text = arguments.text()?.to_owned();
                pieces(act, text, arguments.piece(*piece)?)
            }
            Act::Same => {
                let left = arguments.text()?.to_owned();
                let right = arguments.text()?.to_owned();
                let [low, other] = [&left, &right].map(|it| it.to_ascii_lowercase());
                let is_same = low == other;
                let distance = if is_same { 1.0 } else { of_texts(&low, &other) };
                Seen {
                    verdict: Some((is_same, distance)),
                    observed: Observed::Same(left, right),
                }
            }
            Act::Empty(type_) => {
                let value = arguments.value(*type_)?;
                let Scalar::Text(text) = &value else {
                    return None;
                };
                let distance = text.chars().count().max(1) as f64;
                Seen {
                    verdict: Some((text.is_empty(), distance)),
                    observed: Observed::Equal(value, Scalar::Text(String::new())),
                }
            }
            Act::Member(type_) => member(&mut arguments, *type_)?,
            Act::Parse(parsed) => {
                let place = Parsed::ALL.iter().position(|(_, known)| known == parsed)?;
                arguments.at = PARSES_AT[place].load(Ordering::Acquire);
                let text = arguments.text()?.to_owned();
                Seen {
                    verdict: None,
                    observed: Observed::Parse {
                        worked: parsed.works(&text),
                        kind: parsed.kind(),
                        text,
                    },
                }
            }
            Act::Decode(kind) => {
                // What is before the text: where the result goes, and who decodes.
                let text = arguments
                    .guessed(if *kind == "base64" { 2 } else { 1 })?
                    .to_owned();
                Seen {
                    verdict: None,
                    observed: Observed::Parse {
                        worked: looks_like(kind, &text),
                        kind,
                        text,
                    },
                }
            }
            Act::Pattern => {
                patterns::learn(arguments.guessed(1)?);
                return None;
            }
            Act::Match => {
                let text = arguments.guessed(2)?.to_owned();
                let pattern = patterns::of(arguments.registers[arguments.at - 3])?;
                Seen {
                    verdict: None,
                    observed: Observed::Pattern(text, pattern),
                }
            }
            Act::Read(place) => {
                let map = arguments.next()?;
                let name = arguments.text()?;
                // What is looked up twice is found twice: these have no effect.
                let get: fn(usize, &str) -> usize = std::mem::transmute(original);
                Seen {
                    verdict: None,
                    observed: Observed::Read {
                        from: place.number(),
                        found: get(map, name) != 0,
                        name: name.to_owned(),
                    },
                }
            }
        })
        .filter(|seen| is_short(&seen.observed))
    }
}

/// # Safety
/// The arguments are a slice of such a type and a reference to one.
unsafe fn member(arguments: &mut Arguments<'_>, type_: Type) -> Option<Seen> {
    const MOST: usize = 64;
    let (begin, length) = (arguments.next()?, arguments.next()?);
    // SAFETY: the caller says so.
    let value = unsafe { value_at(arguments.next()?, type_) }?;
    let addresses = (0..length.min(MOST)).map(|nth| begin + nth * type_.size());
    // SAFETY: they lie in the slice.
    let candidates = addresses.map(|address| unsafe { value_at(address, type_) });
    let candidates: Vec<Scalar> = candidates.collect::<Option<_>>()?;
    let distances = candidates.iter().map(|it| apart(&value, it));
    let least = distances.fold(f64::INFINITY, f64::min);
    let is_member = candidates.contains(&value);
    // Of a longer slice the rest is not known.
    let is_known = is_member || length <= MOST;
    Some(Seen {
        verdict: is_known.then_some((is_member, if is_member { 1.0 } else { least })),
        observed: Observed::Member(value, candidates),
    })
}

fn pieces(act: &Act, text: String, part: String) -> Seen {
    let count = part.chars().count();
    let (holds, distance) = match act {
        Act::Prefix(_) => {
            let begin: String = text.chars().take(count).collect();
            (text.starts_with(&part), of_texts(&begin, &part))
        }
        Act::Suffix(_) => {
            let skipped = text.chars().count().saturating_sub(count);
            let end: String = text.chars().skip(skipped).collect();
            (text.ends_with(&part), of_texts(&end, &part))
        }
        _ => (text.contains(&part), nearest_window(&text, &part)),
    };
    let distance = if holds { 1.0 } else { distance };
    let observed = match act {
        Act::Prefix(_) => Observed::Prefix(text, part),
        Act::Suffix(_) => Observed::Suffix(text, part),
        _ => Observed::Contains(text, part),
    };
    Seen {
        verdict: Some((holds, distance)),
        observed,
    }
}

/// The distance of the best piece of a text that is as long as the part.
fn nearest_window(text: &str, part: &str) -> f64 {
    const MOST: usize = 256;
    let text: Vec<char> = text.chars().take(MOST).collect();
    let count = part.chars().count().clamp(1, text.len().max(1));
    let windows = text.windows(count).map(|window| {
        let window: String = window.iter().collect();
        of_texts(&window, part)
    });
    windows.fold(of_texts("", part), f64::min)
}

fn is_short(observed: &Observed) -> bool {
    let short = |text: &String| text.len() <= crate::scalar::LONGEST_TEXT;
    match observed {
        Observed::Prefix(a, b)
        | Observed::Suffix(a, b)
        | Observed::Contains(a, b)
        | Observed::Same(a, b)
        | Observed::Pattern(a, b) => short(a) && short(b),
        Observed::Parse { text, .. } => short(text),
        Observed::Read { name, .. } => short(name),
        Observed::Equal(..) | Observed::Order(..) | Observed::Member(..) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registers(values: &[usize]) -> [u64; 6] {
        let mut all = [0; 6];
        for (at, value) in values.iter().enumerate() {
            all[at] = *value as u64;
        }
        all
    }

    fn seen(code: &str, values: &[usize]) -> Seen {
        let act = Act::of(code).expect("it is an act");
        let registers = registers(values);
        let arguments = Arguments {
            registers: &registers,
            at: 0,
        };
        // SAFETY: each test has the arguments that its act wants.
        unsafe { look(&act, arguments, 0) }.expect("it is seen")
    }

    #[test]
    fn this_compiler_passes_texts_as_was_expected() {
        calibrate();
        assert!(IS_AS_EXPECTED.load(Ordering::Acquire));
        for (at, (name, _)) in PARSES_AT.iter().zip(Parsed::ALL) {
            assert_ne!(at.load(Ordering::Acquire), NOWHERE, "{name}");
        }
    }

    #[test]
    fn texts_are_compared_whatever_holds_them() {
        let (word, owned) = ("left", "leff".to_owned());
        let reference = &raw const word as usize;
        let it = seen("eq:&str:String", &[reference, &raw const owned as usize]);
        let texts = ["left", "leff"].map(|text| Scalar::Text(text.to_owned()));
        assert_eq!(
            it.observed,
            Observed::Equal(texts[0].clone(), texts[1].clone())
        );
        let (holds, distance) = it.verdict.expect("it is decided");
        assert!(!holds && (distance - 14.0 / 65536.0).abs() < 1e-12);
        let it = seen("ne:str:&str", &[word.as_ptr() as usize, 4, reference]);
        assert_eq!(it.verdict, Some((false, 1.0)));
    }

    #[test]
    fn members_are_those_of_the_slice() {
        let all = ["alpha", "beta"];
        let wanted = "beta";
        let it = seen(
            "member:&str",
            &[all.as_ptr() as usize, 2, &raw const wanted as usize],
        );
        assert_eq!(it.verdict, Some((true, 1.0)));
    }

    #[test]
    fn pieces_are_near_by_their_best_place() {
        assert_eq!(nearest_window("xxabdxx", "abc"), 1.0 / 65536.0);
        assert!(nearest_window("", "abc") > 1.0);
        let it = pieces(
            &Act::Prefix(Piece::Str),
            "pre".to_owned(),
            "pre-".to_owned(),
        );
        assert_eq!(it.verdict, Some((false, 65536.0)));
    }
}
