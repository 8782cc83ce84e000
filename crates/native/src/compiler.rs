//! What cargo runs in place of the compiler for the packages of the user's own workspace.
//!
//! Cargo gives the compiler's path and its arguments. Where they fit, flags are added; where they
//! don't, the compiler runs as if we were not there, and a note says why.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use crate::library::{COUNTING, Library, Unfit};
use crate::mapped::mapped;

/// Whether a program's first argument is a compiler, so that cargo runs it in place of one.
pub fn is_compiler(argument: &str) -> bool {
    let name = Path::new(argument)
        .file_stem()
        .and_then(|name| name.to_str());
    name == Some("rustc")
}

/// A call of the compiler, as cargo has it.
#[derive(Debug)]
pub struct Compiler {
    program: OsString,
    arguments: Vec<OsString>,
}

/// Where things are.
#[derive(Debug, Clone)]
pub struct Places {
    /// The source of the probe.
    pub source: PathBuf,
    /// What is kept.
    pub cache: PathBuf,
    /// The package that is compiled: its name and its folder.
    pub package: Option<(OsString, PathBuf)>,
    /// Where cargo puts what it makes: whatever lies there is nobody's own source.
    pub made: Option<PathBuf>,
}

/// What is made of a call.
#[derive(Debug, PartialEq, Eq)]
enum Making {
    /// A library of the service.
    Library,
    /// A program, at a path.
    Program(PathBuf),
    /// What runs while others are compiled, or is loaded by others: it does without.
    Aside,
    /// Nothing that is linked.
    Other,
    Unfit(String),
}

impl Compiler {
    /// The arguments behind our own name.
    pub fn of(arguments: impl IntoIterator<Item = OsString>) -> Option<Self> {
        let mut arguments = arguments.into_iter();
        let program = arguments.next()?;
        Some(Self {
            program,
            arguments: arguments.collect(),
        })
    }

    /// Runs the compiler and gives its exit code. Without places it only runs.
    pub fn run(&self, places: Option<&Places>) -> io::Result<i32> {
        let Some(places) = places else {
            return self.compile(&[]);
        };
        let making = Call::of(&self.arguments).making();
        if making == Making::Other {
            return self.compile(&[]);
        }
        let unfit = match &making {
            Making::Unfit(why) => Err(Unfit::Because(why.clone())),
            _ => Library::of(&self.program, &places.source, &places.cache),
        };
        let library = match unfit {
            Ok(library) => library,
            Err(Unfit::Because(why)) => {
                places.tell(&why);
                return self.compile(&[]);
            }
            Err(Unfit::World(error)) => {
                places.tell(&error.to_string());
                return self.compile(&[]);
            }
        };
        match making {
            Making::Program(program) => self.program(&program, &library, places),
            Making::Library => {
                places.remember_package();
                self.compile(&self.counting())
            }
            _ => {
                let mut link = OsString::from("-Clink-arg=");
                link.push(library.idle());
                self.compile(&[link])
            }
        }
    }

    fn program(&self, program: &Path, library: &Library, places: &Places) -> io::Result<i32> {
        places.remember_package();
        let mut added = self.counting();
        let mut folder = OsString::from("-Lnative=");
        folder.push(&library.folder);
        added.push(folder);
        added.push(format!("-lstatic={}", Library::NAME).into());
        let code = self.compile(&added)?;
        if code == 0 {
            let without = places.made.as_slice();
            match mapped(program, &places.packages(), without) {
                Ok(()) => places.tell_nothing(),
                Err(why) => places.tell(&format!("{} can't be mapped: {why}", program.display())),
            }
        }
        Ok(code)
    }

    /// Conditions stay as they were written only where nothing is optimised.
    fn counting(&self) -> Vec<OsString> {
        let call = Call::of(&self.arguments);
        let mut added: Vec<String> = COUNTING.map(str::to_owned).to_vec();
        added.extend(
            [
                "-Copt-level=0",
                "-Cdebuginfo=line-tables-only",
                "-Csplit-debuginfo=off",
                "-Cstrip=none",
                "-Csymbol-mangling-version=v0",
            ]
            .map(str::to_owned),
        );
        // What they are by default hangs on the level; the service keeps its own.
        if call.codegen("debug-assertions").is_none() {
            let is_plain = call.codegen("opt-level").is_none_or(|level| level == "0");
            added.push(format!(
                "-Cdebug-assertions={}",
                if is_plain { "on" } else { "off" }
            ));
        }
        added.into_iter().map(OsString::from).collect()
    }

    fn compile(&self, added: &[OsString]) -> io::Result<i32> {
        let status = Command::new(&self.program)
            .args(&self.arguments)
            .args(added)
            .status()?;
        Ok(status.code().unwrap_or(1))
    }
}

impl Places {
    /// As fossick and cargo tell them.
    pub fn of_environment() -> Option<Self> {
        let path = |name| env::var_os(name).map(PathBuf::from);
        Some(Self {
            source: path("FOSSICK_RUST")?,
            cache: path("FOSSICK_PROBE_CACHE")?,
            package: env::var_os("CARGO_PKG_NAME").zip(path("CARGO_MANIFEST_DIR")),
            made: path("CARGO_TARGET_DIR"),
        })
    }

    fn note(&self) -> PathBuf {
        self.cache.join("rust-note")
    }

    /// For whoever wonders why nothing is seen. A note that can't be written is no reason not to compile.
    fn tell(&self, why: &str) {
        let _ = fs::create_dir_all(&self.cache);
        let _ = fs::write(self.note(), why);
    }

    fn tell_nothing(&self) {
        let _ = fs::remove_file(self.note());
    }

    fn kept(&self) -> PathBuf {
        self.cache.join("rust-packages")
    }

    fn remember_package(&self) {
        if let Some((name, folder)) = &self.package {
            let _ = fs::create_dir_all(self.kept());
            let folder = folder.as_os_str().as_encoded_bytes();
            let _ = fs::write(self.kept().join(name), folder);
        }
    }

    /// The packages of the workspace that were compiled so far, by their names.
    fn packages(&self) -> Vec<(String, PathBuf)> {
        let entries = fs::read_dir(self.kept()).into_iter().flatten().flatten();
        let package = |entry: fs::DirEntry| {
            let folder = fs::read_to_string(entry.path()).ok()?;
            let folder = fs::canonicalize(folder).ok()?;
            Some((entry.file_name().into_string().ok()?, folder))
        };
        let mut packages: Vec<_> = entries.filter_map(package).collect();
        packages.sort();
        packages
    }
}

/// The arguments of the compiler, as far as they matter here.
#[derive(Debug, Default)]
struct Call<'a> {
    name: Option<&'a str>,
    types: Vec<&'a str>,
    codegen: Vec<&'a str>,
    folder: Option<&'a str>,
    output: Option<&'a str>,
    target: Option<&'a str>,
    links: bool,
    is_test: bool,
    is_elsewhere: bool,
}

impl<'a> Call<'a> {
    fn of(arguments: &'a [OsString]) -> Self {
        let mut call = Self::default();
        let mut words = arguments.iter().filter_map(|word| word.to_str());
        while let Some(word) = words.next() {
            let (name, given) = match word.split_once('=') {
                Some((name, value)) if word.starts_with("--") => (name, Some(value)),
                _ => (word, None),
            };
            let mut value = || given.or_else(|| words.next());
            match name {
                "--crate-name" => call.name = value(),
                "--crate-type" => call.types.extend(value()),
                "--out-dir" => call.folder = value(),
                "-o" => call.output = value(),
                "--target" => call.target = value(),
                "--test" => call.is_test = true,
                "--emit" => {
                    let emitted = value().unwrap_or_default();
                    call.links = emitted
                        .split(',')
                        .any(|it| it.split('=').next() == Some("link"));
                }
                "-C" | "--codegen" => call.codegen.extend(value()),
                _ => {
                    call.codegen.extend(word.strip_prefix("-C"));
                    call.is_elsewhere |= word.starts_with('@');
                }
            }
        }
        call
    }

    /// The last value of an option.
    fn codegen(&self, name: &str) -> Option<&'a str> {
        let values = self.codegen.iter().rev();
        let mut values = values.map(|option| option.split_once('=').unwrap_or((option, "")));
        values
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    fn making(&self) -> Making {
        let Some(name) = self.name.filter(|_| self.links && !self.is_elsewhere) else {
            return Making::Other;
        };
        if name.starts_with("build_script_") {
            return Making::Aside;
        }
        if let Some(why) = self.misfit() {
            return Making::Unfit(why);
        }
        if self.is_test || self.types.contains(&"bin") {
            return match self.program(name) {
                Some(program) => Making::Program(program),
                None => Making::Other,
            };
        }
        let is_library = |it: &&str| matches!(*it, "lib" | "rlib");
        if !self.types.is_empty() && self.types.iter().all(is_library) {
            return Making::Library;
        }
        Making::Aside
    }

    fn misfit(&self) -> Option<String> {
        let fits = |target: &str| target.starts_with("x86_64-") && target.ends_with("-linux-gnu");
        if let Some(target) = self.target.filter(|target| !fits(target)) {
            return Some(format!(
                "services for {target} have no probe, only those for x86_64 Linux with glibc"
            ));
        }
        if self.target.is_none() && !is_host_fit() {
            return Some("Rust services have a probe only on x86_64 Linux".to_owned());
        }
        let is_static =
            |option: &&str| option.starts_with("target-feature") && option.contains("+crt-static");
        if self.codegen.iter().any(is_static) {
            return Some("the service is linked statically (crt-static)".to_owned());
        }
        let lto = self.codegen("lto").unwrap_or("off");
        if !matches!(lto, "off" | "n" | "no" | "false")
            || self.codegen("linker-plugin-lto").is_some()
        {
            return Some(
                "the profile optimises while linking: set `lto = \"off\"` in it".to_owned(),
            );
        }
        None
    }

    fn program(&self, name: &str) -> Option<PathBuf> {
        if let Some(output) = self.output {
            return Some(PathBuf::from(output));
        }
        let suffix = self.codegen("extra-filename").unwrap_or_default();
        Some(Path::new(self.folder?).join(format!("{name}{suffix}")))
    }
}

fn is_host_fit() -> bool {
    cfg!(all(target_arch = "x86_64", target_os = "linux"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn making(line: &str) -> Making {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        Call::of(&arguments).making()
    }

    const EMIT: &str = "--emit=dep-info,metadata,link";

    #[test]
    fn programs_and_libraries_of_the_service_count() {
        let bin = format!(
            "--crate-name shop src/main.rs --crate-type bin {EMIT} -C opt-level=3 -C extra-filename=-1a2b --out-dir /t/deps"
        );
        assert_eq!(making(&bin), Making::Program("/t/deps/shop-1a2b".into()));
        let lib = format!("--crate-name shop src/lib.rs --crate-type lib {EMIT} --out-dir /t");
        assert_eq!(making(&lib), Making::Library);
    }

    #[test]
    fn what_runs_while_the_service_is_built_does_without() {
        for line in [
            "--crate-name build_script_build build.rs --crate-type bin",
            "--crate-name names src/lib.rs --crate-type proc-macro",
            "--crate-name plugin src/lib.rs --crate-type cdylib",
        ] {
            assert_eq!(
                making(&format!("{line} {EMIT} --out-dir /t")),
                Making::Aside,
                "{line}"
            );
        }
        assert_eq!(making("-vV"), Making::Other);
        assert_eq!(
            making("--crate-name a a.rs --crate-type lib --emit=metadata"),
            Making::Other
        );
    }

    #[test]
    fn what_does_not_fit_says_why() {
        let bin = format!("--crate-name shop src/main.rs --crate-type bin {EMIT} --out-dir /t");
        for (more, word) in [
            ("--target x86_64-unknown-linux-musl", "musl"),
            ("-C target-feature=+crt-static", "crt-static"),
            ("-C lto=fat", "lto"),
        ] {
            let Making::Unfit(why) = making(&format!("{bin} {more}")) else {
                panic!("{more} does not fit");
            };
            assert!(why.contains(word), "{why}");
        }
        let fitting = making(&format!("{bin} --target x86_64-unknown-linux-gnu"));
        assert!(matches!(fitting, Making::Program(_)), "{fitting:?}");
    }

    #[test]
    fn a_compiler_is_known_by_its_name() {
        assert!(is_compiler("/usr/lib/rustup/bin/rustc") && is_compiler("rustc"));
        assert!(!is_compiler("test") && !is_compiler("rustc.rs/x") && !is_compiler("--help"));
    }
}
