//! Serves the Shed by hand: `cargo run -p fossick-demo --example shed -- PORT [twin]`.

use fossick_demo::{Faults, STAFF_TOKEN, serve};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let port = arguments.next().and_then(|port| port.parse().ok());
    let faults = match arguments.next().as_deref() {
        Some("twin") => Faults::None,
        _ => Faults::Planted,
    };
    let service = serve(faults, port.unwrap_or(0))?;
    eprintln!("{} ({faults:?}; staff: {STAFF_TOKEN})", service.url());
    loop {
        std::thread::park();
    }
}
