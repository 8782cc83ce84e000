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

use crate::exit::Exit;
use crate::flags::{Command, Fossick};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    without_huge_pages();
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
