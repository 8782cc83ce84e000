//! The socket of a probe: a thread of its own answers one tool after the other, or the one that
//! started the service.
//!
//! A thread and not a task, so that a service whose event loop is stuck still answers.

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::decode::Decoder;
use crate::encode::encode;
use crate::frame::FrameError;
use crate::message::Message;
use crate::recorder::Recorder;

/// A probe that listens. Dropping it ends the thread and takes the socket away.
#[derive(Debug)]
pub struct Serving {
    path: Option<PathBuf>,
    post: Arc<Post>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread and its owner share.
#[derive(Debug, Default)]
struct Post {
    is_over: AtomicBool,
    /// The tool that is connected, so that a thread that waits for it can be woken.
    tool: Mutex<Option<UnixStream>>,
}

impl Recorder {
    /// Answers tools on a socket, one at a time; the next waits until the one before is gone.
    pub fn serve(self: Arc<Self>, listener: UnixListener) -> io::Result<Serving> {
        let address = listener.local_addr()?;
        let post = Arc::new(Post::default());
        let thread = std::thread::Builder::new().name("fossick-probe".to_owned());
        let seat = post.clone();
        Ok(Serving {
            path: address.as_pathname().map(PathBuf::from),
            post,
            thread: Some(thread.spawn(move || attend(&self, &listener, &seat))?),
        })
    }

    /// Answers the tool at the other end, from a thread of its own, until either is gone.
    pub fn join(self: Arc<Self>, tool: UnixStream) -> io::Result<()> {
        let thread = std::thread::Builder::new().name("fossick-probe".to_owned());
        thread.spawn(move || self.attend_to(&tool)).map(drop)
    }

    fn attend_to(&self, tool: &UnixStream) {
        self.listen(true);
        // A tool that is gone in the middle of a word is a tool that is gone.
        let _ = self.converse(tool);
        self.listen(false);
    }

    fn converse(&self, mut stream: &UnixStream) -> io::Result<()> {
        let mut decoder = Decoder::new();
        let mut input = [0; 4096];
        let mut output = Vec::new();
        loop {
            let count = stream.read(&mut input)?;
            decoder.feed(input.get(..count).unwrap_or_default());
            if count == 0 {
                return Ok(());
            }
            let goes_on = self.answer_all(&mut decoder, &mut output);
            stream.write_all(&output)?;
            output.clear();
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// Whether the conversation goes on.
    fn answer_all(&self, decoder: &mut Decoder, output: &mut Vec<u8>) -> bool {
        while let Some(message) = decoder.next_message() {
            match message {
                Ok(Message::Bye) => return false,
                Ok(message) => put(self.answer(message), output),
                Err(error) => {
                    put(vec![complaint(error)], output);
                    if error.is_fatal() {
                        return false;
                    }
                }
            }
        }
        true
    }
}

fn put(answers: Vec<Message>, output: &mut Vec<u8>) {
    for answer in answers {
        if let Err(error) = encode(&answer, output) {
            // The complaint is short, so it can always be written.
            let _ = encode(&complaint(error), output);
        }
    }
}

fn complaint(error: FrameError) -> Message {
    Message::Error {
        text: error.to_string(),
    }
}

fn attend(recorder: &Recorder, listener: &UnixListener, post: &Post) {
    while let Ok((stream, _)) = listener.accept() {
        if !post.seat(stream.try_clone().ok()) {
            return;
        }
        recorder.attend_to(&stream);
        if !post.seat(None) {
            return;
        }
    }
}

impl Post {
    /// Whether there is more to do.
    fn seat(&self, tool: Option<UnixStream>) -> bool {
        *self.tool.lock().unwrap_or_else(PoisonError::into_inner) = tool;
        !self.is_over.load(Ordering::SeqCst)
    }
}

impl Serving {
    /// Whether the thread will notice: one that waits for a tool gets one, one that has a tool
    /// loses it.
    fn wake(&self) -> bool {
        let tool = self.post.tool.lock();
        if let Some(tool) = &*tool.unwrap_or_else(PoisonError::into_inner) {
            // One that is gone by itself can't be shut down, and is noticed all the same.
            let _ = tool.shutdown(Shutdown::Both);
            return true;
        }
        let path = self.path.as_ref();
        path.is_some_and(|path| UnixStream::connect(path).is_ok())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.post.is_over.store(true, Ordering::SeqCst);
        // If somebody took the socket away the thread can't be woken, and must not be waited for.
        let is_awake = self.wake();
        if let Some(thread) = self.thread.take_if(|_| is_awake) {
            let _ = thread.join();
        }
        if let Some(path) = &self.path {
            let _ = std::fs::remove_file(path);
        }
    }
}
