//! Under load everything that can fail fails in turn: the store, its thread, the upstream, the
//! clients. No call may be lost or altered because of recording, and every loss is counted.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use bytes::Bytes;
use fossick_harvest::Seen;
use fossick_recorder::{Figures, Keep, Kept, RecordSettings, Recorder, Running, Told, start_proxy};
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::rig::{Client, Heard, body_of, end, post, recording, settings};
use crate::upstream::{Log, accept};

const CLIENTS: usize = 16;

/// A service with a life of its own that can be killed and born again at the same address.
struct Service {
    address: SocketAddr,
    kill: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Service {
    fn start(address: SocketAddr) -> Self {
        let (kill, killed) = oneshot::channel();
        let (told, listening) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime");
            // When the runtime goes, so do all its sockets.
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind(address)
                    .await
                    .expect("a port");
                let address = listener.local_addr().expect("an address");
                told.send(address).expect("the test waits");
                tokio::spawn(accept(listener, Log::default()));
                let _ = killed.await;
            });
        });
        let address = listening.recv().expect("it listens");
        let kill = Some((kill, thread));
        Self { address, kill }
    }

    fn kill(&mut self) {
        if let Some((kill, thread)) = self.kill.take() {
            drop(kill);
            thread.join().expect("it ends");
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
enum Mood {
    Well,
    Refusing,
    Hanging,
    Panicking,
}

/// A store whose mood a test can change.
#[derive(Clone, Default)]
struct Store {
    mood: Arc<AtomicU8>,
    kept: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Store {
    fn set(&self, mood: Mood) {
        self.mood.store(mood as u8, Ordering::SeqCst);
    }

    fn is(&self, mood: Mood) -> bool {
        self.mood.load(Ordering::SeqCst) == mood as u8
    }
}

impl Keep for Store {
    fn keep(&mut self, batch: &[Seen]) -> Result<Kept, String> {
        while self.is(Mood::Hanging) {
            std::thread::sleep(Duration::from_millis(5));
        }
        if self.is(Mood::Refusing) {
            return Err("the store was killed".to_owned());
        }
        assert!(!self.is(Mood::Panicking), "a planted fault of the store");
        let mut kept = self.kept.lock().expect("one writer");
        for seen in batch {
            let answer = seen.answer.as_ref().and_then(|answer| answer.body.as_ref());
            // A client that was killed may have left an answer unread.
            let same = answer.is_none_or(|answer| *answer == seen.body);
            assert!(same, "the echo is recorded as it was");
            kept.push(seen.body.clone());
        }
        let calls = batch.len() as u64;
        Ok(Kept { calls, skipped: 0 })
    }
}

/// What the clients saw.
#[derive(Default)]
struct Tally {
    stop: AtomicBool,
    /// Nobody counts failures meanwhile: the upstream is dead.
    down: AtomicBool,
    answered: AtomicU64,
    refused: AtomicU64,
    /// Failures while the upstream was alive.
    wrong: Mutex<Vec<String>>,
}

/// Sends calls, each unlike any other, and compares every answer byte by byte.
async fn load(to: SocketAddr, number: usize, tally: Arc<Tally>) {
    let mut client = Client::new(to).await;
    for round in 0.. {
        if tally.stop.load(Ordering::SeqCst) {
            return;
        }
        let filler = "é".repeat(round % 700);
        let text = format!("{{\"query\":\"{{ item(id: \\\"{number}-{round}\\\") }}\",{filler}}}");
        let before = tally.down.load(Ordering::SeqCst);
        let outcome = exchange(&mut client, &text).await;
        let excused = before || tally.down.load(Ordering::SeqCst);
        match outcome {
            Ok(200) => drop(tally.answered.fetch_add(1, Ordering::SeqCst)),
            Ok(502) if excused => drop(tally.refused.fetch_add(1, Ordering::SeqCst)),
            other => {
                if !excused {
                    let text = format!("{number}-{round}: {other:?}");
                    tally.wrong.lock().expect("no panic").push(text);
                }
                client = Client::new(to).await;
            }
        }
    }
}

async fn exchange(client: &mut Client, text: &str) -> Result<u16, String> {
    let question = post("/echo", Bytes::from(text.to_owned()));
    let answer = client.try_send(question).await;
    let answer = answer.map_err(|why| why.to_string())?;
    let status = answer.status().as_u16();
    let body = http_body_util::BodyExt::collect(answer.into_body()).await;
    let body = body.map_err(|why| why.to_string())?.to_bytes();
    if status == 200 && body != text {
        return Err(format!("{} bytes came of {}", body.len(), text.len()));
    }
    Ok(status)
}

struct Scene {
    proxy: Running,
    store: Store,
    heard: Heard,
    tally: Arc<Tally>,
    clients: Vec<tokio::task::JoinHandle<()>>,
}

impl Scene {
    async fn begin(service: &Service, record: RecordSettings) -> Self {
        let (store, heard) = (Store::default(), Heard::default());
        let recorder = Recorder::start(record, Box::new(store.clone()), heard.teller());
        let settings = settings(&format!("http://{}", service.address));
        let recorder = recorder.expect("threads");
        let proxy = start_proxy(settings, recorder, heard.teller()).expect("a port");
        let tally = Arc::new(Tally::default());
        let clients = (0..CLIENTS)
            .map(|number| tokio::spawn(load(proxy.address(), number, Arc::clone(&tally))))
            .collect();
        let scene = Self {
            proxy,
            store,
            heard,
            tally,
            clients,
        };
        scene.some_answers().await;
        scene
    }

    /// Traffic flows: calls are answered, one after another.
    async fn some_answers(&self) {
        let before = self.tally.answered.load(Ordering::SeqCst);
        let tally = &self.tally.answered;
        let more = || tally.load(Ordering::SeqCst) > before + 200;
        crate::rig::until("traffic flows", more).await;
    }

    /// Ends everything and checks that the books balance.
    async fn end(self) -> (Figures, Vec<Told>) {
        self.tally.stop.store(true, Ordering::SeqCst);
        for client in self.clients {
            // Some were killed.
            let _ = client.await;
        }
        let figures = end(self.proxy).await;
        let wrong = self.tally.wrong.lock().expect("no panic").clone();
        assert!(
            wrong.is_empty(),
            "{} calls: {:?}",
            wrong.len(),
            wrong.first()
        );
        assert_eq!(figures.passed, figures.recorded + figures.lost, "{figures}");
        assert_eq!((figures.waiting, figures.left_out), (0, 0), "{figures}");
        let kept = self.store.kept.lock().expect("one writer");
        assert_eq!(kept.len() as u64, figures.recorded, "each once");
        let unique: std::collections::BTreeSet<_> = kept.iter().collect();
        assert_eq!(unique.len(), kept.len(), "none twice");
        (figures, self.heard.all())
    }
}

fn roomy() -> RecordSettings {
    RecordSettings {
        most_calls: 1_000_000,
        most_bytes: 1 << 30,
        pause: Duration::from_millis(100),
        flush: Duration::from_secs(20),
        ..recording()
    }
}

#[tokio::test]
async fn nothing_fails_and_nothing_is_lost() {
    let service = Service::start(crate::rig::LOOPBACK);
    let scene = Scene::begin(&service, roomy()).await;
    scene.some_answers().await;
    let answered = Arc::clone(&scene.tally);
    let (figures, _) = scene.end().await;
    assert_eq!(figures.lost, 0);
    assert_eq!(figures.passed, answered.answered.load(Ordering::SeqCst));
}

#[tokio::test]
async fn the_store_is_killed_and_comes_back() {
    let service = Service::start(crate::rig::LOOPBACK);
    let scene = Scene::begin(&service, roomy()).await;
    scene.store.set(Mood::Refusing);
    sleep(Duration::from_millis(300)).await;
    scene.some_answers().await;
    scene.store.set(Mood::Well);
    scene.some_answers().await;
    let (figures, told) = scene.end().await;
    assert_eq!(figures.lost, 0, "there was room for all");
    assert!(matches!(told[1], Told::StoreGone { .. }), "{told:?}");
    assert_eq!(told[2], Told::StoreBack);
}

#[tokio::test]
async fn the_store_is_killed_for_good_and_the_queue_is_small() {
    let service = Service::start(crate::rig::LOOPBACK);
    let small = RecordSettings {
        most_calls: 100,
        flush: Duration::from_millis(300),
        ..recording()
    };
    let scene = Scene::begin(&service, small).await;
    scene.store.set(Mood::Refusing);
    sleep(Duration::from_millis(1200)).await;
    scene.some_answers().await;
    let (figures, told) = scene.end().await;
    assert!(figures.lost > 100, "{figures}");
    let said = told.iter().filter_map(|told| match told {
        Told::Lost { new, .. } => Some(*new),
        _ => None,
    });
    assert_eq!(said.sum::<u64>(), figures.lost, "every loss is said");
}

#[tokio::test]
async fn the_store_hangs_for_good_and_bytes_are_few() {
    let service = Service::start(crate::rig::LOOPBACK);
    let small = RecordSettings {
        most_bytes: 50_000,
        flush: Duration::from_millis(300),
        ..recording()
    };
    let scene = Scene::begin(&service, small).await;
    scene.store.set(Mood::Hanging);
    sleep(Duration::from_millis(300)).await;
    scene.some_answers().await;
    let store = scene.store.clone();
    let (figures, _) = scene.end().await;
    assert!(figures.lost > 100, "{figures}");
    store.set(Mood::Well);
}

#[tokio::test]
async fn the_recorder_s_thread_panics_again_and_again() {
    let service = Service::start(crate::rig::LOOPBACK);
    let scene = Scene::begin(&service, roomy()).await;
    for _ in 0..3 {
        scene.store.set(Mood::Panicking);
        scene.some_answers().await;
        sleep(Duration::from_millis(50)).await;
        scene.store.set(Mood::Well);
        scene.some_answers().await;
    }
    let (figures, told) = scene.end().await;
    assert!(figures.lost > 0 && figures.recorded > 0, "{figures}");
    assert!(told.iter().any(|t| matches!(t, Told::StoreBroke { .. })));
}

#[tokio::test]
async fn the_upstream_is_killed_and_comes_back() {
    let mut service = Service::start(crate::rig::LOOPBACK);
    let scene = Scene::begin(&service, roomy()).await;
    for _ in 0..3 {
        scene.tally.down.store(true, Ordering::SeqCst);
        service.kill();
        let refused = scene.tally.refused.load(Ordering::SeqCst);
        let more = || scene.tally.refused.load(Ordering::SeqCst) > refused + 20;
        crate::rig::until("the dead are answered for", more).await;
        service = Service::start(service.address);
        // Calls that began before it was back may still fail.
        sleep(Duration::from_millis(200)).await;
        scene.tally.down.store(false, Ordering::SeqCst);
        scene.some_answers().await;
    }
    let (figures, _) = scene.end().await;
    assert_eq!(figures.lost, 0);
    assert!(figures.failed >= 60, "{figures}");
}

#[tokio::test]
async fn clients_are_killed_in_the_middle_of_their_calls() {
    let service = Service::start(crate::rig::LOOPBACK);
    let mut scene = Scene::begin(&service, roomy()).await;
    for killed in 0..CLIENTS / 2 {
        scene.clients[killed].abort();
        sleep(Duration::from_millis(3)).await;
    }
    let to = scene.proxy.address();
    for number in 100..150 {
        let tally = Arc::new(Tally::default());
        let short = tokio::spawn(load(to, number, tally));
        sleep(Duration::from_millis(2)).await;
        short.abort();
        let _ = short.await;
    }
    scene.clients.drain(..CLIENTS / 2);
    scene.some_answers().await;
    let (figures, _) = scene.end().await;
    assert_eq!(figures.lost, 0);
}

#[tokio::test]
async fn all_of_it_at_once() {
    let mut service = Service::start(crate::rig::LOOPBACK);
    let small = RecordSettings {
        most_calls: 300,
        flush: Duration::from_millis(500),
        ..recording()
    };
    let scene = Scene::begin(&service, small).await;
    for mood in [Mood::Refusing, Mood::Panicking, Mood::Hanging, Mood::Well] {
        scene.store.set(mood);
        scene.clients[mood as usize].abort();
        sleep(Duration::from_millis(100)).await;
        scene.some_answers().await;
        scene.tally.down.store(true, Ordering::SeqCst);
        service.kill();
        service = Service::start(service.address);
        sleep(Duration::from_millis(200)).await;
        scene.tally.down.store(false, Ordering::SeqCst);
        scene.some_answers().await;
    }
    let (figures, told) = scene.end().await;
    assert!(figures.recorded > 0 && figures.lost > 0, "{figures}");
    assert_eq!(told.last(), Some(&Told::Ended(figures)));
}

#[tokio::test]
async fn an_answer_is_the_same_with_and_without_the_proxy() {
    let service = Service::start(crate::rig::LOOPBACK);
    let scene = Scene::begin(&service, roomy()).await;
    scene.store.set(Mood::Hanging);
    for body in ["", "x", "{\"query\":\"{ a }\"}"] {
        let mut answers = Vec::new();
        for to in [service.address, scene.proxy.address()] {
            let mut client = Client::new(to).await;
            let answer = client.send(post("/echo", body)).await;
            let (head, rest) = answer.into_parts();
            let mut headers = head.headers.clone();
            headers.remove("date");
            let whole = body_of(hyper::Response::new(rest)).await;
            answers.push((head.status, headers, whole));
        }
        assert_eq!(answers[0], answers[1]);
    }
    scene.store.set(Mood::Well);
    // These were no load of the scene, but they are echoes too; equal ones are recorded twice.
    scene.store.kept.lock().expect("one writer").clear();
    scene.tally.stop.store(true, Ordering::SeqCst);
    for client in scene.clients {
        let _ = client.await;
    }
    let figures = end(scene.proxy).await;
    assert_eq!((figures.passed, figures.lost), (figures.recorded, 0));
}
