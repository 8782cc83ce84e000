//! The schema: 91 types with nine or ten fields each, and a query root with 23.

use std::fmt::Write as _;

pub(crate) const TYPES: usize = 91;
pub(crate) const ENTRY_POINTS: usize = 23;
/// With the entry points 875 tuples.
const FIELDS: usize = 875 - ENTRY_POINTS;

/// What a field gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gives {
    Id,
    Text,
    Count,
    Ratio,
    Flag,
    Kind,
    Day,
    Tags,
    /// One thing of another type, or none.
    One(usize),
    /// Things of another type.
    Many(usize),
}

pub(crate) const NAMES: [&str; 10] = [
    "id", "title", "count", "ratio", "live", "kind", "day", "tags", "next", "items",
];

/// The fields of a type, in their order.
pub(crate) fn fields(of: usize) -> Vec<(&'static str, Gives)> {
    let gives = [
        Gives::Id,
        Gives::Text,
        Gives::Count,
        Gives::Ratio,
        Gives::Flag,
        Gives::Kind,
        Gives::Day,
        Gives::Tags,
        Gives::One((of * 7 + 3) % TYPES),
        Gives::Many((of * 5 + 11) % TYPES),
    ];
    let count = FIELDS / TYPES + usize::from(of < FIELDS % TYPES);
    NAMES.into_iter().zip(gives).take(count).collect()
}

/// The type that an entry point gives a list of.
pub(crate) fn entry(point: usize) -> usize {
    point * 4 % TYPES
}

pub(crate) fn text() -> String {
    let mut text = "scalar Date\n\nenum Kind { NEWS VIDEO REPORT }\n\ntype Query {\n".to_owned();
    for point in 0..ENTRY_POINTS {
        let of = entry(point);
        _ = writeln!(
            text,
            "  all{point}(first: Int!, after: String): [Item{of}!]!"
        );
    }
    text.push_str("}\n");
    for of in 0..TYPES {
        _ = writeln!(text, "\ntype Item{of} {{");
        for (name, gives) in fields(of) {
            _ = writeln!(text, "  {name}: {}", type_text(gives));
        }
        text.push_str("}\n");
    }
    text
}

fn type_text(gives: Gives) -> String {
    match gives {
        Gives::Id => "ID!".to_owned(),
        Gives::Text => "String!".to_owned(),
        Gives::Count => "Int".to_owned(),
        Gives::Ratio => "Float!".to_owned(),
        Gives::Flag => "Boolean!".to_owned(),
        Gives::Kind => "Kind!".to_owned(),
        Gives::Day => "Date".to_owned(),
        Gives::Tags => "[String!]!".to_owned(),
        Gives::One(of) => format!("Item{of}"),
        Gives::Many(of) => format!("[Item{of}!]!"),
    }
}
