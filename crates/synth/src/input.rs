//! What a request brings, typed: ids from the path and fields from the body.
//!
//! This is the framework's part and not the handler's: what can't be read never reaches a line
//! of the program.

use serde_json::{Map, Value};

use crate::exchange::{Reply, Request};
use crate::model::{Method, Paths};
use crate::program::{Class, Handler, Program};
use crate::routes::Place;

#[derive(Debug, Default)]
pub(crate) struct Input {
    pub(crate) id: i32,
    pub(crate) name: Option<String>,
    pub(crate) value: Option<i32>,
    /// Ids of what it depends on, in the order of the model; a PATCH may leave some out.
    pub(crate) needs: Vec<Option<i32>>,
    pub(crate) owner: Option<i32>,
    /// Id and value of what it is to own.
    pub(crate) owned: Vec<(i32, i32)>,
}

impl Input {
    pub(crate) fn read(
        program: &Program,
        handler: &Handler,
        place: &Place<'_>,
        request: &Request<'_>,
    ) -> Result<Self, Reply> {
        let class = &program.classes[handler.class];
        let mut input = Self {
            needs: vec![None; class.needs.len()],
            ..Self::default()
        };
        input.read_path(class, place)?;
        if matches!(handler.method, Method::Post | Method::Put | Method::Patch) {
            let body = body(request)?;
            input.read_body(program, class, handler.method, &body)?;
        }
        Ok(input)
    }

    fn read_path(&mut self, class: &Class, place: &Place<'_>) -> Result<(), Reply> {
        let parents: Result<Vec<i32>, Reply> = place.parents.iter().map(|id| number(id)).collect();
        let parents = parents?;
        if class.owner.is_some() {
            self.owner = parents.first().copied();
        }
        for (need, id) in class.needs.iter().zip(&mut self.needs) {
            let place = class.shown.iter().position(|shown| *shown == need.class);
            *id = place.and_then(|place| parents.get(place)).copied();
        }
        if let Some(id) = place.id {
            self.id = number(id)?;
        }
        Ok(())
    }

    fn read_body(
        &mut self,
        program: &Program,
        class: &Class,
        method: Method,
        body: &Map<String, Value>,
    ) -> Result<(), Reply> {
        if method == Method::Post {
            self.id = required(body, "id")?;
        }
        self.name = text(body, "name")?;
        if method == Method::Patch {
            self.value = optional(body, "value")?;
        } else {
            self.name.as_ref().ok_or_else(|| missing("name"))?;
            self.value = Some(required(body, "value")?);
            self.read_owned(program, class, body)?;
        }
        if program.paths == Paths::Hidden {
            self.read_references(program, class, method, body)?;
        }
        Ok(())
    }

    fn read_owned(
        &mut self,
        program: &Program,
        class: &Class,
        body: &Map<String, Value>,
    ) -> Result<(), Reply> {
        for owned in &class.owns {
            let field = &program.classes[*owned].field;
            let Some(Value::Object(owned)) = body.get(field) else {
                return Err(bad(&format!("{field} must be an object")));
            };
            let (id, value) = (required(owned, "id")?, required(owned, "value")?);
            self.owned.push((id, value));
        }
        Ok(())
    }

    fn read_references(
        &mut self,
        program: &Program,
        class: &Class,
        method: Method,
        body: &Map<String, Value>,
    ) -> Result<(), Reply> {
        let read = |class: usize| {
            let field = &program.classes[class].reference;
            match method {
                Method::Patch => optional(body, field),
                _ => required(body, field).map(Some),
            }
        };
        for (need, id) in class.needs.iter().zip(&mut self.needs) {
            *id = read(need.class)?;
        }
        if let Some(owner) = class.owner
            && method != Method::Patch
        {
            self.owner = read(owner.class)?;
        }
        Ok(())
    }
}

fn body(request: &Request<'_>) -> Result<Map<String, Value>, Reply> {
    if !request.content_type.is_some_and(is_json) {
        return Err(Reply::problem(415, "the body must be application/json"));
    }
    match serde_json::from_slice(request.body) {
        Ok(Value::Object(body)) => Ok(body),
        _ => Err(bad("the body must be a JSON object")),
    }
}

fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}

fn required(body: &Map<String, Value>, field: &str) -> Result<i32, Reply> {
    let found = optional(body, field)?;
    found.ok_or_else(|| missing(field))
}

fn missing(field: &str) -> Reply {
    bad(&format!("{field} is missing"))
}

fn text(body: &Map<String, Value>, field: &str) -> Result<Option<String>, Reply> {
    match body.get(field) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(bad(&format!("{field} must be a string"))),
    }
}

fn optional(body: &Map<String, Value>, field: &str) -> Result<Option<i32>, Reply> {
    let Some(value) = body.get(field) else {
        return Ok(None);
    };
    match whole(value) {
        Some(number) => Ok(Some(number)),
        None => Err(bad(&format!("{field} must be an integer of 32 bits"))),
    }
}

/// To JSON, `7.0` is as whole as `7`.
fn whole(value: &Value) -> Option<i32> {
    let real = || value.as_f64().filter(|it| it.fract() == 0.0);
    let whole = value.as_i64().or_else(|| real().map(|it| it as i64))?;
    i32::try_from(whole).ok()
}

fn number(text: &str) -> Result<i32, Reply> {
    let found = text.parse().ok().filter(|_| !text.starts_with('+'));
    found.ok_or_else(|| bad("an id in the path must be an integer of 32 bits"))
}

fn bad(words: &str) -> Reply {
    Reply::problem(400, words)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn whole_numbers_are_read_and_others_are_not() {
        assert_eq!(whole(&json!(-5)), Some(-5));
        assert_eq!(whole(&json!(5.0)), Some(5));
        for value in [
            json!(5.5),
            json!("5"),
            json!(1e30),
            json!(2_147_483_648_i64),
        ] {
            assert_eq!(whole(&value), None, "{value}");
        }
    }

    #[test]
    fn ids_in_paths_are_plain_numbers() {
        assert_eq!(number("-12"), Ok(-12));
        for text in ["", "+1", "1.0", "x", "99999999999"] {
            assert!(number(text).is_err(), "{text}");
        }
    }
}
