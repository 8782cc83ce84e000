//! All processes of a service that have a probe inside, as one.
//!
//! A service may have several processes (forked workers) and is started again after a crash: each
//! process numbers its targets as it likes. The hub gives every target one number by what stays the
//! same, `file:line:kind:ordinal`, remembers what is covered, and tells each process to stop
//! reporting that. A process that fails costs its answers and nothing else.
//!
//! Where several instances of the service run side by side, each has a hub with a socket of its
//! own, and all of them share numbers and coverage: a call concerns one instance, and what it
//! covers is covered for all.

use std::collections::{HashMap, HashSet};
use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fossick_trace::Insight;
use tokio::net::{TcpListener, UnixListener, UnixStream};
use tokio::sync::{Mutex, MutexGuard, Notify, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::door::through_the_door;
use crate::line::{Line, LineError};
use crate::message::{Delta, Descriptor, Kind};

/// Of each line, how many conditions are not covered, and those that are.
type Conditions = HashMap<(Arc<str>, u32), (usize, Vec<u32>)>;

/// The processes of one instance, with what keeps the numbers: shared with the task that takes in
/// new processes, and with the hubs of other instances.
#[derive(Debug)]
pub struct Hub {
    state: Arc<Mutex<State>>,
    instance: usize,
    ended: Arc<Ended>,
    accepting: Vec<JoinHandle<()>>,
    socket: Option<PathBuf>,
}

/// Calls that have ended and were not asked for yet. To wake a probe costs its service more than to
/// answer for another call, so a few are waited for.
#[derive(Debug, Default)]
struct Ended {
    waiting: std::sync::Mutex<Vec<Asked>>,
    enough: Notify,
}

#[derive(Debug)]
struct Asked {
    calls: Vec<u64>,
    answer: oneshot::Sender<Vec<Insight>>,
}

/// Nobody waits longer than this for others.
const GATHER: Duration = Duration::from_millis(2);
/// And so many are enough.
const MOST_GATHERED: usize = 16;

#[derive(Debug, Default)]
struct State {
    processes: Vec<Process>,
    numbers: HashMap<String, u32>,
    targets: Vec<Known>,
    /// Covered targets are reported as well.
    reports_all: bool,
    lines: Conditions,
    /// Why a process could not be talked to.
    complaint: Option<String>,
    language: Option<String>,
    /// Folders of the service's own source, as its processes say.
    roots: Vec<String>,
}

/// A target, by its number.
#[derive(Debug, Clone)]
pub struct Known {
    pub descriptor: Descriptor,
    pub is_covered: bool,
}

#[derive(Debug)]
struct Process {
    line: Line,
    instance: usize,
    /// It has to be told when a call begins.
    announces: bool,
    /// It knows calls by their header.
    tells_apart: bool,
    /// The hub's number of each of the process's own.
    ours: HashMap<u32, u32>,
    /// The process's own number of each of the hub's.
    theirs: HashMap<u32, u32>,
    /// Covered targets that it has not been told of yet.
    news: Vec<u32>,
}

impl Hub {
    /// Waits for processes at a socket, which is made.
    pub fn listen(path: &Path) -> io::Result<Self> {
        Self::of_instance(0, path, Arc::default())
    }

    /// Waits for the processes of another instance of the same service at a socket of its own.
    pub fn listen_beside(&self, instance: usize, path: &Path) -> io::Result<Self> {
        Self::of_instance(instance, path, Arc::clone(&self.state))
    }

    fn of_instance(instance: usize, path: &Path, state: Arc<Mutex<State>>) -> io::Result<Self> {
        let listener = UnixListener::bind(path)?;
        let accepting = tokio::spawn(accept(listener, instance, Arc::clone(&state)));
        Ok(Self {
            state,
            instance,
            ended: Arc::default(),
            accepting: vec![accepting],
            socket: Some(path.to_owned()),
        })
    }

    /// Waits for processes at a port of this machine as well: there are runtimes without sockets in
    /// the file system. Who connects must know the secret. Gives the port.
    pub async fn listen_at_a_port(&mut self, secret: &str) -> io::Result<u16> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        let state = Arc::clone(&self.state);
        let taking = take_calls(listener, self.instance, secret.to_owned(), state);
        self.accepting.push(tokio::spawn(taking));
        Ok(port)
    }

    /// Talks to a service that listens itself.
    pub async fn connect(path: &Path) -> Result<Self, LineError> {
        let mut state = State::default();
        state.greet(Line::connect(path).await?, 0, true).await?;
        Ok(Self {
            state: Arc::new(Mutex::new(state)),
            instance: 0,
            ended: Arc::default(),
            accepting: Vec::new(),
            socket: None,
        })
    }

    /// Waits for a first process, if need be.
    pub async fn arrival(&self, patience: Duration) {
        let until = Instant::now() + patience;
        while self.processes().await == 0 && Instant::now() < until {
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// How many processes of the instance have a probe inside.
    pub async fn processes(&self) -> usize {
        let state = self.state.lock().await;
        let all = state.processes.iter();
        all.filter(|process| process.instance == self.instance)
            .count()
    }

    /// Whether a process can't tell calls apart, so that there must be only one.
    pub async fn takes_one_at_a_time(&self) -> bool {
        let state = self.state.lock().await;
        let mut all = state.processes.iter();
        all.any(|process| process.instance == self.instance && !process.tells_apart)
    }

    /// Why a process could not be talked to, where that is so.
    pub async fn complaint(&self) -> Option<String> {
        self.state.lock().await.complaint.clone()
    }

    /// The language of the service, as its probe says.
    pub async fn language(&self) -> Option<String> {
        self.state.lock().await.language.clone()
    }

    /// Folders that the names of files are relative to.
    pub async fn roots(&self) -> Vec<String> {
        self.state.lock().await.roots.clone()
    }

    /// All targets, in the order of their numbers.
    pub async fn targets(&self) -> Vec<Known> {
        self.state.lock().await.targets.clone()
    }

    /// Says that a call begins, to those who can't tell by its header.
    pub async fn begin(&self, call: u64) {
        let mut state = self.state.lock().await;
        let mut at = 0;
        while let Some(process) = state.processes.get_mut(at) {
            let concerned = process.announces && process.instance == self.instance;
            if concerned && process.line.begin(call).await.is_err() {
                state.processes.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// What a call did, in all processes of the instance together.
    pub async fn end(&self, call: u64) -> Insight {
        let mut state = self.state.lock().await;
        let insights = state.end_all(self.instance, &[call]).await;
        insights.into_iter().next().unwrap_or_default()
    }

    /// The same for calls that are known by their header, asked together with those of others who
    /// come at about the same time.
    pub async fn end_all(&self, calls: Vec<u64>) -> Vec<Insight> {
        let (answer, insights) = oneshot::channel();
        let (is_first, gathered) = {
            let mut waiting = self.ended.waiting();
            waiting.push(Asked { calls, answer });
            let gathered = waiting.iter().map(|asked| asked.calls.len()).sum::<usize>();
            (waiting.len() == 1, gathered)
        };
        if is_first {
            let (state, ended) = (Arc::clone(&self.state), Arc::clone(&self.ended));
            tokio::spawn(ask_together(state, ended, self.instance));
        }
        if gathered >= MOST_GATHERED {
            self.ended.enough.notify_one();
        }
        insights.await.unwrap_or_default()
    }

    /// From now on everything that a call reaches is reported, also what was covered before.
    pub async fn report_all(&self) {
        let mut state = self.state.lock().await;
        state.reports_all = true;
        for process in &mut state.processes {
            process.news.clear();
            // A process that is gone is noticed at its next call.
            let _ = process.line.reset().await;
        }
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        for accepting in &self.accepting {
            accepting.abort();
        }
        if let Some(socket) = &self.socket {
            let _ = std::fs::remove_file(socket);
        }
    }
}

/// Whether a target is one side of something that is decided.
fn is_decided(kind: Kind) -> bool {
    matches!(kind, Kind::BranchTrue | Kind::BranchFalse | Kind::Method)
}

/// What need not be told any more once a target is covered. Conditions of one line belong together:
/// what one of them was compared with is wanted as long as any of them is open.
fn settled(lines: &mut Conditions, id: u32, descriptor: &Descriptor) -> Vec<u32> {
    if !is_decided(descriptor.kind) {
        return vec![id];
    }
    let line = (Arc::clone(&descriptor.file), descriptor.line);
    let (open, covered) = lines.entry(line).or_default();
    *open = open.saturating_sub(1);
    covered.push(id);
    if *open > 0 {
        return Vec::new();
    }
    std::mem::take(covered)
}

/// Asks for all that are waiting, a moment after the first one came.
async fn ask_together(state: Arc<Mutex<State>>, ended: Arc<Ended>, instance: usize) {
    let _ = timeout(GATHER, ended.enough.notified()).await;
    let mut state = state.lock().await;
    let asked = std::mem::take(&mut *ended.waiting());
    let calls: Vec<u64> = asked.iter().flat_map(|it| &it.calls).copied().collect();
    let mut insights = state.end_all(instance, &calls).await.into_iter();
    for Asked { calls, answer } in asked {
        // Who does not wait any more needs no answer.
        let _ = answer.send(insights.by_ref().take(calls.len()).collect());
    }
}

impl Ended {
    fn waiting(&self) -> std::sync::MutexGuard<'_, Vec<Asked>> {
        let waiting = self.waiting.lock();
        waiting.unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

async fn accept(listener: UnixListener, instance: usize, state: Arc<Mutex<State>>) {
    while let Ok((stream, _)) = listener.accept().await {
        greeted(stream, instance, &state).await;
    }
}

async fn greeted(stream: UnixStream, instance: usize, state: &Mutex<State>) {
    let mut state: MutexGuard<'_, State> = state.lock().await;
    if let Err(error) = state.greet(Line::over(stream), instance, false).await {
        state.complaint = Some(error.to_string());
    }
}

async fn take_calls(
    listener: TcpListener,
    instance: usize,
    secret: String,
    state: Arc<Mutex<State>>,
) {
    while let Ok((stream, _)) = listener.accept().await {
        if let Ok(stream) = through_the_door(stream, &secret).await {
            greeted(stream, instance, &state).await;
        }
    }
}

impl State {
    /// Takes in a process: who it is, its targets, and what ran before the first call.
    async fn greet(
        &mut self,
        mut line: Line,
        instance: usize,
        standing: bool,
    ) -> Result<(), LineError> {
        let hello = line.hello().await?;
        let tells_apart = hello.abilities.iter().any(|word| word == "header");
        self.language = Some(hello.language);
        for root in hello.roots {
            if !self.roots.contains(&root) {
                self.roots.push(root);
            }
        }
        self.processes.push(Process {
            line,
            instance,
            announces: standing || !tells_apart,
            tells_apart,
            ours: HashMap::new(),
            theirs: HashMap::new(),
            news: Vec::new(),
        });
        let at = self.processes.len() - 1;
        self.number(at);
        let covered = self.targets.iter().enumerate();
        let covered = covered.filter(|(_, known)| known.is_covered);
        let held: HashSet<u32> = self
            .lines
            .values()
            .flat_map(|(_, held)| held)
            .copied()
            .collect();
        let covered = covered.map(|(id, _)| id as u32);
        let silent = |id: &u32| !held.contains(id) && !self.reports_all;
        let covered: Vec<u32> = covered.filter(silent).collect();
        self.processes[at].news = covered;
        if !standing && let Some(deltas) = self.ask(at, &[0]).await {
            for delta in deltas {
                self.take_in(at, delta, &mut Insight::default());
            }
        }
        Ok(())
    }

    /// What calls did in all processes of an instance. A process that fails is left out from now on.
    async fn end_all(&mut self, instance: usize, calls: &[u64]) -> Vec<Insight> {
        let mut insights = vec![Insight::default(); calls.len()];
        let mut at = 0;
        while at < self.processes.len() {
            if self.processes[at].instance != instance {
                at += 1;
                continue;
            }
            match self.ask(at, calls).await {
                Some(deltas) => {
                    for (delta, insight) in deltas.into_iter().zip(&mut insights) {
                        self.take_in(at, delta, insight);
                    }
                    at += 1;
                }
                None => {
                    self.processes.remove(at);
                }
            }
        }
        insights
    }

    async fn ask(&mut self, at: usize, calls: &[u64]) -> Option<Vec<Delta>> {
        let process = &mut self.processes[at];
        let news = std::mem::take(&mut process.news);
        let mut ids: Vec<u32> = news
            .iter()
            .filter_map(|id| process.theirs.get(id).copied())
            .collect();
        ids.sort_unstable();
        if !ids.is_empty() && process.line.covered(&ids).await.is_err() {
            return None;
        }
        let deltas = process.line.end_all(calls).await.ok()?;
        (!deltas.iter().any(|delta| delta.died)).then_some(deltas)
    }

    /// Gives numbers to targets of a process that are new.
    fn number(&mut self, at: usize) {
        let process = &mut self.processes[at];
        if process.line.catalogue().len() == process.ours.len() {
            return;
        }
        for (own, descriptor) in process.line.catalogue().all() {
            if process.ours.contains_key(&own) {
                continue;
            }
            let next = self.targets.len() as u32;
            let id = *self.numbers.entry(descriptor.key()).or_insert(next);
            if id == next {
                if is_decided(descriptor.kind) {
                    let line = (Arc::clone(&descriptor.file), descriptor.line);
                    self.lines.entry(line).or_default().0 += 1;
                }
                self.targets.push(Known {
                    descriptor: descriptor.clone(),
                    is_covered: false,
                });
            } else if self.targets[id as usize].is_covered && !self.reports_all {
                process.news.push(id);
            }
            process.ours.insert(own, id);
            process.theirs.insert(id, own);
        }
    }

    fn take_in(&mut self, at: usize, delta: Delta, into: &mut Insight) {
        self.number(at);
        let ours = &self.processes[at].ours;
        let number = |own: u32| ours.get(&own).copied();
        let mut covered = Vec::new();
        for (own, value) in delta.hits {
            let Some(id) = number(own) else { continue };
            into.reached.push((id, value.share()));
            let known = &mut self.targets[id as usize];
            if value.is_full() && !known.is_covered {
                known.is_covered = true;
                covered.extend(settled(&mut self.lines, id, &known.descriptor));
            }
        }
        for mut observation in delta.observations {
            observation.target = observation.target.and_then(number);
            into.observations.push(observation);
        }
        into.last_line = delta.last_line.or(into.last_line.take());
        into.failures.extend(delta.failures);
        if !self.reports_all {
            for process in &mut self.processes {
                process.news.extend(&covered);
            }
        }
        let statements = self.processes[at].line.take_statements();
        for table in statements.into_iter().flat_map(|sql| sql.tables) {
            if !into.tables.contains(&table) {
                into.tables.push(table);
            }
        }
    }
}
