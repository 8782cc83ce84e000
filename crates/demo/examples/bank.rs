//! Serves the Seed Bank by hand: `cargo run -p fossick-demo --example bank -- PORT [twin|only:FAULT|without:FAULT]`.

use fossick_demo::{Faults, PLANTED_GRAPHQL, serve_graphql};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let port = arguments.next().and_then(|port| port.parse().ok());
    let told = arguments.next();
    let Some(faults) = Faults::told(told.as_deref(), &PLANTED_GRAPHQL) else {
        return Err(std::io::Error::other(
            "write twin, only:FAULT or without:FAULT",
        ));
    };
    let service = serve_graphql(faults, port.unwrap_or(0))?;
    eprintln!("{}/graphql ({faults:?})", service.url());
    loop {
        std::thread::park();
    }
}
