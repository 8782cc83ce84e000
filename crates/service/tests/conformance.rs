//! Every probe in a real service of its language, asked by the same tests.
//!
//! `probes/protocol/README.md` says what the services do. A probe is one entry in [`PROBES`]; what
//! differs between languages is how the service is started and how its conditions are written.

#![cfg(unix)]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::time::Duration;

use fossick_instrument::{Goal, answer_for, cache_name};
use fossick_native::{Compiler, Places};
use fossick_probe::{
    Decoder, Delta, Descriptor, Hello, Hub, Kind, Line, Matching, Message, Observed, ReadFrom,
    Scalar, VERSION, encode,
};
use fossick_service::{Launch, Log, Ready, Service, What, free_port};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpStream, UnixListener, UnixStream};

/// How the conformance service of a language is started.
struct Probe {
    language: &'static str,
    /// The program and its arguments; paths begin at the folder `probes`.
    command: &'static [&'static str],
    /// What loads the probe, beside the two variables that every probe has.
    environment: &'static [(&'static str, &'static str)],
    /// The user's own file, below `probes`.
    source: &'static str,
}

const PROBES: &[Probe] = &[
    Probe {
        language: "python",
        command: &["python3", "{probes}/python/conformance/app.py", "{port}"],
        environment: &[("PYTHONPATH", "{probes}/python/inject")],
        source: "python/conformance/app.py",
    },
    Probe {
        language: "node",
        command: &["node", "{probes}/node/conformance/app.cjs", "{port}"],
        environment: NODE,
        source: "node/conformance/app.cjs",
    },
    Probe {
        language: "node",
        command: &["node", "{probes}/node/conformance/app.mjs", "{port}"],
        environment: NODE,
        source: "node/conformance/app.mjs",
    },
    Probe {
        language: "rust",
        command: &["{rust}", "{port}"],
        environment: &[],
        source: "rust/conformance/app.rs",
    },
    Probe {
        language: "jvm",
        command: &["java", "-cp", "{jvm}/classes:{jvm}/lib/*", "App", "{port}"],
        environment: &[(
            "JAVA_TOOL_OPTIONS",
            "-javaagent:{probes}/jvm/dist/fossick-probe.jar -XX:TieredStopAtLevel=1",
        )],
        source: "jvm/conformance/src/main/java/App.java",
    },
];

const NODE: &[(&str, &str)] = &[
    ("NODE_OPTIONS", "--require {probes}/node/register.cjs"),
    ("FOSSICK_PROBE_CACHE", "{cache}"),
];

const PATIENCE: Duration = Duration::from_secs(20);

/// A service that runs, and a line to the probe in it.
struct Running {
    line: Line,
    hello: Hello,
    peer: Peer,
    source: String,
}

/// The process, and where it answers.
struct Peer {
    _service: Service,
    socket: PathBuf,
    port: u16,
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.socket);
    }
}

impl Probe {
    fn launch(&self, socket: &Path) -> Launch {
        let probes = folder();
        let cache = rewritten(self.source);
        let fill = |word: &str| {
            let word = word.replace("{probes}", &probes.to_string_lossy());
            if word == "{rust}" {
                let built = compiled(&probes.join(self.source));
                return built.display().to_string();
            }
            let word = word.replace("{cache}", &cache.to_string_lossy());
            if word.contains("{jvm}") {
                return word.replace("{jvm}", &compiled_for_the_jvm().to_string_lossy());
            }
            word
        };
        let cover = probes.join(self.source);
        let own = [
            ("FOSSICK_PROBE".to_owned(), socket.display().to_string()),
            ("FOSSICK_COVER".to_owned(), cover.display().to_string()),
        ];
        let loading = self.environment.iter();
        let loading = loading.map(|(name, value)| ((*name).to_owned(), fill(value)));
        Launch {
            what: What::Words(self.command.iter().map(|word| fill(word)).collect()),
            folder: None,
            environment: own.into_iter().chain(loading).collect(),
        }
    }

    /// Starts the service and takes the call of its probe.
    async fn answered(&self) -> (Peer, UnixStream) {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!(
            "{}-{}",
            self.language,
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let temporary = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let socket = std::env::temp_dir().join(format!("fossick-{}-{name}", std::process::id()));
        let listener = UnixListener::bind(&socket).expect("a socket");
        let port = free_port().expect("a free port");
        let launch = self.launch(&socket).at_port(port);
        let log = Log::create(&temporary.join(format!("conformance-{name}.log"))).expect("a log");
        let ready = Ready::Url {
            url: format!("http://127.0.0.1:{port}/ready"),
            headers: Vec::new(),
        };
        let service = Service::start(launch, ready, log, PATIENCE).await;
        let service = service.unwrap_or_else(|failure| panic!("{}: {failure}", self.language));
        let accepted = tokio::time::timeout(PATIENCE, listener.accept()).await;
        let (stream, _) = accepted.expect("the probe connects").expect("a stream");
        let peer = Peer {
            _service: service,
            socket,
            port,
        };
        (peer, stream)
    }

    async fn running(&self) -> Running {
        let (peer, stream) = self.answered().await;
        let mut line = Line::over(stream).with_timeout(PATIENCE);
        let hello = line.hello().await.expect("the probe says hello");
        // What ran while the service started is nobody's.
        line.end(0).await.expect("call 0 has an end");
        let source = std::fs::read_to_string(folder().join(self.source)).expect("a source");
        Running {
            line,
            hello,
            peer,
            source,
        }
    }
}

/// A folder with the class files of the service on the JVM, and of the library that it reads JSON with.
fn compiled_for_the_jvm() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance-jvm");
        let project = folder().join("jvm/conformance/pom.xml");
        let status = Command::new("mvn")
            .args(["--quiet", "--batch-mode", "compile", "--file"])
            .arg(project)
            .arg(format!("-Dout={}", out.display()))
            .status();
        assert!(status.expect("Maven is here").success(), "it compiles");
        out
    });
    &FOLDER
}

/// A folder with the rewritten source of a service of Node.js, whose probe would ask fossick for it
/// otherwise.
fn rewritten(source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance-cache");
    let goal = match Path::new(source).extension().and_then(|it| it.to_str()) {
        Some("cjs") => Goal::Script,
        Some("mjs") => Goal::Module,
        _ => return folder,
    };
    let text = std::fs::read_to_string(self::folder().join(source)).expect("a source");
    std::fs::create_dir_all(&folder).expect("a folder");
    let kept = folder.join(cache_name(&text, goal, None));
    if !kept.exists() {
        // Under a name of its own first: other tests do the same.
        let begun = kept.with_extension(format!("{:?}", std::thread::current().id()));
        std::fs::write(&begun, answer_for(&text, goal, None)).expect("written");
        std::fs::rename(&begun, &kept).expect("named");
    }
    folder
}

/// The program of a service in Rust, compiled with its probe; once for all tests.
fn compiled(source: &Path) -> PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| {
        let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance-rust");
        std::fs::create_dir_all(&made).expect("a folder");
        let program = made.join("app");
        let places = Places {
            source: folder().join("rust"),
            cache: made.join(format!("cache-{}", std::process::id())),
            package: Some(("conformance".into(), source.with_file_name(""))),
            made: None,
        };
        let arguments = [
            "rustc",
            "--crate-name=app",
            "--crate-type=bin",
            "--emit=link",
        ];
        let arguments = arguments.into_iter().map(OsString::from);
        let files = [
            "--edition=2021".into(),
            "-o".into(),
            program.clone().into(),
            source.into(),
        ];
        let compiler = Compiler::of(arguments.chain(files)).expect("there are arguments");
        let code = compiler.run(Some(&places)).expect("there is a compiler");
        assert_eq!(code, 0, "it compiles");
        std::fs::remove_dir_all(&places.cache).expect("it is ours");
        program
    });
    program.clone()
}

fn folder() -> PathBuf {
    let probes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../probes");
    probes
        .canonicalize()
        .expect("the probes are beside the crates")
}

impl Peer {
    /// Sends a request of a call and gives the answer's text; nothing if there was no answer.
    async fn send(&self, call: u64, head: &str, more: &str, body: &str) -> Option<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.ok()?;
        let length = body.len();
        let request = format!(
            "{head} HTTP/1.1\r\nhost: localhost\r\nx-fossick-call: {call}\r\nconnection: close\r\n\
             {more}content-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.ok()?;
        answer
            .split_once("\r\n\r\n")
            .map(|(_, body)| body.to_owned())
    }

    async fn get(&self, call: u64, path: &str) -> String {
        let answer = self.send(call, &format!("GET {path}"), "", "").await;
        answer.expect("the service answers")
    }
}

impl Running {
    fn can(&self, ability: &str) -> bool {
        self.hello.abilities.iter().any(|it| it == ability)
    }

    /// Says that a call begins, where its header does not.
    async fn begin(&mut self, call: u64) {
        if !self.can("header") {
            self.line.begin(call).await.expect("the call begins");
        }
    }

    /// A call from its beginning to its end.
    async fn call(&mut self, call: u64, path: &str) -> (String, Delta) {
        self.begin(call).await;
        let answer = self.peer.get(call, path).await;
        (answer, self.end(call).await)
    }

    async fn end(&mut self, call: u64) -> Delta {
        let delta = self.line.end(call).await.expect("the call has an end");
        assert!(!delta.died && delta.call == call);
        for (id, _) in &delta.hits {
            assert!(
                self.line.catalogue().get(*id).is_some(),
                "{id} was told before"
            );
        }
        delta
    }

    /// The last line of the source that contains one of these.
    fn line_of(&self, texts: &[&str]) -> u32 {
        let found = |line: &str| texts.iter().any(|text| line.contains(text));
        let lines = (1..).zip(self.source.lines());
        let last = lines.filter(|(_, line)| found(line)).last();
        last.unwrap_or_else(|| panic!("the source has one of {texts:?}"))
            .0
    }

    fn ids(&self, line: u32, kind: Kind) -> Vec<u32> {
        let here = |it: &Descriptor| it.line == line && it.kind == kind;
        let all = self.line.catalogue().all();
        all.filter(|(_, it)| here(it)).map(|(id, _)| id).collect()
    }

    fn id(&self, line: u32, kind: Kind) -> u32 {
        let ids = self.ids(line, kind);
        *ids.first()
            .unwrap_or_else(|| panic!("there is a {kind} in line {line}"))
    }

    /// The value of the worst target of a kind on a line.
    fn worst(&self, delta: &Delta, line: u32, kind: Kind) -> f64 {
        let ids = self.ids(line, kind);
        let values = ids.iter().map(|id| delta.value(*id).share());
        values.fold(1.0, f64::min)
    }
}

fn observed(delta: &Delta) -> Vec<&Observed> {
    delta.observations.iter().map(|it| &it.what).collect()
}

fn text(words: &str) -> Scalar {
    Scalar::Text(words.to_owned())
}

/// Whether two were compared, whichever stood first.
fn were_compared(delta: &Delta, left: &Scalar, right: &Scalar) -> bool {
    observed(delta).into_iter().any(|what| {
        matches!(what, Observed::Equal(a, b) | Observed::Order(a, b)
            if (a, b) == (left, right) || (a, b) == (right, left))
    })
}

const IF_42: &[&str] = &["n == 42", "n === 42"];
const IF_IN_RANGE: &[&str] = &["n > 1000 and n < 1010", "n > 1000 && n < 1010"];
const IF_TEXT: &[&str] = &["\"let-me-in\"", "'let-me-in'"];

#[tokio::test]
async fn a_probe_says_who_it_is_and_what_there_is() {
    for probe in PROBES {
        let running = probe.running().await;
        let hello = &running.hello;
        assert_eq!(
            (hello.language.as_str(), hello.version),
            (probe.language, VERSION)
        );
        assert!(hello.process_id > 0 && !hello.roots.is_empty(), "{hello:?}");
        for ability in ["lines", "branches", "observations", "last-line"] {
            assert!(running.can(ability), "{ability}");
        }
        let catalogue = running.line.catalogue();
        let keys: Vec<String> = catalogue.all().map(|(_, it)| it.key()).collect();
        let distinct: std::collections::BTreeSet<&String> = keys.iter().collect();
        assert_eq!(keys.len(), distinct.len(), "no two targets share a name");
        let line = running.line_of(IF_42);
        for kind in [Kind::Line, Kind::BranchTrue, Kind::BranchFalse] {
            running.id(line, kind);
        }
        let file = &catalogue
            .get(running.id(line, Kind::Line))
            .expect("known")
            .file;
        assert!(probe.source.ends_with(&**file), "{file}");
    }
}

#[tokio::test]
async fn lines_and_both_sides_of_a_branch_are_told() {
    for probe in PROBES {
        let mut running = probe.running().await;
        let line = running.line_of(IF_42);
        let (yes, no) = (
            running.id(line, Kind::BranchTrue),
            running.id(line, Kind::BranchFalse),
        );
        let ran = running.id(line, Kind::Line);
        let then = running.id(line + 1, Kind::Line);

        let (answer, delta) = running.call(1, "/number?n=42").await;
        assert_eq!(answer, "yes");
        assert!([yes, ran, then].iter().all(|id| delta.value(*id).is_full()));
        let side = delta.value(no).share();
        assert!(side > 0.0 && side < 1.0, "{side}");

        let (answer, delta) = running.call(2, "/number?n=41").await;
        assert_eq!(answer, "no");
        assert!(delta.value(no).is_full() && delta.value(ran).is_full());
        assert_eq!(delta.value(then).share(), 0.0);
        assert!((delta.value(yes).share() - 0.5).abs() < 1e-12);
    }
}

#[tokio::test]
async fn distances_have_a_slope_however_far_away() {
    for probe in PROBES {
        let mut running = probe.running().await;
        let line = running.line_of(IF_42);
        let yes = running.id(line, Kind::BranchTrue);
        for (call, far) in [(1, 300_u64), (2, 70_000), (3, 2_000_000_000)] {
            let (_, delta) = running.call(call, &format!("/number?n={}", 42 + far)).await;
            let expected = 1.0 / (1.0 + far as f64);
            let value = delta.value(yes).share();
            assert!((value - expected).abs() < expected * 1e-9, "{far}: {value}");
        }
        let line = running.line_of(IF_IN_RANGE);
        let mut before = 0.0;
        for (call, n) in [(11, 100), (12, 900), (13, 999)] {
            let (answer, delta) = running.call(call, &format!("/range?n={n}")).await;
            let (low, high) = (running.worst(&delta, line, Kind::BranchTrue), before);
            assert!(
                answer == "no" && low > high || low == 0.0,
                "{n}: {low} {high}"
            );
            let best = running.ids(line, Kind::BranchTrue).into_iter();
            let best = best.map(|id| delta.value(id).share());
            let nearest = best.filter(|it| *it < 1.0).fold(0.0, f64::max);
            assert!(nearest > before, "{n}: {nearest} {before}");
            before = nearest;
        }
        let (answer, delta) = running.call(14, "/range?n=1005").await;
        assert_eq!(answer, "yes");
        assert_eq!(running.worst(&delta, line, Kind::BranchTrue), 1.0);
    }
}

#[tokio::test]
async fn texts_come_nearer_character_by_character() {
    for probe in PROBES {
        let mut running = probe.running().await;
        let yes = running.id(running.line_of(IF_TEXT), Kind::BranchTrue);
        let mut before = 0.0;
        for (call, s) in [
            (1, "x"),
            (2, "xxxxxxxxx"),
            (3, "let-xx-in"),
            (4, "let-me-io"),
        ] {
            let (_, delta) = running.call(call, &format!("/text?s={s}")).await;
            let value = delta.value(yes).share();
            assert!(value > before && value < 1.0, "{s}: {value} {before}");
            before = value;
        }
        let (answer, delta) = running.call(5, "/text?s=let-me-in").await;
        assert!(answer == "yes" && delta.value(yes).is_full());
    }
}

#[tokio::test]
async fn what_was_compared_is_told() {
    for probe in PROBES {
        let mut running = probe.running().await;

        let (_, delta) = running.call(1, "/number?n=7").await;
        assert!(were_compared(&delta, &Scalar::Whole(7), &Scalar::Whole(42)));
        let line = running.line_of(IF_42);
        let branch = [Kind::BranchTrue, Kind::BranchFalse].map(|kind| running.id(line, kind));
        let deciding = delta.observations.iter().find(
            |it| matches!(&it.what, Observed::Equal(a, b) if [a, b].contains(&&Scalar::Whole(42))),
        );
        let target = deciding
            .and_then(|it| it.target)
            .expect("it decided a branch");
        assert!(branch.contains(&target));
        assert!(observed(&delta).iter().any(|what| matches!(what,
            Observed::Parse { text, kind, worked: true, .. } if text == "7" && kind == "integer")));

        let (_, delta) = running.call(2, "/range?n=5").await;
        assert!(were_compared(
            &delta,
            &Scalar::Whole(5),
            &Scalar::Whole(1000)
        ));

        let (_, delta) = running.call(3, "/text?s=marker").await;
        assert!(were_compared(&delta, &text("marker"), &text("let-me-in")));
        assert!(observed(&delta).iter().any(|what| matches!(what,
            Observed::Prefix(whole, part) if whole == "marker" && part == "pre-")));
        let was_matched = observed(&delta).iter().any(|what| {
            matches!(what,
            Observed::Pattern { text, pattern, how: Matching::Anywhere, .. }
                if text == "marker" && pattern == "^[a-c]{3}[0-9]{2}$")
        });
        assert_eq!(was_matched, running.can("patterns"));

        let (_, delta) = running.call(4, "/member?s=delta").await;
        assert!(observed(&delta).iter().any(|what| matches!(what,
            Observed::Member(value, candidates) if *value == text("delta")
                && ["alpha", "beta", "gamma"].iter().all(|it| candidates.contains(&text(it))))));
    }
}

#[tokio::test]
async fn what_was_read_is_told_with_what_was_beside_it() {
    for probe in PROBES {
        let mut running = probe.running().await;
        if !running.can("reads") {
            continue;
        }
        running.begin(1).await;
        let answer = running
            .peer
            .send(1, "GET /header?debug=1", "x-other: 1\r\n", "")
            .await;
        assert!(answer.expect("an answer").starts_with("no"));
        let delta = running.end(1).await;
        let read = |wanted: ReadFrom, called: &str, there: bool| {
            observed(&delta).into_iter().any(|what| {
                matches!(what, Observed::Read { from, name, found, .. }
                    if *from == wanted && name == called && *found == there)
            })
        };
        assert!(
            read(ReadFrom::Header, "x-secret", false),
            "{:?}",
            delta.observations
        );
        assert!(
            read(ReadFrom::Query, "debug", true),
            "{:?}",
            delta.observations
        );
        assert!(observed(&delta).iter().any(|what| matches!(what,
            Observed::Read { from: ReadFrom::Header, beside, .. }
                if beside.iter().any(|it| it == "x-other"))));

        let secret = "x-secret: nearly\r\n";
        running.begin(2).await;
        running.peer.send(2, "GET /header", secret, "").await;
        let delta = running.end(2).await;
        assert!(were_compared(&delta, &text("nearly"), &text("open")));

        let body = r#"{"role": "guest", "name": "x"}"#;
        let json = "content-type: application/json\r\n";
        running.begin(3).await;
        let answer = running.peer.send(3, "POST /json", json, body).await;
        assert_eq!(answer.as_deref(), Some("no"));
        let delta = running.end(3).await;
        assert!(were_compared(&delta, &text("guest"), &text("admin")));
        assert!(observed(&delta).iter().any(|what| matches!(what,
            Observed::Parse { text, kind, worked: true, .. } if text == body && kind == "json")));
        assert!(observed(&delta).iter().any(|what| matches!(what,
            Observed::Read { from: ReadFrom::Key, name, found: true, beside, .. }
                if name == "role" && beside.iter().any(|it| it == "name"))));

        running.begin(4).await;
        let answer = running
            .peer
            .send(4, "POST /json", json, "{\"name\": 1}")
            .await;
        let delta = running.end(4).await;
        assert_ne!(answer.as_deref(), Some("yes"));
        assert!(observed(&delta).iter().any(|what| matches!(what,
            Observed::Read { from: ReadFrom::Key, name, found: false, .. } if name == "role")));
    }
}

#[tokio::test]
async fn covered_targets_are_silent_until_a_reset() {
    for probe in PROBES {
        let mut running = probe.running().await;
        let (_, first) = running.call(1, "/number?n=7").await;
        let (_, again) = running.call(2, "/number?n=7").await;
        let ids = |delta: &Delta| delta.hits.iter().map(|(id, _)| *id).collect::<Vec<_>>();
        assert_eq!(
            ids(&first),
            ids(&again),
            "what is not covered is told each time"
        );

        let full = first.hits.iter().filter(|(_, value)| value.is_full());
        let covered: Vec<u32> = full.map(|(id, _)| *id).collect();
        running
            .line
            .covered(&covered)
            .await
            .expect("the probe listens");
        let (_, silent) = running.call(3, "/number?n=7").await;
        assert!(ids(&silent).iter().all(|id| !covered.contains(id)));
        let yes = running.id(running.line_of(IF_42), Kind::BranchTrue);
        assert!(
            silent.value(yes).share() > 0.0,
            "the other side is still told"
        );

        let all = running
            .line
            .catalogue()
            .all()
            .map(|(id, _)| id)
            .collect::<Vec<_>>();
        running.line.covered(&all).await.expect("the probe listens");
        let (answer, nothing) = running.call(4, "/number?n=42").await;
        assert!(
            answer == "yes" && nothing.hits.is_empty(),
            "{:?}",
            nothing.hits
        );

        running.line.reset().await.expect("the probe forgets");
        let (_, anew) = running.call(5, "/number?n=7").await;
        assert!(covered.iter().all(|id| anew.value(*id).is_full()));
    }
}

#[tokio::test]
async fn failures_are_told_with_their_place() {
    for probe in PROBES {
        let mut running = probe.running().await;
        let (answer, delta) = running.call(1, "/fail?n=3").await;
        assert!(
            answer == "no" && delta.failures.is_empty(),
            "{:?}",
            delta.failures
        );
        assert!(
            delta
                .last_line
                .is_some_and(|it| probe.source.ends_with(&*it.file))
        );

        let (_, delta) = running.call(2, "/fail?n=7").await;
        let [failure] = delta.failures.as_slice() else {
            panic!("one failure, not {:?}", delta.failures);
        };
        assert_eq!(failure.message, "broken: 7");
        assert!(
            failure.exception.ends_with("Error") || failure.exception == "panic",
            "{}",
            failure.exception
        );
        assert!(probe.source.ends_with(&*failure.place.file));
        assert_eq!(
            failure.place.line,
            running.line_of(&["broken: {n}", "broken: ${n}", "broken: \" + n"])
        );
        assert!(delta.last_line.is_some());
    }
}

#[tokio::test]
async fn many_calls_at_once_are_told_apart() {
    const CALLS: u64 = 64;
    for probe in PROBES {
        let mut running = probe.running().await;
        if !running.can("header") {
            continue;
        }
        running.call(1, "/slow?n=0").await;
        let paths: Vec<String> = (0..CALLS)
            .map(|at| format!("/slow?n={}", at % 10))
            .collect();
        let under_way = paths
            .iter()
            .zip(100..)
            .map(|(path, call)| running.peer.get(call, path));
        let answers = all(under_way.collect()).await;
        assert_eq!(answers.len() as u64, CALLS);
        let bodies: Vec<u32> = (0..10)
            .map(|n| {
                let (bare, loose) = (format!("if n == {n}:"), format!("(n == {n})"));
                let strict = format!("(n === {n})");
                running.line_of(&[&bare, &loose, &strict])
            })
            .collect();
        for at in 0..CALLS {
            let delta = running.end(100 + at).await;
            for (n, line) in bodies.iter().enumerate() {
                let was_taken = delta.value(running.id(*line, Kind::BranchTrue)).is_full();
                assert_eq!(was_taken, n as u64 == at % 10, "call {at}, branch {n}");
            }
        }
    }
}

/// All of them at once.
async fn all<T>(work: Vec<impl Future<Output = T>>) -> Vec<T> {
    let mut work: Vec<_> = work.into_iter().map(Box::pin).collect();
    let mut done: Vec<Option<T>> = work.iter().map(|_| None).collect();
    std::future::poll_fn(|context| {
        for (one, result) in work.iter_mut().zip(&mut done) {
            if result.is_none()
                && let std::task::Poll::Ready(value) = one.as_mut().poll(context)
            {
                *result = Some(value);
            }
        }
        if done.iter().all(Option::is_some) {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
    done.into_iter().flatten().collect()
}

#[tokio::test]
async fn what_belongs_to_no_call_is_told_once_under_call_0() {
    for probe in PROBES {
        let mut running = probe.running().await;
        let nothing = running.end(4711).await;
        assert_eq!(
            nothing,
            Delta {
                call: 4711,
                ..Delta::default()
            }
        );

        running.peer.get(0, "/number?n=42").await;
        let line = running.id(running.line_of(IF_42), Kind::Line);
        // Nobody waits for what belongs to no call.
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(running.end(0).await.value(line).is_full());
        assert_eq!(running.end(0).await.hits, []);

        running.begin(7).await;
        running.peer.get(7, "/number?n=42").await;
        assert!(running.end(7).await.value(line).is_full());
        assert_eq!(running.end(7).await.hits, [], "a call ends once");
    }
}

#[tokio::test]
async fn a_broken_frame_is_answered_and_a_lost_stream_is_ended() {
    for probe in PROBES {
        let (peer, mut stream) = probe.answered().await;
        let mut decoder = Decoder::new();
        let hello = Message::Hello(Hello::of("fossick", &[]));
        say(&mut stream, &hello).await;
        assert!(matches!(
            hear(&mut stream, &mut decoder).await,
            Some(Message::Hello(_))
        ));

        // Of no known type, cut off, a number that is too long, and one that the probe says itself.
        for frame in [&[99_u8, 1, 2][..], &[4], &[4, 0x80, 0], &[10]] {
            let length = (frame.len() as u32).to_le_bytes();
            stream
                .write_all(&[&length[..], frame].concat())
                .await
                .expect("it listens");
            let answer = hear(&mut stream, &mut decoder).await;
            assert!(matches!(answer, Some(Message::Error { .. })), "{answer:?}");
        }
        say(&mut stream, &Message::Ping).await;
        loop {
            match hear(&mut stream, &mut decoder).await {
                Some(Message::Register(_)) => {}
                answer => break assert_eq!(answer, Some(Message::Pong)),
            }
        }

        stream
            .write_all(&[0, 0, 0, 0xff, 4])
            .await
            .expect("it listens");
        while hear(&mut stream, &mut decoder).await.is_some() {}
        assert_eq!(
            peer.get(1, "/number?n=42").await,
            "yes",
            "the service goes on"
        );
    }
}

#[tokio::test]
async fn another_version_is_refused() {
    for probe in PROBES {
        let (_peer, mut stream) = probe.answered().await;
        let hello = Hello {
            version: VERSION + 1,
            ..Hello::of("fossick", &[])
        };
        say(&mut stream, &Message::Hello(hello)).await;
        let answer = hear(&mut stream, &mut Decoder::new()).await;
        assert!(matches!(answer, Some(Message::Error { .. })), "{answer:?}");
    }
}

async fn say(stream: &mut UnixStream, message: &Message) {
    let mut frame = Vec::new();
    encode(message, &mut frame).expect("it is short");
    stream.write_all(&frame).await.expect("the probe listens");
}

/// The next message, or nothing at the end of the stream.
async fn hear(stream: &mut UnixStream, decoder: &mut Decoder) -> Option<Message> {
    let mut input = [0; 4096];
    loop {
        if let Some(message) = decoder.next_message() {
            return Some(message.expect("the probe speaks clearly"));
        }
        let read = tokio::time::timeout(PATIENCE, stream.read(&mut input)).await;
        let count = read.expect("the probe answers").unwrap_or(0);
        if count == 0 {
            return None;
        }
        decoder.feed(&input[..count]);
    }
}

/// Java before 16 has no Unix-domain sockets; a later one takes the port where it is told no socket.
#[tokio::test]
async fn a_probe_of_the_jvm_comes_by_a_port_as_well() {
    let probe = PROBES.iter().find(|probe| probe.language == "jvm");
    let probe = probe.expect("it is one of them");
    let name = format!("fossick-{}-unused", std::process::id());
    let unused = std::env::temp_dir().join(name);
    let mut hub = Hub::listen(&unused).expect("a socket");
    let at = hub.listen_at_a_port("sesame").await.expect("a port");
    let port = free_port().expect("a free port");
    let mut launch = probe.launch(Path::new("")).at_port(port);
    let door = format!("127.0.0.1:{at}/sesame");
    launch
        .environment
        .push(("FOSSICK_PROBE_TCP".to_owned(), door));
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance-port.log");
    let ready = Ready::Url {
        url: format!("http://127.0.0.1:{port}/ready"),
        headers: Vec::new(),
    };
    let log = Log::create(&log).expect("a log");
    let service = Service::start(launch, ready, log, PATIENCE).await;
    let _service = service.unwrap_or_else(|failure| panic!("{failure}"));
    hub.arrival(PATIENCE).await;
    assert_eq!(hub.language().await.as_deref(), Some("jvm"));
    let insight = hub.end(0).await;
    assert!(!insight.reached.is_empty() || !hub.targets().await.is_empty());
}

#[tokio::test]
async fn the_death_of_the_service_is_an_answer() {
    for probe in PROBES {
        let mut running = probe.running().await;
        running.begin(1).await;
        let answer = running.peer.send(1, "GET /exit", "", "").await;
        assert_eq!(answer, None);
        let delta = running.line.end(1).await.expect("death is an answer");
        assert!(delta.died);
    }
}
