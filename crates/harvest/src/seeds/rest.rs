//! A REST call as a seed.
//!
//! Names that the document does not know are passed over: pages add their own to every call. Headers
//! are hardly ever kept, so none is missed.

use fossick_contract::{Api, Kind, Location, Operation, Parameter, is_json};
use serde_json::Value;

use super::{Seed, Why, succeeded, typed};
use crate::suite::{Resolved, resolve, told};
use crate::{Content, Record, RestCall};

pub(super) fn seed(api: &Api, record: &Record, call: &RestCall) -> Result<Seed, Why> {
    let resolved = resolve(api, &call.method, &call.path).ok_or(Why::NoOperation)?;
    let operation = api.operation(resolved.operation);
    let argument = |parameter| argument(api, parameter, &resolved, call);
    let arguments: Vec<Option<Value>> = operation.parameters.iter().map(argument).collect();
    missing(operation, &arguments)?;
    Ok(Seed {
        what: told(&record.call),
        operation: resolved.operation,
        times: record.times_called,
        succeeded: succeeded(record),
        arguments,
        body: body(api, operation, &call.content)?,
        picks: Vec::new(),
    })
}

fn argument(
    api: &Api,
    parameter: &Parameter,
    resolved: &Resolved<'_>,
    call: &RestCall,
) -> Option<Value> {
    let name = &parameter.name;
    match parameter.location {
        Location::Path => {
            let (_, text) = resolved.holes.iter().find(|(hole, _)| hole == name)?;
            typed::of_parameter(api, parameter, &[text])
        }
        Location::Query => {
            let of_name =
                |(own, _): &&(String, String)| own == name || own.strip_suffix("[]") == Some(name);
            let texts: Vec<&str> = call
                .query
                .iter()
                .filter(of_name)
                .map(|(_, text)| text.as_str())
                .collect();
            typed::of_parameter(api, parameter, &texts).or_else(|| inside(api, parameter, call))
        }
        Location::Header => {
            let mut headers = call.headers.iter();
            let (_, text) = headers.find(|(own, _)| own.eq_ignore_ascii_case(name))?;
            typed::of_parameter(api, parameter, &[text])
        }
        Location::Cookie => None,
    }
}

/// `filter[name]=saw` as an object.
fn inside(api: &Api, parameter: &Parameter, call: &RestCall) -> Option<Value> {
    let within = |(name, text): &(String, String)| {
        let rest = name.strip_prefix(parameter.name.as_str())?;
        let own = rest.strip_prefix('[')?.strip_suffix(']')?;
        Some((own.to_owned(), text.clone()))
    };
    let is_object = matches!(api.shape(parameter.shape).kind, Kind::Object(_));
    let fields: Vec<_> = call.query.iter().filter_map(within).collect();
    (is_object && !fields.is_empty()).then(|| typed::of_fields(api, Some(parameter.shape), &fields))
}

fn missing(operation: &Operation, arguments: &[Option<Value>]) -> Result<(), Why> {
    let mut pairs = operation.parameters.iter().zip(arguments);
    let missing = pairs.find(|(parameter, value)| {
        let told = matches!(parameter.location, Location::Path | Location::Query);
        parameter.required && told && value.is_none()
    });
    match missing {
        Some((parameter, _)) => Err(Why::Missing(format!(
            "{} {}",
            parameter.location, parameter.name
        ))),
        None => Ok(()),
    }
}

fn body(
    api: &Api,
    operation: &Operation,
    content: &Content,
) -> Result<Option<(usize, Value)>, Why> {
    let Some(declared) = &operation.body else {
        return Ok(None);
    };
    let of = |fits: &dyn Fn(&str) -> bool| {
        let mut contents = declared.contents.iter();
        contents
            .position(|content| fits(essence(&content.media_type)))
            .ok_or(Why::NoContent)
    };
    let same = |media_type: &str| {
        let wanted = essence(media_type).to_owned();
        of(&|own| own.eq_ignore_ascii_case(&wanted))
    };
    let found = match content {
        Content::None if declared.required => return Err(Why::Missing("body".to_owned())),
        Content::None => return Ok(None),
        Content::Json { media_type, value } => {
            let at = same(media_type).or_else(|_| of(&is_json))?;
            (at, value.clone())
        }
        Content::Form { fields } => {
            let at = same("application/x-www-form-urlencoded")?;
            let shape = declared.contents.get(at).and_then(|content| content.shape);
            (at, typed::of_fields(api, shape, fields))
        }
        Content::Text { media_type, text } => (same(media_type)?, Value::from(text.as_str())),
        Content::Opaque { .. } => return Err(Why::NoBody),
    };
    Ok(Some(found))
}

fn essence(media_type: &str) -> &str {
    media_type.split(';').next().unwrap_or("").trim()
}
