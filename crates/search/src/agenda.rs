//! What is to be tried with an operation once it is known to work.

use fossick_contract::{Location, Method, OperationIndex};
use fossick_graph::Place;
use fossick_plan::Plan;

use crate::edges::edge_cases;
use crate::search::Search;
use crate::tasks::Task;

impl Search<'_> {
    /// Lists what is to be tried with an operation that works, once.
    pub(crate) fn prepare(&mut self, index: OperationIndex) {
        let at = index.0 as usize;
        if self.known[at].prepared {
            return;
        }
        self.known[at].prepared = true;
        let tasks = self.tasks_for(index);
        self.known[at].tasks.extend(tasks);
        if let Some((base, _)) = self.known[at].base.clone() {
            let edges = edge_cases(&mut self.builder(Plan::default(), Vec::new()), index, &base);
            self.known[at].edges = edges;
        }
    }

    fn tasks_for(&self, index: OperationIndex) -> Vec<Task> {
        let api = self.api;
        let operation = api.operation(index);
        let mut tasks = Vec::new();
        let read = self.places.neighbour(index, Method::Get);
        match operation.method {
            Method::Post => {
                tasks.push(Task::ReadBack);
                if read.is_some() {
                    tasks.push(Task::Listed);
                }
            }
            Method::Put | Method::Patch if read.is_some() => {
                tasks.extend([Task::Changed, Task::FailedWrite]);
                if operation.method == Method::Put {
                    tasks.push(Task::PutTwice);
                }
                tasks.push(Task::Changed);
            }
            Method::Delete => {
                if read.is_some() {
                    tasks.extend([Task::Removed, Task::RemovedTwice]);
                }
                let children = self.child_creators(index).into_iter().take(2);
                tasks.extend(children.map(Task::RemovedWithChild));
            }
            Method::Get => tasks.extend(self.stranger_tasks(index)),
            _ => {}
        }
        if operation.needs_credentials() {
            tasks.push(Task::Anonymous);
        }
        tasks.extend([Task::Full, Task::Full]);
        tasks.extend(self.undeclared_tasks(index));
        tasks
    }

    /// Operations that create something directly under the item that an operation works on.
    fn child_creators(&self, index: OperationIndex) -> Vec<OperationIndex> {
        let item = self.api.operation(index).path.text.trim_end_matches('/');
        let under = |path: &str| {
            let parent = path
                .trim_end_matches('/')
                .rsplit_once('/')
                .map(|(parent, _)| parent);
            parent.is_some_and(|parent| fossick_graph::same_place(parent, item))
        };
        self.api
            .indexed()
            .filter(|(_, other)| other.method == Method::Post && under(&other.path.text))
            .map(|(other, _)| other)
            .collect()
    }

    fn stranger_tasks(&self, index: OperationIndex) -> Vec<Task> {
        let operation = self.api.operation(index);
        let holes: Vec<usize> = operation
            .path
            .holes()
            .filter_map(|hole| {
                operation
                    .parameters
                    .iter()
                    .position(|p| p.location == Location::Path && p.name == hole)
            })
            .collect();
        let mut tasks = Vec::new();
        if let Some(&last) = holes.last()
            && self.names_something(index, last)
        {
            tasks.push(Task::Strangers(last));
        }
        if holes.len() > 1 && operation.path.ends_with_hole() {
            tasks.push(Task::Misplaced(holes[holes.len() - 2]));
        }
        tasks
    }

    /// Whether a hole holds an identifier: somebody makes or lists it, or it is called one.
    fn names_something(&self, index: OperationIndex, at: usize) -> bool {
        let Some(need) = self.graph.need_at(index, &Place::Parameter(at)) else {
            return false;
        };
        !self.graph.edges(index, need).is_empty()
            || matches!(
                self.graph.needs(index)[need].words.last(),
                Some("id" | "uuid")
            )
    }

    fn undeclared_tasks(&self, index: OperationIndex) -> Vec<Task> {
        let operation = self.api.operation(index);
        let declares = |method| self.places.neighbour(index, method).is_some();
        // Asked once for each path, by the first operation that stands there.
        let first = self
            .api
            .indexed()
            .find(|(_, other)| other.path.text == operation.path.text)
            .map(|(first, _)| first);
        if first != Some(index) {
            return Vec::new();
        }
        let mut methods = vec![Method::Options];
        if self.settings.undeclared && self.settings.free {
            methods.extend([
                Method::Post,
                Method::Put,
                Method::Patch,
                Method::Delete,
                Method::Trace,
            ]);
        }
        methods
            .into_iter()
            .filter(|m| !declares(*m))
            .map(Task::Undeclared)
            .collect()
    }
}
