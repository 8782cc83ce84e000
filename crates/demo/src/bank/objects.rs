//! Things as the executor sees them: it asks for one field at a time.

use std::cell::{Cell, RefCell};

use apollo_compiler::resolvers::{FieldError, ObjectValue, ResolveInfo, ResolvedValue};
use serde_json::{Value, json};

use super::call::{Call, Outcome, Refused};
use super::faults::GraphqlFault;
use super::store::Store;
use super::{mutations, nested, queries};
use crate::faults::Faults;

/// So many fields are resolved for one request. Types refer to each other, so that a short query
/// can ask for more than there is memory for.
const MOST_FIELDS: u32 = 50_000;

/// One request on its way through the store.
pub(crate) struct Visit<'a> {
    faults: Faults<GraphqlFault>,
    store: RefCell<&'a mut Store>,
    fields_left: Cell<u32>,
    pub(crate) crashed: Cell<bool>,
}

impl<'a> Visit<'a> {
    pub(crate) fn new(store: &'a mut Store, faults: Faults<GraphqlFault>) -> Self {
        Self {
            faults,
            store: RefCell::new(store),
            fields_left: Cell::new(MOST_FIELDS),
            crashed: Cell::new(false),
        }
    }

    /// The value that an operation starts from.
    pub(crate) fn root(&self, type_name: &str) -> Thing<'_, 'a> {
        Thing {
            visit: self,
            type_name: type_name.to_owned(),
            fields: Value::Null,
        }
    }

    fn count_field(&self) -> Result<(), Refused> {
        let left = self.fields_left.get().checked_sub(1);
        let left = left.ok_or_else(|| Refused::bad_input("the operation asks for too much"))?;
        self.fields_left.set(left);
        Ok(())
    }

    /// The message of a field error is all that the executor passes on, so the code goes along
    /// as its first word.
    fn told(&self, refused: Refused) -> FieldError {
        let message = match refused {
            Refused::Told(code, message) => format!("{code} {message}"),
            Refused::Crash => {
                self.crashed.set(true);
                String::new()
            }
        };
        FieldError { message }
    }
}

pub(crate) struct Thing<'v, 's> {
    visit: &'v Visit<'s>,
    type_name: String,
    fields: Value,
}

impl Thing<'_, '_> {
    fn resolve(&self, info: &ResolveInfo<'_>) -> Outcome {
        self.visit.count_field()?;
        let mut store = self.visit.store.borrow_mut();
        let mut call = Call {
            store: &mut store,
            faults: self.visit.faults,
            arguments: json!(info.arguments()),
        };
        let field = info.field_name();
        let root = match self.type_name.as_str() {
            "Query" => queries::resolve(&call, field),
            "Mutation" => mutations::resolve(&mut call, field),
            _ => None,
        };
        root.unwrap_or_else(|| nested::resolve(&call, &self.type_name, field, &self.fields))
    }
}

impl ObjectValue for Thing<'_, '_> {
    fn type_name(&self) -> &str {
        &self.type_name
    }

    fn resolve_field<'a>(
        &'a self,
        info: &'a ResolveInfo<'a>,
    ) -> Result<ResolvedValue<'a>, FieldError> {
        let value = self.resolve(info).map_err(|why| self.visit.told(why))?;
        let promised = info.field_definition().ty.inner_named_type();
        Ok(presented(self.visit, promised, value))
    }
}

/// JSON for the executor. An object tells its type, or else is of the one that is promised; no
/// scalar of the schema is an object.
fn presented<'a>(visit: &'a Visit<'_>, promised: &'a str, value: Value) -> ResolvedValue<'a> {
    match value {
        Value::Array(items) => ResolvedValue::list(
            items
                .into_iter()
                .map(move |item| presented(visit, promised, item)),
        ),
        Value::Object(_) => ResolvedValue::object(Thing {
            visit,
            type_name: value["__typename"].as_str().unwrap_or(promised).to_owned(),
            fields: value,
        }),
        leaf => ResolvedValue::leaf(leaf),
    }
}
