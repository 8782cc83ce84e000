//! What is to be tried with an operation once it is known to work.

use fossick_contract::{Deed, Method, OperationIndex};
use fossick_plan::{Plan, Spot, keys, place_of};

use crate::edges::{EDGES_HELD, edge_cases, page};
use crate::proposal::Twice;
use crate::search::Search;
use crate::tasks::{EdgeCase, Task};

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
    }

    /// The next telling value for an operation that works.
    pub(crate) fn next_edge(&mut self, index: OperationIndex) -> Option<EdgeCase> {
        let at = index.0 as usize;
        if self.known[at].edges.is_empty() && !self.known[at].edges_over {
            let (base, _) = self.known[at].base.clone()?;
            let size = page(EDGES_HELD, self.known.len());
            let skipped = self.known[at].edge_pages as usize * size;
            let all = edge_cases(&mut self.builder(Plan::default(), Vec::new()), index, &base);
            let known = &mut self.known[at];
            known.edges = all.into_iter().skip(skipped).take(size).collect();
            known.edges_over = known.edges.len() < size;
            known.edge_pages += 1;
        }
        self.known[at].edges.pop_front()
    }

    fn tasks_for(&self, index: OperationIndex) -> Vec<Task> {
        let api = self.api;
        let operation = api.operation(index);
        let mut tasks = Vec::new();
        let has_reader = self.reader(index).is_some();
        match operation.deed() {
            Deed::Create => {
                tasks.push(Task::ReadBack);
                if self.lister(index).is_some() {
                    tasks.push(Task::Listed);
                }
                if operation.body.is_some() && self.known[index.0 as usize].pairs == 0 {
                    tasks.push(Task::Again(Twice::default()));
                }
            }
            deed @ (Deed::Replace | Deed::Update) if has_reader => {
                tasks.extend([Task::Changed, Task::FailedWrite]);
                if deed == Deed::Replace {
                    tasks.push(Task::PutTwice);
                }
                tasks.push(Task::Changed);
            }
            Deed::Delete => {
                if has_reader {
                    tasks.extend([Task::Removed, Task::RemovedTwice]);
                }
                tasks.push(Task::MadeAgain);
                let children = self.child_creators(index).into_iter().take(2);
                tasks.extend(children.map(Task::RemovedWithChild));
            }
            Deed::Read => tasks.extend(self.stranger_tasks(index)),
            _ => {}
        }
        if operation.deed() != Deed::Read {
            tasks.extend(self.last_key(index).map(Task::Unknown));
        }
        if operation.needs_credentials() {
            tasks.push(Task::Anonymous);
        }
        tasks.extend([Task::Full, Task::Full]);
        if operation.graphql.is_some() {
            if self.settings.get {
                tasks.push(Task::ByGet);
            }
            tasks.push(Task::Inline);
        } else {
            tasks.extend(self.undeclared_tasks(index));
        }
        tasks
    }

    /// Operations that create something directly under the item that an operation works on.
    fn child_creators(&self, index: OperationIndex) -> Vec<OperationIndex> {
        if self.api.operation(index).graphql.is_some() {
            return Vec::new();
        }
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
        let keys = keys(operation);
        let mut tasks: Vec<Task> = self
            .last_key(index)
            .map(Task::Strangers)
            .into_iter()
            .collect();
        if let [.., Spot::Parameter(parent), _] = keys.as_slice()
            && operation.path.ends_with_hole()
        {
            tasks.push(Task::Misplaced(*parent));
        }
        tasks
    }

    /// The last key of an operation, if it holds an identifier.
    fn last_key(&self, index: OperationIndex) -> Option<Spot> {
        let last = keys(self.api.operation(index)).pop()?;
        self.names_something(index, &last).then_some(last)
    }

    /// Whether a key holds an identifier: somebody makes or lists it, or it is called one.
    fn names_something(&self, index: OperationIndex, spot: &Spot) -> bool {
        let Some(need) = self.graph.need_at(index, &place_of(spot)) else {
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
