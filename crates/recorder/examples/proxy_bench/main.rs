//! What recording costs: the same load sent straight to a fast upstream, through a plain reverse
//! proxy and through the recording one, side by side and in turns.
//!
//! `proxy_bench [SECONDS]` starts itself in each role, as a process of its own, and prints lines
//! for `cargo xtask bench`; the last runs SECONDS to see whether memory stays flat.

#![expect(clippy::print_stdout, reason = "an example that prints figures")]

mod load;
mod plain;
mod recording;
mod turns;
mod upstream;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type AnyError = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), AnyError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] => turns::take(60),
        ["upstream"] => upstream::run(),
        ["plain", upstream] => plain::run(upstream, true),
        ["plain-one", upstream] => plain::run(upstream, false),
        ["recording", upstream] => recording::run(upstream, false),
        ["stuck", upstream] => recording::run(upstream, true),
        ["load", to, connections, seconds] => load::run(to, connections.parse()?, seconds.parse()?),
        [seconds] => turns::take(seconds.parse()?),
        _ => Err("usage: proxy_bench [SECONDS]".into()),
    }
}
