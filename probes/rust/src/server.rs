//! The line to the tool, answered from a thread of its own.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::sync::atomic::Ordering;
use std::sync::OnceLock;
use std::time::Duration;
use std::{env, fs, process, thread};

use crate::callbacks::{map_path, FOSSICK_ON as ON};
use crate::record::Record;
use crate::wire::{self, Question, LONGEST_FRAME, VERSION};
use crate::{map, observe, panics};

const ABILITIES: [&str; 5] = [
    "lines",
    "branches",
    "exceptions",
    "observations",
    "last-line",
];

/// A child that only wants to run something else is gone by then.
const AFTER_FORK: Duration = Duration::from_millis(50);
/// Descriptors in a frame.
const ROW: usize = 4096;

extern "C" {
    fn pthread_atfork(
        before: Option<extern "C" fn()>,
        parent: Option<extern "C" fn()>,
        child: Option<extern "C" fn()>,
    ) -> i32;
}

/// Reads the map and calls the tool, the first time; gives the numbers of the guards that count.
pub fn begin() -> Option<impl Iterator<Item = usize>> {
    static BEGUN: OnceLock<bool> = OnceLock::new();
    let is_ready = *BEGUN.get_or_init(|| prepare().is_some());
    let record = Record::get().filter(|_| is_ready)?;
    Some(record.map.blocks.keys().copied())
}

fn prepare() -> Option<()> {
    env::var_os("FOSSICK_PROBE")?;
    let (path, anchor) = map_path()?;
    let text = fs::read_to_string(path).ok()?;
    let map = map::read(&text, &env::var("FOSSICK_COVER").unwrap_or_default())?;
    if map.targets.is_empty() {
        return None;
    }
    let shift = anchor.wrapping_sub(map.anchor);
    let record = Record::begin(map, shift);
    observe::calibrate();
    panics::listen();
    // SAFETY: the function does nothing that a child of a fork must not do on Linux.
    unsafe { pthread_atfork(None, None, Some(forked)) };
    start(record, Duration::ZERO)
}

/// A worker has a line of its own.
extern "C" fn forked() {
    ON.store(false, Ordering::Relaxed);
    if let Some(record) = Record::get() {
        let _ = start(record, AFTER_FORK);
    }
}

fn start(record: &'static Record, delay: Duration) -> Option<()> {
    ON.store(true, Ordering::Release);
    let named = thread::Builder::new().name("fossick".to_owned());
    let thread = named.spawn(move || {
        thread::sleep(delay);
        // However it ends, the service goes on, and nothing more is recorded.
        let _ = talk(record);
        ON.store(false, Ordering::Release);
    });
    thread.ok().map(|_| ())
}

fn talk(record: &Record) -> io::Result<()> {
    let path = env::var_os("FOSSICK_PROBE").ok_or(io::ErrorKind::NotFound)?;
    let mut stream = UnixStream::connect(path)?;
    let mut told = false;
    let mut is_known = false;
    while let Some(frame) = hear(&mut stream)? {
        let answer = match wire::question(&frame) {
            Err(why) => wire::error(why),
            Ok(Question::Hello { version }) if version != VERSION => wire::error(&format!(
                "this probe speaks version {VERSION} and not {version}"
            )),
            Ok(Question::Hello { .. }) => {
                is_known = true;
                wire::hello(&record.map.roots, &ABILITIES, process::id())
            }
            Ok(Question::Bye) => return Ok(()),
            Ok(_) if !is_known => wire::error("say hello first"),
            Ok(question) => {
                if matches!(question, Question::Ping | Question::End(_)) && !told {
                    told = true;
                    register(record, &mut stream)?;
                }
                answer(record, question)
            }
        };
        stream.write_all(&answer)?;
    }
    Ok(())
}

fn register(record: &Record, stream: &mut UnixStream) -> io::Result<()> {
    let mut first = 0;
    for row in record.map.targets.chunks(ROW) {
        stream.write_all(&wire::register(first, row))?;
        first += row.len() as u32;
    }
    Ok(())
}

/// Nothing where nothing is to be said.
fn answer(record: &Record, question: Question) -> Vec<u8> {
    match question {
        Question::Begin(call) => {
            // A service sets its own hook when it begins; ours has to come after.
            static AGAIN: OnceLock<()> = OnceLock::new();
            AGAIN.get_or_init(panics::listen);
            record.begin_call(call);
            wire::begin(call)
        }
        Question::End(call) => wire::delta(&record.end_call(call)),
        Question::Covered(ids) => {
            record.covered(&ids);
            Vec::new()
        }
        Question::Reset => {
            record.reset();
            wire::bare(wire::tag::RESET)
        }
        Question::Ping => wire::bare(wire::tag::PONG),
        Question::Hello { .. } | Question::Bye => Vec::new(),
    }
}

/// The next frame, without its length; nothing at the end. A length beyond the limit ends it too.
fn hear(stream: &mut UnixStream) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    if stream.read_exact(&mut length).is_err() {
        return Ok(None);
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST_FRAME {
        return Ok(None);
    }
    let mut frame = Vec::new();
    stream.take(length as u64).read_to_end(&mut frame)?;
    Ok((frame.len() == length).then_some(frame))
}
