//! The program as its users meet it: started as a process, judged by what it prints, writes and
//! leaves as its exit code.
//!
//! One test program instead of one for each file: linking takes longer than most of these tests,
//! and runs that mostly wait can share the machine.

mod bad_input;
mod choosing;
mod coverage;
mod credentials;
mod demo;
mod determinism;
mod dying;
mod explain;
mod gates;
mod graph;
mod graphql;
mod harvest;
mod hostile;
mod init;
mod inspect;
mod interruption;
mod lab;
mod library;
mod lock_out;
mod program;
mod python;
mod recording;
mod report;
mod seeds;
mod services;
mod small;
mod started;
mod strategies;
mod suites;
mod synth;
mod tracker;
