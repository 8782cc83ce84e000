//! The queries: each a selection of its own, none deeper than three levels.

use fossick_contract::RootKind;
use fossick_harvest::{Call, GraphQlCall, Record, Statuses, Took};
use fossick_query::{Asked, Document, Literal, Pick, Variable, write_compact};
use serde_json::json;

use crate::schema::{ENTRY_POINTS, Gives, entry, fields};

const QUERIES: u64 = 24_049;
const DEEPEST: usize = 3;

/// Numbers that are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

pub(crate) fn records() -> Vec<Record> {
    (0..QUERIES).map(record).collect()
}

fn record(number: u64) -> Record {
    let mut dice = Dice(number.wrapping_mul(7919));
    let point = dice.below(ENTRY_POINTS as u64) as usize;
    let call = Call::GraphQl(GraphQlCall {
        path: "/graphql".to_owned(),
        root: RootKind::Query,
        query: write_compact(&document(point, &mut dice)),
        operation_name: Some(format!("All{point}")),
        variables: json!({ "after": format!("cursor-{number}"), "first": 8 })
            .as_object()
            .cloned()
            .unwrap_or_default(),
    });
    Record {
        key: call.key(),
        call,
        created_at: 1_614_761_866_000,
        updated_at: 1_620_233_719_000 + number,
        times_called: 1 + dice.below(300),
        statuses: Statuses::default(),
        took: Took {
            answers: 1,
            total: 2_000 + dice.below(9_000),
            most: 12_000,
        },
        redactions: Vec::new(),
    }
}

fn document(point: usize, dice: &mut Dice) -> Document {
    let variable = |name: &str, text: &str| Variable {
        name: name.to_owned(),
        type_text: text.to_owned(),
        default: None,
    };
    let argument = |name: &str| (name.to_owned(), Literal::Variable(name.to_owned()));
    Document {
        kind: RootKind::Query,
        name: Some(format!("All{point}")),
        variables: vec![variable("first", "Int!"), variable("after", "String")],
        picks: vec![Pick::Field(Asked {
            name: format!("all{point}"),
            arguments: vec![argument("first"), argument("after")],
            picks: picks(entry(point), 1, dice),
            ..Asked::default()
        })],
    }
}

fn picks(of: usize, depth: usize, dice: &mut Dice) -> Vec<Pick> {
    let mut picks = vec![plain("__typename")];
    for (name, gives) in fields(of) {
        match gives {
            Gives::One(other) | Gives::Many(other) if depth < DEEPEST && dice.below(3) < 2 => {
                picks.push(Pick::Field(Asked {
                    name: name.to_owned(),
                    picks: self::picks(other, depth + 1, dice),
                    ..Asked::default()
                }));
            }
            Gives::One(_) | Gives::Many(_) => {}
            _ if dice.below(3) < 2 => picks.push(plain(name)),
            _ => {}
        }
    }
    picks
}

fn plain(name: &str) -> Pick {
    Pick::Field(Asked {
        name: name.to_owned(),
        ..Asked::default()
    })
}
