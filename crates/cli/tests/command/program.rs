//! Starts the program in a folder of its own and waits for its end. Whatever happens to a test,
//! no process and no folder outlives it.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// No test asks for a run that takes longer.
const PATIENCE: Duration = Duration::from_secs(100);

/// A folder that is removed with its owner.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("command-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("the target folder can be written");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("the folder can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        let path = self.path(name);
        fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
    }

    /// Every file in it, at any depth, with what stands there.
    pub(crate) fn files(&self) -> Vec<(PathBuf, String)> {
        let mut found = Vec::new();
        let mut folders = vec![self.0.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("it is there") {
                let path = entry.expect("it can be listed").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let bytes = fs::read(&path).expect("it can be read");
                    found.push((path, String::from_utf8_lossy(&bytes).into_owned()));
                }
            }
        }
        found.sort();
        found
    }

    /// Files of findings in `.fossick/SEED`.
    pub(crate) fn findings(&self, seed: &str) -> Vec<PathBuf> {
        let folder = self.path(".fossick").join(seed);
        let is_finding = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with('F')
        };
        let files = self.files().into_iter().map(|(path, _)| path);
        files
            .filter(|path| path.starts_with(&folder) && is_finding(path))
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that is left behind is no reason to hide how a test ended.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// How a run of the program ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) took: Duration,
    /// The most memory it ever had, in megabytes.
    pub(crate) peak: u64,
}

/// A process that does not outlive its owner.
pub(crate) struct Running {
    child: Child,
    started: Instant,
    stdout: Option<JoinHandle<String>>,
    stderr: Option<JoinHandle<String>>,
}

/// The program with these arguments, to be started in the folder.
pub(crate) fn fossick(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fossick"));
    command.current_dir(&folder.0).args(arguments);
    command
}

/// Runs the program to its end.
pub(crate) fn run(folder: &Folder, arguments: &[&str]) -> Ended {
    Running::start(&mut fossick(folder, arguments)).end()
}

/// Runs the program with a file of the folder as its standard input.
pub(crate) fn run_with_input(folder: &Folder, arguments: &[&str], input: &str) -> Ended {
    let input = File::open(folder.path(input)).expect("the input is there");
    Running::start(fossick(folder, arguments).stdin(input)).end()
}

impl Running {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        Self {
            stdout: child.stdout.take().map(heard),
            stderr: child.stderr.take().map(heard),
            child,
            started: Instant::now(),
        }
    }

    /// What Ctrl-C does at a terminal.
    pub(crate) fn interrupt(&self) {
        let pid = self.child.id().to_string();
        let kill = Command::new("kill").args(["-INT", &pid]).status();
        assert!(kill.is_ok_and(|status| status.success()), "kill -INT {pid}");
    }

    pub(crate) fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits for the end of it.
    pub(crate) fn end(mut self) -> Ended {
        let mut peak = 0;
        let status = loop {
            peak = peak.max(self.peak());
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                break status;
            }
            assert!(self.started.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        };
        let took = self.started.elapsed();
        let text = |reader: Option<JoinHandle<String>>| {
            reader.map_or(String::new(), |r| r.join().unwrap_or_default())
        };
        Ended {
            code: status.code().unwrap_or(-1),
            stdout: text(self.stdout.take()),
            stderr: text(self.stderr.take()),
            took,
            peak,
        }
    }

    /// The kernel's own high-water mark, where it tells; in megabytes.
    fn peak(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let kilobytes = status.ok().and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("VmHWM"))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        });
        kilobytes.unwrap_or(0) / 1024
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail where it has ended already, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads a pipe to its end, so that nobody waits for it to be emptied.
fn heard(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
