//! Versions of HTTP, and TLS towards the upstream.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Frame;
use hyper::client::conn::http2;
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::rig::{Client, Rig, body_of, get, post, settings};
use crate::upstream::{Log, answer, saying, service};

type Sender = http2::SendRequest<Full<Bytes>>;

/// A client that speaks HTTP/2 without asking.
async fn two(rig: &Rig) -> Sender {
    let stream = TcpStream::connect(rig.address()).await.expect("the proxy");
    let io = TokioIo::new(stream);
    let (sender, connection) = http2::handshake(TokioExecutor::new(), io)
        .await
        .expect("HTTP/2");
    tokio::spawn(connection);
    sender
}

fn call(method: &str, path: &str, body: impl Into<Bytes>) -> Request<Full<Bytes>> {
    Request::builder()
        .method(method)
        .uri(format!("http://public.example{path}"))
        .body(Full::new(body.into()))
        .expect("a good request")
}

#[tokio::test]
async fn a_client_of_http_2_is_served_by_an_upstream_of_http_1() {
    let upstream = saying(
        "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\nX-A: 1\r\n\
         Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        false,
    )
    .await;
    let rig = Rig::new(&upstream.url);
    let mut client = two(&rig).await;
    let mut request = call("POST", "/g?x=1", "question");
    let headers = request.headers_mut();
    headers.append("cookie", "a=1".parse().expect("a value"));
    headers.append("cookie", "b=2".parse().expect("a value"));
    let response = client.send_request(request).await.expect("an answer");
    assert_eq!(response.version(), Version::HTTP_2);
    assert_eq!(response.headers().len(), 1, "{:?}", response.headers());
    assert_eq!(response.headers()["x-a"], "1");
    assert_eq!(body_of(response).await, "ok");
    let asked = upstream.log.requests().join("");
    assert!(asked.starts_with("POST /g?x=1 HTTP/1.1\r\n"), "{asked}");
    assert!(asked.contains("host: public.example\r\n"), "{asked}");
    assert!(asked.contains("cookie: a=1; b=2\r\n"), "{asked}");
    drop(client);
    let (figures, seen) = rig.end().await;
    assert_eq!((figures.passed, figures.recorded), (1, 1));
    assert_eq!(
        (seen[0].target.as_str(), &seen[0].body[..]),
        ("/g?x=1", &b"question"[..])
    );
}

#[tokio::test]
async fn many_calls_share_one_connection_of_http_2() {
    let upstream = service().await;
    let rig = Rig::new(&upstream.url);
    let client = two(&rig).await;
    let calls: Vec<_> = (0..100_usize)
        .map(|number| {
            let mut client = client.clone();
            tokio::spawn(async move {
                let body = Bytes::from(vec![b'z'; number * 1000]);
                let request = call("POST", "/echo", body.clone());
                let response = client.send_request(request).await.expect("an answer");
                assert_eq!(body_of(response).await, body);
            })
        })
        .collect();
    for call in calls {
        call.await.expect("answered rightly");
    }
    drop(client);
    let (figures, _) = rig.end().await;
    assert_eq!((figures.passed, figures.recorded), (100, 100));
}

#[tokio::test]
async fn a_stream_that_is_reset_takes_its_call_with_it() {
    let upstream = service().await;
    let rig = Rig::new(&upstream.url);
    let mut client = two(&rig).await;
    let slow = client.send_request(call("GET", "/slow", ""));
    let _ = tokio::time::timeout(std::time::Duration::from_millis(100), slow).await;
    crate::rig::until("it is counted", || rig.proxy.figures().abandoned == 1).await;
    let response = client.send_request(call("GET", "/", "")).await;
    assert!(response.is_ok(), "the connection lives on");
    drop((response, client));
    rig.end().await;
}

/// What a gRPC service does: an answer whose result is in its trailers.
async fn trailing() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let service = service_fn(|request: Request<hyper::body::Incoming>| async move {
                let te = request.headers().get("te").cloned();
                assert_eq!(te.expect("it is passed on"), "trailers");
                assert_eq!(request.version(), Version::HTTP_2);
                let question = request.into_body().collect().await;
                assert_eq!(question.expect("all of it").to_bytes(), "question");
                let mut trailers = HeaderMap::new();
                trailers.insert("grpc-status", "0".parse().expect("a value"));
                let frames = [
                    Ok(Frame::data(Bytes::from("data"))),
                    Ok(Frame::trailers(trailers)),
                ];
                Ok::<_, hyper::Error>(Response::new(Frames(frames.into())))
            });
            tokio::spawn(async move {
                let _ = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
            });
        }
    });
    format!("http://{address}")
}

struct Frames(std::collections::VecDeque<Result<Frame<Bytes>, hyper::Error>>);

impl hyper::body::Body for Frames {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        std::task::Poll::Ready(self.0.pop_front())
    }
}

#[tokio::test]
async fn http_2_goes_through_to_an_upstream_that_speaks_nothing_else() {
    let mut settings = settings(&trailing().await);
    settings.http2 = true;
    let rig = Rig::with(settings);
    let mut client = two(&rig).await;
    let mut request = call("POST", "/svc/Call", "question");
    let te = "trailers".parse().expect("a value");
    request.headers_mut().insert("te", te);
    let response = client.send_request(request).await.expect("an answer");
    let whole = response.into_body().collect().await.expect("a body");
    assert_eq!(whole.trailers().expect("trailers")["grpc-status"], "0");
    assert_eq!(whole.to_bytes(), "data");
    drop(client);
    let (_, seen) = rig.end().await;
    assert_eq!(seen[0].body, b"question");
}

/// The usual service behind TLS, and how many connections agreed on HTTP/2.
async fn secure(versions: &[&[u8]]) -> (String, Log) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let key = rcgen::generate_simple_self_signed(["localhost".into()]).expect("a certificate");
    let secret = PrivateKeyDer::Pkcs8(key.signing_key.serialize_der().into());
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring speaks TLS")
        .with_no_client_auth()
        .with_single_cert(vec![key.cert.der().clone()], secret)
        .expect("a good key");
    config.alpn_protocols = versions.iter().map(|version| version.to_vec()).collect();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let log = Log::default();
    let into = log.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(stream) = acceptor.accept(stream).await else {
                continue;
            };
            if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
                into.connections
                    .fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            }
            let log = into.clone();
            tokio::spawn(async move {
                let service = service_fn(|request| answer(request, log.clone()));
                let _ = auto::Builder::new(TokioExecutor::new())
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
            });
        }
    });
    (format!("https://localhost:{port}"), log)
}

#[tokio::test]
async fn behind_tls_the_client_s_version_is_spoken_where_the_upstream_can() {
    for (versions, expected) in [
        (&[&b"h2"[..], b"http/1.1"][..], 1),
        (&[&b"http/1.1"[..]][..], 0),
    ] {
        let (url, log) = secure(versions).await;
        let mut settings = settings(&url);
        settings.insecure = true;
        settings.threads = 1;
        let rig = Rig::with(settings);
        let mut one = Client::new(rig.address()).await;
        assert_eq!(body_of(one.send(post("/echo", "one")).await).await, "one");
        assert_eq!(log.connections(), 0, "HTTP/1.1 stays HTTP/1.1");
        let mut client = two(&rig).await;
        for _ in 0..3 {
            let request = call("POST", "/echo", "two");
            let response = client.send_request(request).await.expect("an answer");
            assert_eq!(body_of(response).await, "two");
        }
        assert_eq!(log.connections(), expected);
        drop((one, client));
        let (figures, _) = rig.end().await;
        assert_eq!((figures.passed, figures.recorded), (4, 4));
    }
}

#[tokio::test]
async fn a_certificate_that_nobody_trusts_is_a_reason_to_refuse() {
    let (url, _) = secure(&[b"http/1.1"]).await;
    let rig = Rig::new(&url);
    let mut client = Client::new(rig.address()).await;
    let answer = client.send(get("/")).await;
    assert_eq!(answer.status(), 502);
    let text = body_of(answer).await;
    assert!(String::from_utf8_lossy(&text).contains("TLS"), "{text:?}");
    rig.end().await;
}
