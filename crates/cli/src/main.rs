//! The `fossick` command: reads flags and files, wires the parts together, prints what they say.

mod config;
mod credentials;
mod demo;
mod document;
mod exit;
mod explain;
mod flags;
mod graph;
mod graphql;
mod harvest;
mod init;
mod inside;
mod inspect;
mod instrument;
mod introspection;
mod knock;
mod lab;
mod nearest;
mod plan;
mod probe_name;
mod replay;
mod reset;
mod run_folder;
mod screen;
mod seeds;
mod selection;
mod service;
mod strategy;
mod suite;
mod synth;
mod test;

use clap::Parser as _;
use fossick_native::{Compiler, Places, is_compiler};

use crate::exit::Exit;
use crate::flags::{Command, Fossick};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    without_huge_pages();
    if let Some(code) = in_place_of_a_compiler() {
        return code;
    }
    let fossick = Fossick::parse();
    let result = match fossick.command {
        Command::Test(command) => test::test(&command),
        Command::Replay(flags) => replay::replay(&flags),
        Command::Inspect(flags) => inspect::inspect(&flags),
        Command::Graph(flags) => graph::graph(&flags),
        Command::Explain(flags) => explain::explain(&flags),
        Command::Init(flags) => init::init(&flags),
        Command::Demo(command) => demo::demo(&command),
        Command::Synth(flags) => synth::synth(&flags),
        Command::Lab(flags) => lab::lab(&flags),
        Command::Harvest(command) => harvest::harvest(&command),
        Command::Instrument(flags) => instrument::instrument(&flags),
    };
    result
        .unwrap_or_else(|error| screen::complain(&error))
        .into()
}

/// Where cargo was told to run us for the compiler, it gives the compiler's path first.
fn in_place_of_a_compiler() -> Option<std::process::ExitCode> {
    let first = std::env::args().nth(1)?;
    if !is_compiler(&first) {
        return None;
    }
    let compiler = Compiler::of(std::env::args_os().skip(1))?;
    let places = Places::of_environment();
    let code = compiler.run(places.as_ref()).unwrap_or_else(|error| {
        eprintln!("failed to run {first}: {error}");
        1
    });
    Some(u8::try_from(code).unwrap_or(1).into())
}

/// The allocator asks for huge pages, which hold a third more memory than is used. Where the
/// system refuses, all works as well.
fn without_huge_pages() {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
