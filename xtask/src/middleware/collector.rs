//! A collector that writes down what it is told, and can be deaf.

use std::io::{BufReader, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::wire::told;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    Answers,
    /// Takes connections, and never says a word.
    Deaf,
}

/// It is gone, with its connections, when its owner lets go.
pub(super) struct Collector {
    pub(super) port: u16,
    heard: Arc<Heard>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Heard {
    lines: Mutex<Vec<String>>,
    dropped: AtomicU64,
    connections: Mutex<Vec<TcpStream>>,
    over: AtomicBool,
}

impl Collector {
    /// On a port, or on any for 0.
    pub(super) fn start(port: u16, manner: Manner) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port))
            .with_context(|| format!("failed to listen on {port}"))?;
        let port = listener.local_addr()?.port();
        let heard = Arc::new(Heard::default());
        let thread = std::thread::spawn({
            let heard = Arc::clone(&heard);
            move || listen(&listener, &heard, manner)
        });
        Ok(Self {
            port,
            heard,
            thread: Some(thread),
        })
    }

    pub(super) fn lines(&self) -> Vec<String> {
        lock(&self.heard.lines).clone()
    }

    pub(super) fn dropped(&self) -> u64 {
        self.heard.dropped.load(Ordering::Relaxed)
    }

    /// The lines, once there are enough of them, or when time is over.
    pub(super) fn wait(&self, enough: usize, at_most: Duration) -> Vec<String> {
        let until = Instant::now() + at_most;
        while self.lines().len() < enough && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        self.lines()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen(listener: &TcpListener, heard: &Arc<Heard>, manner: Manner) {
    for connection in listener.incoming().flatten() {
        if heard.over.load(Ordering::Relaxed) {
            return;
        }
        if let Ok(copy) = connection.try_clone() {
            lock(&heard.connections).push(copy);
        }
        if manner == Manner::Answers {
            let heard = Arc::clone(heard);
            // It ends when the connection does, which is known to end.
            std::thread::spawn(move || hear(connection, &heard));
        }
    }
}

/// Whoever hangs up, or says what can't be understood, is heard no longer.
fn hear(connection: TcpStream, heard: &Heard) {
    let Ok(mut answers) = connection.try_clone() else {
        return;
    };
    let mut reader = BufReader::new(connection);
    while let Ok(Some((dropped, lines))) = told(&mut reader) {
        heard.dropped.fetch_add(dropped, Ordering::Relaxed);
        lock(&heard.lines).extend(lines);
        let answer = b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
        if answers.write_all(answer).is_err() {
            return;
        }
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.heard.over.store(true, Ordering::Relaxed);
        // Wakes the listener, so that it sees.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        for connection in lock(&self.heard.connections).drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_written_down_until_it_is_gone() {
        let collector = Collector::start(0, Manner::Answers).expect("a port is free");
        let mut connection = TcpStream::connect(("127.0.0.1", collector.port)).expect("it listens");
        let text = b"POST / HTTP/1.1\r\nContent-Length: 4\r\nx-dropped: 2\r\n\r\na\nb\n";
        connection.write_all(text).expect("it takes");
        assert_eq!(collector.wait(2, Duration::from_secs(5)), ["a", "b"]);
        assert_eq!(collector.dropped(), 2);
        let port = collector.port;
        drop(collector);
        assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
        assert!(Collector::start(port, Manner::Deaf).is_ok());
    }
}
