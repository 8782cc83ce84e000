//! What the server answers: whatever is asked for, as the schema promises it.

use fossick_query::{Asked, Pick, read};
use serde_json::{Map, Value, json};

use crate::schema::{Gives, entry, fields};

/// Items of the list that an entry point gives, and of those below.
const FIRST: usize = 8;
const BELOW: usize = 2;

pub(crate) fn of(query: &str) -> Value {
    let document = read(query, None).expect("our own query");
    let mut data = Map::new();
    for asked in document.picks.iter().filter_map(field) {
        let point = asked.name.trim_start_matches("all").parse();
        let of = entry(point.expect("our own entry point"));
        let items = (0..FIRST).map(|at| object(of, &asked.picks, at));
        data.insert(asked.key().to_owned(), items.collect());
    }
    json!({ "data": data })
}

fn field(pick: &Pick) -> Option<&Asked> {
    match pick {
        Pick::Field(asked) => Some(asked),
        Pick::Part(_) => None,
    }
}

fn object(of: usize, picks: &[Pick], at: usize) -> Value {
    let fields = fields(of);
    let mut object = Map::new();
    for asked in picks.iter().filter_map(field) {
        let gives = fields.iter().find(|(name, _)| *name == asked.name);
        let value = match gives {
            Some((_, gives)) => value(*gives, asked, at),
            None => json!(format!("Item{of}")),
        };
        object.insert(asked.key().to_owned(), value);
    }
    Value::Object(object)
}

fn value(gives: Gives, asked: &Asked, at: usize) -> Value {
    match gives {
        Gives::Id => json!(format!("item-{at}")),
        Gives::Text => json!("Annual report, second edition"),
        Gives::Count if at % 2 == 1 => Value::Null,
        Gives::Count => json!(at),
        Gives::Ratio => json!(0.5),
        Gives::Flag => json!(at == 0),
        Gives::Kind => json!("REPORT"),
        Gives::Day => json!("2021-05-05"),
        Gives::Tags => json!(["finance", ""]),
        Gives::One(_) if at % 4 == 3 => Value::Null,
        Gives::One(of) => object(of, &asked.picks, at),
        Gives::Many(of) => (0..BELOW).map(|at| object(of, &asked.picks, at)).collect(),
    }
}
