//! A service that does exactly what a test tells it, down to the bytes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;

/// What a request looked like, and where it stood in the row.
pub(crate) struct Seen {
    /// Requests before this one, on any connection.
    pub(crate) number: usize,
    /// The whole request, head and body.
    pub(crate) text: String,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.text.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    pub(crate) fn first_line(&self) -> &str {
        self.text.lines().next().unwrap_or_default()
    }
}

pub(crate) enum Act {
    /// Writes and waits for the next request.
    Say(String),
    /// Writes and closes.
    SayAndClose(Vec<u8>),
    /// Never answers.
    Hang,
}

/// A whole answer with a JSON body.
pub(crate) fn json(status: u16, headers: &str, body: &str) -> Act {
    let length = body.len();
    Act::Say(format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         {headers}\r\n{body}"
    ))
}

#[derive(Clone, Default)]
pub(crate) struct Stub {
    pub(crate) url: String,
    connections: Arc<AtomicUsize>,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Stub {
    pub(crate) async fn start(act: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let stub = Self {
            url: format!("http://{address}"),
            ..Self::default()
        };
        let (accepting, act) = (stub.clone(), Arc::new(act));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                accepting.connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(accepting.clone().serve(stream, Arc::clone(&act)));
            }
        });
        stub
    }

    pub(crate) async fn serve<S, F>(self, mut stream: S, act: Arc<F>)
    where
        S: AsyncRead + AsyncWrite + Unpin,
        F: Fn(&Seen) -> Act,
    {
        while let Some(text) = read_request(&mut stream).await {
            let number = {
                let mut heads = self.heads.lock().expect("no test panicked");
                heads.push(text.clone());
                heads.len() - 1
            };
            match act(&Seen { number, text }) {
                Act::Say(answer) => {
                    if stream.write_all(answer.as_bytes()).await.is_err() {
                        return;
                    }
                }
                Act::SayAndClose(answer) => {
                    let _ = stream.write_all(&answer).await;
                    let _ = stream.shutdown().await;
                    return;
                }
                Act::Hang => std::future::pending().await,
            }
        }
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Every request so far, as it came.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.heads.lock().expect("no test panicked").clone()
    }
}

async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && body.len() >= length_in(head)
        {
            return Some(text);
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

fn length_in(head: &str) -> usize {
    head.lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or(0)
}
