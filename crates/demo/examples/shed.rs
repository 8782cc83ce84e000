//! Serves the Shed by hand: `cargo run -p fossick-demo --example shed -- PORT [twin|only:FAULT|without:FAULT]`.

use fossick_demo::{Faults, PLANTED, STAFF_TOKEN, serve};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let port = arguments.next().and_then(|port| port.parse().ok());
    let told = arguments.next();
    let Some(faults) = Faults::told(told.as_deref(), &PLANTED) else {
        return Err(std::io::Error::other(
            "write twin, only:FAULT or without:FAULT",
        ));
    };
    let service = serve(faults, port.unwrap_or(0))?;
    eprintln!("{} ({faults:?}; staff: {STAFF_TOKEN})", service.url());
    loop {
        std::thread::park();
    }
}
