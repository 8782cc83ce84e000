//! The services over real sockets: every check, what is counted, and what the probe tells.

mod caller;
mod checks;
mod counting;
mod probing;

use caller::Caller;
use fossick_synth::{Model, Service, serve};

fn service(name: &str) -> (Service, Caller) {
    let model = Model::named(name).expect("it is one of the twelve");
    let service = serve(&model, 0).expect("loopback has a free port");
    let caller = Caller::to(&service);
    (service, caller)
}
