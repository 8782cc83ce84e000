//! Serves the Seed Bank by hand: `cargo run -p fossick-demo --example bank -- PORT [twin]`.

use fossick_demo::{Faults, serve_graphql};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let port = arguments.next().and_then(|port| port.parse().ok());
    let faults = match arguments.next().as_deref() {
        Some("twin") => Faults::None,
        _ => Faults::Planted,
    };
    let service = serve_graphql(faults, port.unwrap_or(0))?;
    eprintln!("{}/graphql ({faults:?})", service.url());
    loop {
        std::thread::park();
    }
}
