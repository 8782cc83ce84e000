//! The client against real sockets on loopback.

mod connections;
mod limits;
mod logins;
mod manners;
mod stub;
mod versions;

use std::time::Duration;

use bytes::Bytes;
use fossick_contract::Method;
use fossick_trace::{Answer, Failure, Outcome, Request};
use fossick_transport::{Client, Settings};

fn settings(url: &str) -> Settings {
    Settings::new(url.parse().expect("a good URL"))
}

fn client(url: &str) -> Client {
    Client::new(settings(url)).expect("good settings")
}

/// Gives up soon: for services that never answer.
fn impatient(url: &str) -> Client {
    Client::new(Settings {
        timeout: Duration::from_millis(400),
        ..settings(url)
    })
    .expect("good settings")
}

fn get(target: &str) -> Request {
    Request {
        method: Method::Get,
        target: target.into(),
        headers: vec![],
        body: Bytes::new(),
        user: None,
        anonymous: false,
    }
}

fn post(target: &str, body: &'static str) -> Request {
    Request {
        method: Method::Post,
        body: Bytes::from_static(body.as_bytes()),
        ..get(target)
    }
}

fn answered(outcome: Outcome) -> Answer {
    match outcome {
        Outcome::Answered(answer) => answer,
        Outcome::Failed(failure) => panic!("no answer: {failure}"),
    }
}

fn failed(outcome: Outcome) -> Failure {
    match outcome {
        Outcome::Answered(answer) => panic!("an answer: {answer:?}"),
        Outcome::Failed(failure) => failure,
    }
}
