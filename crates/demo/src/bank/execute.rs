//! From the text of an operation to the answer: parse, validate, coerce, execute.
//!
//! The compiler does each of these by the specification. Errors get a code in `extensions`, as
//! most servers do it, so that the caller's mistakes can be told from the service's.

use apollo_compiler::ExecutableDocument;
use apollo_compiler::ast::Type;
use apollo_compiler::executable::Operation;
use apollo_compiler::introspection::check_max_depth;
use apollo_compiler::parser::Parser;
use apollo_compiler::request::coerce_variable_values;
use apollo_compiler::resolvers::Execution;
use apollo_compiler::response::{GraphQLError, JsonMap, JsonValue};
use apollo_compiler::validation::{DiagnosticList, Valid};
use serde_json::{Value, json};

use super::faults::GraphqlFault;
use super::inputs::{check, drop_missing};
use super::misprints::misprint;
use super::objects::Visit;
use super::schema;
use super::store::Store;
use crate::faults::Faults;

/// How deep selections and literals may go; execution takes a good piece of stack for each level.
const DEEPEST: usize = 64;

/// How many words and signs a document may have: some mistakes take time for each of them.
const LONGEST: usize = 10_000;

/// Nobody reads more errors of one document.
const MOST_ERRORS: usize = 10;

/// What a caller wants to have executed.
#[derive(Debug)]
pub(crate) struct Ask {
    pub(crate) query: String,
    pub(crate) variables: JsonMap,
    pub(crate) operation_name: Option<String>,
    pub(crate) by_get: bool,
}

/// Why nothing was executed to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Request errors, as the answer tells them.
    Request(Vec<Value>),
    /// Only queries are safe enough for GET.
    MutationByGet,
    /// Only a planted fault does this.
    Crash,
}

pub(crate) fn execute(
    store: &mut Store,
    faults: Faults<GraphqlFault>,
    ask: &Ask,
) -> Result<Value, Failure> {
    let document = parse(&ask.query)?;
    let operation = find(&document, ask)?;
    if ask.by_get && operation.is_mutation() && !faults.has(GraphqlFault::GetMutates) {
        return Err(Failure::MutationByGet);
    }
    let variables = variables(&document, operation, faults, ask)?;
    let document = completed(document, &variables);
    let operation = find(&document, ask)?;
    let visit = Visit::new(store, faults);
    let response = Execution::new(schema(), &document)
        .operation(operation)
        .coerced_variable_values(&variables)
        .enable_schema_introspection(true)
        .execute_sync(&visit.root(operation.object_type()))
        .map_err(|error| refused(&error.to_graphql_error(&document.sources)))?;
    if visit.crashed.get() {
        return Err(Failure::Crash);
    }
    let mut data = json!(response.data);
    misprint(faults, &document, operation, &mut data);
    Ok(answer(&response.errors, &data))
}

fn parse(text: &str) -> Result<Valid<ExecutableDocument>, Failure> {
    let document = Parser::new()
        .recursion_limit(DEEPEST)
        .token_limit(LONGEST)
        .parse_executable(schema(), text, "operation.graphql")
        .map_err(|partial| invalid(&partial.errors))?;
    let valid = document.validate(schema());
    valid.map_err(|partial| invalid(&partial.errors))
}

fn invalid(errors: &DiagnosticList) -> Failure {
    let told = errors
        .iter()
        .take(MOST_ERRORS)
        .map(|error| coded(&error.to_json(), "GRAPHQL_VALIDATION_FAILED"));
    Failure::Request(told.collect())
}

fn find<'a>(document: &'a ExecutableDocument, ask: &Ask) -> Result<&'a Operation, Failure> {
    let operation = document.operations.get(ask.operation_name.as_deref());
    operation
        .map(|operation| &**operation)
        .map_err(|error| refused(&error.to_graphql_error(&document.sources)))
}

/// Coerces and checks the variables, and with them the literals of the operation.
fn variables(
    document: &Valid<ExecutableDocument>,
    operation: &Operation,
    faults: Faults<GraphqlFault>,
    ask: &Ask,
) -> Result<Valid<JsonMap>, Failure> {
    let mut given = ask.variables.clone();
    if faults.has(GraphqlFault::AnyStorage) {
        forgive_storage(operation, &mut given);
    }
    // Once fills in the defaults, as they are written; twice coerces those as well.
    let variables = check_max_depth(document, operation)
        .and_then(|()| coerce_variable_values(schema(), operation, &given))
        .and_then(|once| coerce_variable_values(schema(), operation, &once))
        .map_err(|error| refused(&error.to_graphql_error(&document.sources)))?;
    check(document, operation, &variables).map_err(|mistake| {
        let error = GraphQLError::new(mistake.message, mistake.location, &document.sources);
        refused(&error)
    })?;
    Ok(variables)
}

/// Takes any text for a storage in the changes of a lot: a planted fault.
fn forgive_storage(operation: &Operation, given: &mut JsonMap) {
    let changes = |ty: &Type| ty.inner_named_type() == "LotChange";
    for variable in operation.variables.iter().filter(|v| changes(&v.ty)) {
        let known = |text: &str| ["SHELF", "FRIDGE", "FREEZER"].contains(&text);
        if let Some(JsonValue::Object(change)) = given.get_mut(variable.name.as_str())
            && let Some(storage) = change.get_mut("storage")
            && storage.as_str().is_some_and(|text| !known(text))
        {
            *storage = "SHELF".into();
        }
    }
}

fn completed(
    document: Valid<ExecutableDocument>,
    variables: &JsonMap,
) -> Valid<ExecutableDocument> {
    let mut document = document.into_inner();
    drop_missing(&mut document, variables);
    Valid::assume_valid(document)
}

fn answer(errors: &[GraphQLError], data: &Value) -> Value {
    if errors.is_empty() {
        return json!({"data": data});
    }
    let errors: Vec<_> = errors.iter().map(field_error).collect();
    json!({"errors": errors, "data": data})
}

/// Splits what our resolvers say into code and message. All other errors of fields are about
/// arguments.
fn field_error(error: &GraphQLError) -> Value {
    let ours = error.message.strip_prefix("resolver error: ");
    let Some((code, message)) = ours.and_then(|text| text.split_once(' ')) else {
        return coded(error, "BAD_USER_INPUT");
    };
    let mut told = coded(error, code);
    told["message"] = json!(message);
    if let (Value::Object(fields), true) = (&mut told, message.is_empty()) {
        fields.shift_remove("message");
    }
    told
}

fn refused(error: &GraphQLError) -> Failure {
    Failure::Request(vec![coded(error, "BAD_USER_INPUT")])
}

fn coded(error: &GraphQLError, code: &str) -> Value {
    let mut told = json!(error);
    told["extensions"] = json!({"code": code});
    told
}
