//! The way in: one listener, and threads that share nothing.
//!
//! Each thread has its own runtime and keeps a connection for its whole life, so no call ever
//! waits for another core. At the end nobody new is let in, and those inside get time to finish.

use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::service::Service;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};

use crate::socket::{Guarded, settle};
use crate::{Patience, StartError};

/// Connections that the system may hold until they are let in.
const BACKLOG: u32 = 4096;

type AnyError = Box<dyn std::error::Error + Send + Sync>;
type Visit = Pin<Box<dyn Future<Output = ()> + Send>>;
/// Serves one connection to its end.
pub(crate) type Serve = Box<dyn Fn(TcpStream, SocketAddr, Presence) -> Visit + Send>;

pub(crate) struct Door {
    address: SocketAddr,
    closing: watch::Sender<bool>,
    threads: Vec<JoinHandle<()>>,
}

/// Held by whatever must be waited for at the end.
#[derive(Clone)]
pub(crate) struct Presence {
    closing: watch::Receiver<bool>,
    _alive: mpsc::Sender<()>,
}

impl Presence {
    /// Waits until the end is wanted.
    pub(crate) async fn end_is_wanted(&mut self) {
        // Without a door there is nothing to stay for.
        let _ = self.closing.wait_for(|closing| *closing).await;
    }
}

impl Door {
    /// Opens it; `serve` is asked in each thread for what serves there.
    pub(crate) fn open(
        address: SocketAddr,
        threads: usize,
        ending: Duration,
        serve: impl Fn() -> Serve + Send + Sync + 'static,
    ) -> Result<Self, StartError> {
        let runtime = runtime()?;
        let listener =
            listen(&runtime, address).map_err(|why| StartError::Listen { address, why })?;
        let address = listener.local_addr()?;
        let (closing, closed) = watch::channel(false);
        let serve = Arc::new(serve);
        let mut rooms = Vec::new();
        let mut handles = Vec::new();
        for _ in 0..threads.max(1) {
            let (sender, arriving) = mpsc::unbounded_channel();
            let (serve, closed) = (Arc::clone(&serve), closed.clone());
            let own = self::runtime()?;
            rooms.push(sender);
            handles.push(thread(move || {
                own.block_on(async { host(arriving, &serve(), closed, ending).await });
            })?);
        }
        handles.push(thread(move || {
            runtime.block_on(admit(listener, rooms, closed));
        })?);
        Ok(Self {
            address,
            closing,
            threads: handles,
        })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Lets nobody in any more and waits for those inside.
    pub(crate) fn close(self) {
        let _ = self.closing.send(true);
        for thread in self.threads {
            // A thread that panicked has ended too.
            let _ = thread.join();
        }
    }
}

fn thread(work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, StartError> {
    let builder = Builder::new().name("traffic".to_owned());
    Ok(builder.spawn(work)?)
}

fn runtime() -> std::io::Result<Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
}

fn listen(runtime: &Runtime, address: SocketAddr) -> std::io::Result<TcpListener> {
    let _context = runtime.enter();
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Lets connections in, in turn to each thread.
async fn admit(
    listener: TcpListener,
    rooms: Vec<mpsc::UnboundedSender<std::net::TcpStream>>,
    mut closed: watch::Receiver<bool>,
) {
    let mut end = pin!(closed.wait_for(|closing| *closing));
    for room in rooms.iter().cycle() {
        let arrived = tokio::select! {
            arrived = listener.accept() => arrived,
            _ = &mut end => return,
        };
        match arrived.and_then(|(stream, _)| stream.into_std()) {
            Ok(stream) => {
                // A thread that is gone closes the connection.
                let _ = room.send(stream);
            }
            // Mostly too many open files: others must leave first.
            Err(_) => sleep(Duration::from_millis(20)).await,
        }
    }
}

async fn host(
    mut arriving: mpsc::UnboundedReceiver<std::net::TcpStream>,
    serve: &Serve,
    closing: watch::Receiver<bool>,
    ending: Duration,
) {
    let (alive, mut all_gone) = mpsc::channel(1);
    let presence = Presence {
        closing,
        _alive: alive,
    };
    while let Some(stream) = arriving.recv().await {
        if let Ok((stream, peer)) = taken(stream) {
            tokio::spawn(serve(stream, peer, presence.clone()));
        }
    }
    drop(presence);
    // Nothing is ever sent; it ends when the last presence is gone.
    let _: Result<Option<()>, _> = timeout(ending, all_gone.recv()).await;
}

fn taken(stream: std::net::TcpStream) -> std::io::Result<(TcpStream, SocketAddr)> {
    let peer = stream.peer_addr()?;
    let stream = TcpStream::from_std(stream)?;
    settle(&stream);
    Ok((stream, peer))
}

/// How requests are read: either version of HTTP, names as they were written, nothing added.
pub(crate) fn manners(patience: &Patience) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(patience.head)
        .preserve_header_case(true)
        .auto_date_header(false);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(Duration::from_mins(1))
        .keep_alive_timeout(Duration::from_secs(30))
        .auto_date_header(false);
    builder
}

/// Serves a connection until it ends, or until the end is wanted and its calls are answered.
pub(crate) async fn serve<S, B>(
    manners: &auto::Builder<TokioExecutor>,
    stream: TcpStream,
    patience: &Patience,
    mut presence: Presence,
    began: &AtomicBool,
    service: S,
) where
    S: Service<Request<Incoming>, Response = Response<B>>,
    S::Future: Send + 'static,
    S::Error: Into<AnyError>,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<AnyError>,
{
    let io = TokioIo::new(Guarded::new(stream, patience.stall));
    let mut connection = pin!(manners.serve_connection_with_upgrades(io, service));
    let mut end = pin!(presence.end_is_wanted());
    let mut silence = pin!(sleep(patience.head));
    let (mut ending, mut listened) = (false, false);
    loop {
        tokio::select! {
            biased;
            // How it ended is known to whoever was at the other end.
            _ = connection.as_mut() => return,
            () = end.as_mut(), if !ending => {
                ending = true;
                connection.as_mut().graceful_shutdown();
            }
            () = silence.as_mut(), if !listened => {
                listened = true;
                if !began.load(Ordering::Relaxed) {
                    return;
                }
            }
        }
    }
}
