//! HTTP/2 and TLS.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use fossick_trace::Failure;
use fossick_transport::{Client, Settings};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::stub::{Stub, json};
use crate::{answered, client, failed, get, post, settings};

/// Answers with what it was asked, over HTTP/2; `/bye` ends the connection.
async fn echo(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let line = format!("{} {} ", request.method(), request.uri());
    let agent = request.headers()["user-agent"]
        .to_str()
        .unwrap_or_default()
        .to_owned();
    let body = request
        .into_body()
        .collect()
        .await
        .map(http_body_util::Collected::to_bytes);
    let text = String::from_utf8_lossy(&body.unwrap_or_default()).into_owned();
    Ok(Response::new(Full::from(format!("{line}{agent} {text}"))))
}

async fn serve_http2(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
    let served = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
        .serve_connection(TokioIo::new(stream), service_fn(echo));
    let _ = served.await;
}

struct Listening {
    address: String,
    connections: Arc<AtomicUsize>,
    /// Closes the newest connection.
    newest: Arc<std::sync::Mutex<Option<tokio::task::AbortHandle>>>,
}

async fn http2_service() -> Listening {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let listening = Listening {
        address: listener.local_addr().expect("an address").to_string(),
        connections: Arc::default(),
        newest: Arc::default(),
    };
    let (connections, newest) = (listening.connections.clone(), listening.newest.clone());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            connections.fetch_add(1, Ordering::SeqCst);
            let task = tokio::spawn(serve_http2(stream));
            *newest.lock().expect("no test panicked") = Some(task.abort_handle());
        }
    });
    listening
}

fn http2_client(address: &str) -> Client {
    Client::new(Settings {
        http2: true,
        connections: 32,
        ..settings(&format!("http://{address}/base"))
    })
    .expect("good settings")
}

#[tokio::test]
async fn http2_shares_one_connection() {
    let service = http2_service().await;
    let client = http2_client(&service.address);
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { answered(client.send(&post("/x?y", "hello")).await) })
        })
        .collect();
    let expected = format!(
        "POST http://{}/base/x?y fossick/0.1.0 hello",
        service.address
    );
    for task in tasks {
        assert_eq!(task.await.expect("an answer").excerpt(200), expected);
    }
    assert_eq!(service.connections.load(Ordering::SeqCst), 1);
    assert_eq!(client.requests(), 20);
}

#[tokio::test]
async fn http2_is_opened_again_when_it_dies() {
    let service = http2_service().await;
    let client = http2_client(&service.address);
    answered(client.send(&get("/")).await);
    if let Some(task) = service.newest.lock().expect("no test panicked").take() {
        task.abort();
    }
    answered(client.send(&get("/")).await);
    assert_eq!(service.connections.load(Ordering::SeqCst), 2);
}

fn acceptor(versions: &[&[u8]]) -> TlsAcceptor {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring speaks TLS")
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .expect("a good certificate");
    config.alpn_protocols = versions.iter().map(|version| version.to_vec()).collect();
    TlsAcceptor::from(Arc::new(config))
}

/// A service with a certificate that nobody knows; `h2` says which version it speaks.
async fn tls_service(h2: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let acceptor = acceptor(if h2 { &[b"h2"] } else { &[] });
    let stub = Stub::default();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(stream) = acceptor.accept(stream).await else {
                continue;
            };
            if h2 {
                tokio::spawn(serve_http2(stream));
            } else {
                let act = Arc::new(|_: &crate::stub::Seen| json(200, "", "{}"));
                tokio::spawn(stub.clone().serve(stream, act));
            }
        }
    });
    format!("https://127.0.0.1:{port}")
}

fn trusting(url: &str) -> Client {
    Client::new(Settings {
        insecure: true,
        ..settings(url)
    })
    .expect("good settings")
}

#[tokio::test]
async fn an_unknown_certificate_is_accepted_only_when_asked_for() {
    let url = tls_service(false).await;
    let failure = failed(client(&url).send(&get("/")).await);
    assert!(
        matches!(&failure, Failure::Unreachable(why) if why.contains("TLS")),
        "{failure}"
    );
    let trusting = trusting(&url);
    for _ in 0..5 {
        assert_eq!(answered(trusting.send(&get("/")).await).status, 200);
    }
    assert!(
        trusting
            .fetch(&url, &[])
            .await
            .is_ok_and(|(status, ..)| status == 200)
    );
}

#[tokio::test]
async fn over_tls_the_version_is_agreed_on() {
    let url = tls_service(true).await;
    let client = trusting(&url);
    for _ in 0..3 {
        let answer = answered(client.send(&get("/over")).await);
        assert!(answer.excerpt(200).starts_with(&format!("GET {url}/over")));
    }
}
