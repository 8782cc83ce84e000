//! `cargo xtask bench`: how fast fossick is and what it needs, beside other tools.
//!
//! Everything happens on loopback; where `taskset` is there the server keeps to one core and the
//! client to another, so that neither borrows from the other. One run is one run: repeat it before
//! believing a difference.

mod genes;
mod harvest;
mod meter;
mod null;
mod overhead;
mod proxy;
mod reading;
mod server;
mod table;
mod tracker;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::machine::install_missing;
use crate::program::{cargo, run};
use crate::{root, target};

pub(crate) fn bench(arguments: &[&str]) -> Result<()> {
    let corpus = match arguments {
        [] => None,
        ["--corpus", folder] => Some(Path::new(folder)),
        _ => bail!("usage: cargo xtask bench [--corpus DIR]"),
    };
    build()?;
    install_missing(&["wrk"])?;
    println!("\n{}", null::table()?);
    println!("\n{}", tracker::table()?);
    println!("\n{}", reading::table(corpus)?);
    println!("\n{}", overhead::table()?);
    println!("\n{}", harvest::table()?);
    println!("\n{}", genes::speed()?);
    println!("\n{}", proxy::tables()?);
    Ok(())
}

fn build() -> Result<()> {
    run(cargo(&["build", "--release", "--package", "fossick-cli"]))?;
    example("xtask", "null_server")?;
    example("fossick-transport", "load")?;
    example("fossick-search", "overhead")?;
    example("fossick-genes", "speed")?;
    example("fossick-harvest", "frontapp")?;
    example("fossick-recorder", "proxy_bench")
}

fn example(package: &str, name: &str) -> Result<()> {
    run(cargo(&[
        "build",
        "--release",
        "--package",
        package,
        "--example",
        name,
    ]))
}

/// What was built for release.
fn built(name: &str) -> PathBuf {
    target().join("release").join(name)
}

fn fossick() -> PathBuf {
    built("fossick")
}

/// A folder for what the runs write.
fn scratch() -> PathBuf {
    crate::machine::cache().join("bench")
}

/// A path below the root of the project.
fn project(path: &str) -> PathBuf {
    root().join(path)
}
