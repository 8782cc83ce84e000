//! The frameworks: how each is installed, and how its service is started.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::wire::{Answer, Request};
use crate::machine::{cache, install_packages, node_with, python_with};
use crate::program::{program, run};
use crate::root;

pub(super) struct Framework {
    pub(super) name: &'static str,
    install: fn(&Path) -> Result<()>,
    /// Starts the service in its folder, on a port, for a collector.
    command: fn(&Path, u16, &str) -> Command,
}

/// So many of them are quick to install and to start.
pub(super) const QUICK: usize = 2;

/// The quick ones first.
pub(super) static FRAMEWORKS: [Framework; 4] = [
    Framework {
        name: "express",
        install: |folder| node_with(folder, folder),
        command: express,
    },
    Framework {
        name: "django",
        install: |folder| {
            python_with(&python_folder(folder), &folder.join("requirements.txt")).map(drop)
        },
        command: django,
    },
    Framework {
        name: "symfony",
        install: install_symfony,
        command: symfony,
    },
    Framework {
        name: "spring",
        install: build_spring,
        command: spring,
    },
];

/// A service that ends with its owner.
pub(super) struct Running {
    child: Child,
    port: u16,
}

impl Framework {
    /// Where the service is run: a copy, so that nothing is left among the sources.
    fn folder(&self) -> PathBuf {
        cache().join("middleware").join(self.name)
    }

    pub(super) fn install(&self) -> Result<()> {
        let from = root().join("testdata/harvest/middleware").join(self.name);
        copy(&from, &self.folder())?;
        (self.install)(&self.folder())
    }

    pub(super) fn start(&self, collector: u16) -> Result<Running> {
        let port = free_port()?;
        let collector = format!("http://127.0.0.1:{collector}/");
        let mut command = (self.command)(&self.folder(), port, &collector);
        let log = self.folder().join("service.log");
        let file = File::create(&log).context("failed to make a log")?;
        command.current_dir(self.folder()).stdin(Stdio::null());
        command.stdout(file.try_clone()?).stderr(file);
        let child = command
            .spawn()
            .with_context(|| format!("failed to start the service of {}", self.name))?;
        let mut running = Running { child, port };
        running
            .is_ready()
            .with_context(|| format!("{} tells why", log.display()))?;
        Ok(running)
    }
}

const READY_WITHIN: Duration = Duration::from_mins(1);

impl Running {
    pub(super) fn ask(&self, request: &Request) -> Result<Answer> {
        request.ask(self.port)
    }

    fn is_ready(&mut self) -> Result<()> {
        let until = Instant::now() + READY_WITHIN;
        while Instant::now() < until {
            let answer = self.ask(&Request::new("GET", "/books?tag=ready"));
            if answer.is_ok_and(|answer| answer.status == 200) {
                return Ok(());
            }
            if let Some(status) = self.child.try_wait()? {
                bail!("the service ended with {status}");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        bail!("the service was not ready in time")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail where it has ended already, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Free a moment ago, which must do: none of the services tells which it took.
fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Copies what is there; what was installed beside it before stays.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("failed to make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("failed to list {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)
                .with_context(|| format!("failed to copy {}", entry.path().display()))?;
        }
    }
    Ok(())
}

fn express(_: &Path, port: u16, collector: &str) -> Command {
    let mut command = Command::new("node");
    command.args(["service.js", &port.to_string(), collector]);
    command
}

fn python_folder(folder: &Path) -> PathBuf {
    folder.join("python")
}

fn django(folder: &Path, port: u16, collector: &str) -> Command {
    let mut command = Command::new(python_folder(folder).join("bin/python"));
    command.args(["-B", "service.py", &port.to_string(), collector]);
    command
}

/// The distribution's own Symfony: its packages need no registry of PHP.
const SYMFONY: &str = "/usr/share/php/Symfony/Bundle/FrameworkBundle/autoload.php";

fn install_symfony(folder: &Path) -> Result<()> {
    // What an older version of the service compiled is none of this one's work.
    let var = folder.join("var");
    if var.exists() {
        fs::remove_dir_all(&var).context("failed to make room for the service")?;
    }
    if Path::new(SYMFONY).exists() && crate::program::find("php").is_some() {
        return Ok(());
    }
    install_packages(&[
        "php-cli",
        "php-mbstring",
        "php-xml",
        "php-symfony-framework-bundle",
    ])
}

fn symfony(folder: &Path, port: u16, collector: &str) -> Command {
    let mut command = Command::new("php");
    command.args(["-S", &format!("127.0.0.1:{port}"), "service.php"]);
    command
        .env("AUTOLOAD", SYMFONY)
        .env("WORK", folder)
        .env("COLLECTOR", collector);
    command
}

fn build_spring(folder: &Path) -> Result<()> {
    let mut maven = program("mvn");
    maven
        .args(["-B", "-ntp", "-q", "package"])
        .current_dir(folder);
    run(maven)
}

fn spring(_: &Path, port: u16, collector: &str) -> Command {
    let mut command = Command::new("java");
    command.args(["-jar", "target/service.jar", "--server.address=127.0.0.1"]);
    command.arg(format!("--server.port={port}"));
    command.arg(format!("--harvest.collector={collector}"));
    command
}
