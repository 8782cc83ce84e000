//! The first call of a run: is anybody there, and is it the right door?

use anyhow::{Result, bail};
use bytes::Bytes;
use fossick_contract::Method;
use fossick_trace::{Answer, Failure, Outcome, Request};
use fossick_transport::{Base, Client};
use tokio::runtime::Runtime;

use crate::exit::Unreachable;

/// Asks whether anybody is there before anything else.
pub(crate) fn knock(runtime: &Runtime, client: &Client, base: &Base, graphql: bool) -> Result<()> {
    match runtime.block_on(client.send(&question(graphql))) {
        Outcome::Failed(Failure::Unreachable(why)) => {
            Err(Unreachable(format!("nothing answers at {base} ({why})")).into())
        }
        Outcome::Answered(answer) if graphql => expect_endpoint(base, &answer),
        _ => Ok(()),
    }
}

/// A call that any service takes. GraphQL has one endpoint and one question that always holds.
fn question(graphql: bool) -> Request {
    let plain = Request {
        method: Method::Get,
        target: "/".to_owned(),
        headers: Vec::new(),
        body: Bytes::new(),
        user: None,
        anonymous: true,
    };
    if !graphql {
        return plain;
    }
    Request {
        method: Method::Post,
        target: String::new(),
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: Bytes::from_static(br#"{"query":"{__typename}"}"#),
        ..plain
    }
}

/// An endpoint that is not there would only fail a thousand times.
fn expect_endpoint(base: &Base, answer: &Answer) -> Result<()> {
    let is_page = answer.media_type() == Some("text/html");
    if is_page || matches!(answer.status, 404 | 405) {
        let what = if is_page { " with HTML" } else { "" };
        bail!(
            "{base} does not answer as a GraphQL service: it answered {}{what}; --url names the endpoint itself, such as http://127.0.0.1:PORT/graphql",
            answer.status
        );
    }
    Ok(())
}
