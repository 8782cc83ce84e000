//! Probes carried in the binary, and how they get into a service.
//!
//! A service is started with an environment that makes its runtime load the probe: `PYTHONPATH`
//! for Python, `NODE_OPTIONS` for Node.js, `JAVA_TOOL_OPTIONS` for the JVM. Nothing of the user's is
//! changed: neither files nor the environment of anything else. These are offered to every service,
//! because a command seldom says what it ends up running; a runtime that is not there takes no
//! notice. A program in Rust has to be built with its probe, in a folder of its own, so that is done
//! only where it is meant.

mod carried;
mod language;
mod rust;

use std::path::{Path, PathBuf};
use std::{env, io};

use fossick_service::Launch;

pub use carried::unpack;
pub use language::{Language, recognise};

/// What a probe in the service has to know.
#[derive(Debug, Clone)]
pub struct Injection {
    /// Where the carried probes were unpacked.
    pub probes: PathBuf,
    /// The socket at which the tool listens.
    pub socket: PathBuf,
    /// The same for a runtime without such sockets: a port of this machine and a secret.
    pub port: Option<String>,
    /// What is the user's own code: folders, files or names of packages.
    pub cover: Vec<String>,
    /// Where probes may keep what they have rewritten.
    pub cache: PathBuf,
    /// This program, which rewrites JavaScript for the probe.
    pub binary: PathBuf,
    /// Only this probe; all of them if none is named.
    pub only: Option<Language>,
}

impl Injection {
    /// The launch of a service, with the probes loaded.
    pub fn applied_to(&self, launch: &Launch) -> Launch {
        let mut launch = launch.clone();
        let own = |path: &Path| path.display().to_string();
        let mut set: Vec<(&str, String)> = vec![
            ("FOSSICK_PROBE", own(&self.socket)),
            ("FOSSICK_COVER", self.cover.join(":")),
            ("FOSSICK_PROBE_CACHE", own(&self.cache)),
            ("FOSSICK_BINARY", own(&self.binary)),
        ];
        if self.offers(Language::Python) {
            let folder = own(&self.probes.join("python/inject"));
            set.push((
                "PYTHONPATH",
                before(&folder, ":", &told(&launch, "PYTHONPATH")),
            ));
        }
        if self.offers(Language::Node) {
            let register = self.probes.join("node/register.cjs");
            let load = format!("--require {}", quoted(&own(&register)));
            set.push((
                "NODE_OPTIONS",
                before(&load, " ", &told(&launch, "NODE_OPTIONS")),
            ));
        }
        if self.builds(&launch.text()) && rust::conflict(&launch).is_none() {
            set.extend(rust::environment(self, &launch));
        }
        if self.offers(Language::Jvm) {
            let agent = own(&self.probes.join("jvm/dist/fossick-probe.jar"));
            let load = format!("-javaagent:{}", quoted_for_java(&agent));
            set.push((
                "JAVA_TOOL_OPTIONS",
                before(&load, " ", &told(&launch, "JAVA_TOOL_OPTIONS")),
            ));
            let port = self.port.clone().unwrap_or_default();
            set.push(("FOSSICK_PROBE_TCP", port));
        }
        for (name, value) in set {
            launch.environment.retain(|(known, _)| known != name);
            launch.environment.push((name.to_owned(), value));
        }
        launch
    }

    /// Whether a program in Rust is to be built for a command.
    fn builds(&self, command: &str) -> bool {
        match self.only {
            Some(only) => only == Language::Rust,
            None => recognise(command) == Some(Language::Rust),
        }
    }

    /// Why a service in Rust has no probe, where that is known: before it is built, or after.
    pub fn trouble(&self, launch: &Launch) -> Option<String> {
        if !self.builds(&launch.text()) {
            return None;
        }
        rust::conflict(launch).or_else(|| rust::note(self))
    }

    fn offers(&self, language: Language) -> bool {
        self.only.is_none_or(|only| only == language)
    }
}

/// What a service would see of a variable without us.
fn told(launch: &Launch, name: &str) -> String {
    let own = launch.environment.iter().find(|(known, _)| known == name);
    match own {
        Some((_, value)) => value.clone(),
        None => inherited(name),
    }
}

fn inherited(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// One before the other, whichever of them says something.
fn before(first: &str, between: &str, rest: &str) -> String {
    if first.is_empty() || rest.is_empty() {
        return format!("{first}{rest}");
    }
    format!("{first}{between}{rest}")
}

/// As Node.js reads its options: quotes hold blanks together.
fn quoted(path: &str) -> String {
    if path.contains([' ', '"', '\\']) {
        let escaped = path.replace('\\', "\\\\").replace('"', "\\\"");
        return format!("\"{escaped}\"");
    }
    path.to_owned()
}

/// As the JVM reads its options: between quotes nothing is special, and there is no escaping them.
fn quoted_for_java(path: &str) -> String {
    match (path.contains([' ', '\t', '\'']), path.contains('"')) {
        (true, false) => format!("\"{path}\""),
        (_, true) => format!("'{path}'"),
        (false, false) => path.to_owned(),
    }
}

/// A socket's path that is short enough for the system, and nobody else's.
pub fn socket_path(number: usize) -> PathBuf {
    let name = format!("fossick-{}-{number}.sock", std::process::id());
    env::temp_dir().join(name)
}

/// The user's own code: what was said, relative to where the service runs; else all that lies there.
pub fn cover(told: &[String], folder: Option<&Path>) -> io::Result<Vec<String>> {
    let here = env::current_dir()?;
    let folder = folder.map_or_else(|| here.clone(), |folder| here.join(folder));
    if told.is_empty() {
        return Ok(vec![folder.display().to_string()]);
    }
    let absolute = |word: &String| {
        // Relative to the service, or to where the user stands.
        let places = [folder.join(word), here.join(word)];
        let found = places.iter().find(|path| path.exists());
        found.map_or_else(|| word.clone(), |path| path.display().to_string())
    };
    Ok(told.iter().map(absolute).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn injection() -> Injection {
        Injection {
            probes: "/p r".into(),
            socket: "/s".into(),
            port: Some("127.0.0.1:9/x".to_owned()),
            cover: vec!["/app".to_owned(), "shop".to_owned()],
            cache: "/c".into(),
            binary: "/b".into(),
            only: None,
        }
    }

    fn value(launch: &Launch, name: &str) -> Option<String> {
        let mut all = launch.environment.iter().filter(|(known, _)| known == name);
        let found = all.next().map(|(_, value)| value.clone());
        assert!(all.next().is_none(), "{name} is set once");
        found
    }

    #[test]
    fn what_the_user_set_stays_behind_ours() {
        let mut launch = Launch::line("uvicorn app:app");
        launch.environment = vec![
            ("PYTHONPATH".to_owned(), "lib".to_owned()),
            ("NODE_OPTIONS".to_owned(), "--no-warnings".to_owned()),
            ("JAVA_TOOL_OPTIONS".to_owned(), "-Xmx1g".to_owned()),
        ];
        let launch = injection().applied_to(&launch);
        assert_eq!(
            value(&launch, "PYTHONPATH").as_deref(),
            Some("/p r/python/inject:lib")
        );
        let options = "--require \"/p r/node/register.cjs\" --no-warnings";
        assert_eq!(value(&launch, "NODE_OPTIONS").as_deref(), Some(options));
        let options = "-javaagent:\"/p r/jvm/dist/fossick-probe.jar\" -Xmx1g";
        assert_eq!(
            value(&launch, "JAVA_TOOL_OPTIONS").as_deref(),
            Some(options)
        );
        assert_eq!(
            value(&launch, "FOSSICK_PROBE_TCP").as_deref(),
            Some("127.0.0.1:9/x")
        );
        assert_eq!(
            value(&launch, "FOSSICK_COVER").as_deref(),
            Some("/app:shop")
        );
    }

    #[test]
    fn a_probe_that_is_not_wanted_is_not_offered() {
        let mut injection = injection();
        injection.only = Some(Language::Python);
        let launch = injection.applied_to(&Launch::line("node app.js"));
        assert_eq!(value(&launch, "NODE_OPTIONS"), None);
        assert_eq!(value(&launch, "JAVA_TOOL_OPTIONS"), None);
        assert!(value(&launch, "PYTHONPATH").is_some());
    }

    #[test]
    fn only_what_cargo_runs_is_built_with_a_probe() {
        let launch = injection().applied_to(&Launch::line("cargo run -- --port 1"));
        assert_eq!(
            value(&launch, "RUSTC_WORKSPACE_WRAPPER").as_deref(),
            Some("/b")
        );
        assert!(value(&launch, "CARGO_TARGET_DIR").is_some_and(|it| it.starts_with("/c/")));
        let mut launch = Launch::line("cargo run");
        launch.environment = vec![("RUSTFLAGS".to_owned(), "-Dwarnings".to_owned())];
        let launch = injection().applied_to(&launch);
        let flags = value(&launch, "RUSTFLAGS").unwrap_or_default();
        assert!(flags.starts_with("-Dwarnings -C"), "{flags}");
        let launch = injection().applied_to(&Launch::line("./start.sh"));
        assert_eq!(value(&launch, "RUSTC_WORKSPACE_WRAPPER"), None);
        let mut named = injection();
        named.only = Some(Language::Rust);
        let launch = named.applied_to(&Launch::line("./start.sh"));
        assert!(value(&launch, "RUSTC_WORKSPACE_WRAPPER").is_some());
    }

    #[test]
    fn a_wrapper_of_the_users_own_is_left_alone() {
        let mut launch = Launch::line("cargo run");
        launch.environment = vec![("RUSTC_WORKSPACE_WRAPPER".to_owned(), "mine".to_owned())];
        assert!(
            injection()
                .trouble(&launch)
                .is_some_and(|why| why.contains("mine"))
        );
        let launch = injection().applied_to(&launch);
        assert_eq!(
            value(&launch, "RUSTC_WORKSPACE_WRAPPER").as_deref(),
            Some("mine")
        );
    }

    #[test]
    fn own_code_is_where_the_service_runs_unless_told() {
        let all = cover(&[], Some(Path::new("src"))).expect("there is a folder");
        assert!(all[0].ends_with("/src") && all.len() == 1, "{all:?}");
        let named = cover(&["src".to_owned(), "shop.app".to_owned()], None).expect("likewise");
        assert!(named[0].ends_with("inject/src"), "{named:?}");
        assert_eq!(named[1], "shop.app");
    }
}
