//! A PostgreSQL server of one's own: a real one, thrown away afterwards.
//!
//! The cluster is made in a temporary folder and listens on loopback, where it trusts everybody.
//! It syncs its disk as in earnest. A small shell keeps it and hears commands through a pipe; when
//! the pipe ends, even because the test was killed, the shell ends the server and removes the
//! folder. PostgreSQL refuses to run as root, so root hands it to the user `postgres`.
//!
//! Only the standard library is used: chores of the project include this file as it is.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The URL of a server that is there already.
pub const VARIABLE: &str = "FOSSICK_TEST_POSTGRES";

/// Hears `make`, `start` and `kill`, and tells what is done. Whoever asks may be killed at any
/// moment; having nobody to tell is no reason to end untidily.
const KEEPER: &str = r#"
trap '' PIPE INT HUP
folder=$1; port=$2; bin=$3; as=$4
make() {
    mkdir "$folder" || return
    if [ -n "$as" ]; then chown postgres "$folder"; fi
    # Nothing is in it yet that a loss of power could take.
    $as "$bin/initdb" -D "$folder/data" -A trust -U postgres -E UTF8 --locale=C --no-sync \
        >>"$folder/log" 2>&1 </dev/null && echo made
}
alive() { kill -0 "$server" 2>/dev/null; }
ready() { "$bin/pg_isready" -q -h 127.0.0.1 -p "$port"; }
start() {
    # What is left of one that was killed may be in the way for a moment.
    for again in 1 2 3 4 5 6 7 8 9 10; do
        $as "$bin/postgres" -D "$folder/data" -p "$port" -k "$folder" \
            -c listen_addresses=127.0.0.1 -c max_connections=60 -c shared_buffers=32MB \
            </dev/null >>"$folder/log" 2>&1 &
        server=$!
        while alive; do
            if ready; then echo started; return; fi
            sleep 0.1
        done
        sleep 0.3
    done
    return 1
}
while read -r word; do
    case $word in
        make) make || echo failed ;;
        start) start || echo failed ;;
        kill) kill -9 "$server"; wait "$server" 2>/dev/null; echo killed ;;
    esac
done
if [ -n "$server" ]; then
    kill -INT "$server" 2>/dev/null
    wait "$server" 2>/dev/null
fi
rm -rf "$folder"
"#;

/// A server that ends with the value.
#[derive(Debug)]
pub struct Cluster {
    port: u16,
    folder: PathBuf,
    keeper: Child,
    commands: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// Where the newest PostgreSQL has its programs, if there is one.
pub fn binaries() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let mut found: Vec<PathBuf> = versions
        .flatten()
        .map(|version| version.path().join("bin"))
        .filter(|bin| bin.join("initdb").is_file())
        .collect();
    found.sort();
    found.pop()
}

impl Cluster {
    /// Makes and starts one, or says why it can't.
    pub fn start() -> Result<Self, String> {
        let bin = binaries().ok_or("no PostgreSQL below /usr/lib/postgresql: install it")?;
        let folder = new_folder();
        let port = free_port().map_err(|error| error.to_string())?;
        let mut keeper = keeper(&folder, port, &bin).map_err(|error| error.to_string())?;
        let commands = keeper.stdin.take();
        let answers = keeper.stdout.take().ok_or("the keeper has no output")?;
        let mut cluster = Self {
            port,
            folder,
            keeper,
            commands,
            answers: BufReader::new(answers),
        };
        cluster.tell("make", "made")?;
        cluster.restart()?;
        Ok(cluster)
    }

    /// The URL of the database that every server has.
    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// Everything that the server writes is below it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Ends the server as a loss of power does: nothing is said, nothing is written.
    pub fn kill(&mut self) -> Result<(), String> {
        self.tell("kill", "killed")
    }

    pub fn restart(&mut self) -> Result<(), String> {
        self.tell("start", "started")
    }

    fn tell(&mut self, word: &str, wanted: &str) -> Result<(), String> {
        let commands = self.commands.as_mut().ok_or("the keeper has gone")?;
        writeln!(commands, "{word}").map_err(|error| error.to_string())?;
        let mut answer = String::new();
        let heard = self.answers.read_line(&mut answer);
        heard.map_err(|error| error.to_string())?;
        if answer.trim() == wanted {
            return Ok(());
        }
        let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        Err(format!("PostgreSQL did not {word}: {log}"))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.commands = None;
        let _ = self.keeper.wait();
    }
}

fn new_folder() -> PathBuf {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let name = format!("fossick-postgres-{}-{number}", std::process::id());
    std::env::temp_dir().join(name)
}

fn free_port() -> std::io::Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    Ok(listener.local_addr()?.port())
}

fn run(command: &mut Command) -> Result<(), String> {
    let done = command.stdin(Stdio::null()).output();
    let done = done.map_err(|error| format!("failed to start {command:?}: {error}"))?;
    if done.status.success() {
        return Ok(());
    }
    let why = String::from_utf8_lossy(&done.stderr).into_owned();
    Err(format!("{command:?} failed: {why}"))
}

fn keeper(folder: &Path, port: u16, bin: &Path) -> std::io::Result<Child> {
    Command::new("sh")
        .args(["-c", KEEPER, "keeper"])
        .arg(folder)
        .arg(port.to_string())
        .arg(bin)
        .arg(as_whom())
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.starts_with(b"0\n"))
}

/// The words before a command that PostgreSQL accepts.
fn as_whom() -> &'static str {
    if is_root() {
        "setpriv --reuid=postgres --regid=postgres --clear-groups"
    } else {
        ""
    }
}

/// A server for many tests, each with a database of its own.
#[derive(Debug, Clone)]
pub struct Server {
    url: String,
    /// Ends with the last test that uses it.
    _cluster: Option<Arc<Cluster>>,
}

/// The server that the environment names; else one that is started, and shared by the tests of a
/// process; else none, which is said.
pub fn server() -> Option<Server> {
    static SHARED: Mutex<Weak<Cluster>> = Mutex::new(Weak::new());
    if let Ok(url) = std::env::var(VARIABLE) {
        return Some(Server {
            url,
            _cluster: None,
        });
    }
    if binaries().is_none() {
        eprintln!("left out: there is no PostgreSQL, and {VARIABLE} names none");
        return None;
    }
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let cluster = shared.upgrade().unwrap_or_else(|| {
        let cluster = Cluster::start().expect("PostgreSQL starts where it is installed");
        Arc::new(cluster)
    });
    *shared = Arc::downgrade(&cluster);
    Some(Server {
        url: cluster.url(),
        _cluster: Some(cluster),
    })
}

impl Server {
    /// A new and empty database, and its URL.
    pub fn database(&self) -> String {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{number}", std::process::id());
        let createdb = binaries().map_or_else(|| "createdb".into(), |bin| bin.join("createdb"));
        let server = format!("--maintenance-db={}", self.url);
        run(Command::new(createdb).arg(server).arg(&name)).expect("a database is created");
        let (start, _) = self.url.rsplit_once('/').expect("the URL names a database");
        format!("{start}/{name}")
    }
}
