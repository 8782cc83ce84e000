//! The tool's end of the socket.
//!
//! One question at a time, each with a time limit; only ends of calls are asked several at once.
//! Descriptors and statements arrive in between
//! and are collected; an answer that came too late for its question is passed over. Restarting a
//! service that died, and what to do with what was reached, is for the caller.

use std::io;
use std::path::Path;
use std::time::Duration;

use thiserror::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::time::timeout;

use crate::catalogue::Catalogue;
use crate::decode::Decoder;
use crate::encode::encode;
use crate::frame::FrameError;
use crate::message::{Delta, Hello, Message, Sql, VERSION};

/// Long enough for a loaded machine, short enough to notice a service that hangs.
const PATIENCE: Duration = Duration::from_secs(5);

/// Statements kept until they are taken.
const MOST_STATEMENTS: usize = 100_000;

#[derive(Debug, Error)]
pub enum LineError {
    #[error("failed to talk to the probe: {0}")]
    Io(#[from] io::Error),
    #[error("failed to understand the probe: {0}")]
    Frame(#[from] FrameError),
    #[error("the probe did not answer in time")]
    Late,
    #[error("the probe hung up")]
    Closed,
    #[error("the probe complains: {0}")]
    Refused(String),
    #[error("the probe speaks version {0}, not {VERSION}")]
    Version(u32),
    #[error("the probe tells of more targets than can be kept")]
    TooManyTargets,
}

#[derive(Debug)]
pub struct Line {
    stream: UnixStream,
    decoder: Decoder,
    patience: Duration,
    catalogue: Catalogue,
    statements: Vec<Sql>,
}

type Said<T> = Result<T, LineError>;

impl Line {
    pub async fn connect(path: impl AsRef<Path>) -> Result<Self, LineError> {
        let stream = within(PATIENCE, UnixStream::connect(path)).await??;
        Ok(Self::over(stream))
    }

    /// A line to a probe that connected to us.
    pub fn over(stream: UnixStream) -> Self {
        Self {
            stream,
            decoder: Decoder::new(),
            patience: PATIENCE,
            catalogue: Catalogue::default(),
            statements: Vec::new(),
        }
    }

    /// How long to wait for an answer.
    pub fn with_timeout(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Greets, and hears of all targets that are known by now.
    pub async fn hello(&mut self) -> Result<Hello, LineError> {
        let hello = Message::Hello(Hello::of("fossick", &[]));
        let theirs = self.ask(&hello, |answer| match answer {
            Message::Hello(hello) => Some(hello),
            _ => None,
        });
        let theirs = theirs.await?;
        if theirs.version != VERSION {
            return Err(LineError::Version(theirs.version));
        }
        self.ping().await?;
        Ok(theirs)
    }

    /// When this returns, the probe knows of the call.
    pub async fn begin(&mut self, call: u64) -> Result<(), LineError> {
        let begin = Message::Begin { call };
        self.ask(&begin, |answer| (answer == begin).then_some(()))
            .await
    }

    /// What the call reached. A service that is gone is an answer too.
    pub async fn end(&mut self, call: u64) -> Result<Delta, LineError> {
        let end = Message::End { call };
        let delta = self.ask(&end, |answer| match answer {
            Message::Delta(delta) if delta.call == call => Some(delta),
            _ => None,
        });
        match delta.await {
            Err(error) if error.is_death() => Ok(Delta::died(call)),
            other => other,
        }
    }

    /// What several calls reached, asked in one go: a probe is woken once for all of them. A service
    /// that is gone has no answer to any.
    pub async fn end_all(&mut self, calls: &[u64]) -> Result<Vec<Delta>, LineError> {
        let mut frames = Vec::new();
        for call in calls {
            encode(&Message::End { call: *call }, &mut frames)?;
        }
        within(self.patience, async {
            self.stream.write_all(&frames).await?;
            let mut deltas = Vec::with_capacity(calls.len());
            while let Some(call) = calls.get(deltas.len()) {
                let answer = self.receive().await?;
                match self.keep(answer)? {
                    Some(Message::Delta(delta)) if delta.call == *call => deltas.push(delta),
                    _ => {}
                }
            }
            Ok(deltas)
        })
        .await?
    }

    /// Targets to hear no more of. Nothing is answered; it holds for all calls that end later.
    pub async fn covered(&mut self, ids: &[u32]) -> Result<(), LineError> {
        self.say(&Message::Covered { ids: ids.to_vec() }).await
    }

    /// Makes the probe forget calls under way and what is covered.
    pub async fn reset(&mut self) -> Result<(), LineError> {
        self.ask(&Message::Reset, |answer| {
            (answer == Message::Reset).then_some(())
        })
        .await
    }

    /// When this returns, everything that the probe had to tell before is here.
    pub async fn ping(&mut self) -> Result<(), LineError> {
        self.ask(&Message::Ping, |answer| {
            (answer == Message::Pong).then_some(())
        })
        .await
    }

    /// Takes leave. Just dropping the line does as well.
    pub async fn bye(mut self) -> Result<(), LineError> {
        self.say(&Message::Bye).await
    }

    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The statements that were told since this was last asked.
    pub fn take_statements(&mut self) -> Vec<Sql> {
        std::mem::take(&mut self.statements)
    }

    async fn ask<T>(
        &mut self,
        question: &Message,
        wanted: impl Fn(Message) -> Option<T>,
    ) -> Said<T> {
        let patience = self.patience;
        within(patience, async {
            self.send(question).await?;
            loop {
                let answer = self.receive().await?;
                if let Some(found) = self.keep(answer)?.and_then(&wanted) {
                    return Ok(found);
                }
            }
        })
        .await?
    }

    async fn say(&mut self, message: &Message) -> Said<()> {
        within(self.patience, self.send(message)).await?
    }

    async fn send(&mut self, message: &Message) -> Said<()> {
        let mut frame = Vec::new();
        encode(message, &mut frame)?;
        Ok(self.stream.write_all(&frame).await?)
    }

    async fn receive(&mut self) -> Said<Message> {
        let mut input = [0; 4096];
        loop {
            if let Some(message) = self.decoder.next_message() {
                return Ok(message?);
            }
            let count = self.stream.read(&mut input).await?;
            if count == 0 {
                return Err(LineError::Closed);
            }
            self.decoder.feed(input.get(..count).unwrap_or_default());
        }
    }

    /// Puts aside what is no answer, and gives back what may be one.
    fn keep(&mut self, message: Message) -> Said<Option<Message>> {
        match message {
            Message::Register(register) => {
                if !self.catalogue.add(register) {
                    return Err(LineError::TooManyTargets);
                }
            }
            Message::Sql(sql) => {
                if self.statements.len() < MOST_STATEMENTS {
                    self.statements.push(sql);
                }
            }
            Message::Error { text } => return Err(LineError::Refused(text)),
            other => return Ok(Some(other)),
        }
        Ok(None)
    }
}

impl LineError {
    /// The end of the stream, in any of its forms.
    fn is_death(&self) -> bool {
        match self {
            Self::Closed => true,
            Self::Io(error) => matches!(
                error.kind(),
                io::ErrorKind::BrokenPipe
                    | io::ErrorKind::ConnectionReset
                    | io::ErrorKind::NotConnected
            ),
            _ => false,
        }
    }
}

async fn within<T>(patience: Duration, work: impl Future<Output = T>) -> Said<T> {
    timeout(patience, work).await.map_err(|_| LineError::Late)
}
