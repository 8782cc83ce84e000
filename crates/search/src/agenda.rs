//! What is to be tried with an operation once it is known to work.

use fossick_contract::{Deed, Method, OperationIndex};
use fossick_graph::Alternative;
use fossick_plan::{Plan, Spot, keys, place_of};

use crate::edges::{EDGES_HELD, edge_cases};
use crate::pages::page;
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
        let lives = self.lives_of(index).into_iter().map(Task::Life);
        self.known[at].tasks.extend(lives);
    }

    /// The next telling value for an operation that works.
    pub(crate) fn next_edge(&mut self, index: OperationIndex) -> Option<EdgeCase> {
        let at = index.0 as usize;
        if self.known[at].edges.are_used_up() {
            let (base, _) = self.known[at].base.clone()?;
            let size = page(EDGES_HELD, self.known.len());
            let all = edge_cases(&mut self.builder(Plan::default(), Vec::new()), index, &base);
            self.known[at].edges.turn(all, size);
        }
        self.known[at].edges.next()
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
                let below = self.child_listers(index).into_iter().take(2);
                tasks.extend(below.map(Task::RemovedAbove));
            }
            Deed::Read => {
                tasks.extend(self.stranger_tasks(index));
                if !keys(operation).is_empty() && !self.deeds_on(index).is_empty() {
                    tasks.extend([Task::Walk, Task::Walk, Task::Walk]);
                }
            }
            _ => {}
        }
        if operation.deed() != Deed::Read {
            tasks.extend(self.last_key(index).map(Task::Unknown));
        }
        if operation.needs_credentials() {
            tasks.push(Task::Anonymous);
        }
        if self.acted_on(index).is_some() {
            tasks.extend([Task::Acted, Task::Acted]);
        }
        // Lists grow while the search goes on, and long ones can't be seen whole.
        tasks.extend(self.relation_tasks(index));
        tasks.extend(self.elsewhere_tasks(index));
        tasks.extend([Task::Full, Task::Full]);
        tasks.extend(self.alternative_tasks(index));
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

    /// The read of the thing that an operation does something to: `GET /sailings/{id}` of `POST
    /// /sailings/{id}/status`.
    pub(crate) fn acted_on(&self, index: OperationIndex) -> Option<OperationIndex> {
        let operation = self.api.operation(index);
        let item = operation.path.parent()?;
        let acts = operation.graphql.is_none() && self.writes(index);
        if !acts || operation.path.ends_with_hole() || !item.ends_with('}') {
            return None;
        }
        // What has items of its own is a collection.
        let own = operation.path.text.as_str();
        let has_items = |other: &fossick_contract::Operation| {
            let path = &other.path;
            path.ends_with_hole()
                && path
                    .parent()
                    .is_some_and(|p| fossick_graph::same_place(p, own))
        };
        if self.api.operations.iter().any(has_items) {
            return None;
        }
        let mut all = self.api.indexed();
        let reads = |other: &fossick_contract::Operation| {
            other.deed() == Deed::Read && fossick_graph::same_place(&other.path.text, item)
        };
        all.find(|(_, other)| reads(other)).map(|(other, _)| other)
    }

    /// Ways to get what it needs that each show something else.
    fn alternative_tasks(&self, index: OperationIndex) -> Vec<Task> {
        let deed = self.api.operation(index).deed();
        // What is not ours is looked at, and things are made for it; nothing is done to it.
        let harmless = |way: &Alternative| match way.kind {
            Some(_) => deed == Deed::Read || way.edge.evidence.makes(),
            None => matches!(deed, Deed::Read | Deed::Create),
        };
        let ways = self.graph.alternatives(index).into_iter();
        ways.filter(harmless)
            .map(|way| Task::Through(Box::new(way)))
            .collect()
    }

    /// Operations that create something directly under the item that an operation works on.
    pub(crate) fn child_creators(&self, index: OperationIndex) -> Vec<OperationIndex> {
        self.right_below(index, Method::Post)
    }

    /// Operations that read what stands right below a thing.
    fn child_listers(&self, index: OperationIndex) -> Vec<OperationIndex> {
        self.right_below(index, Method::Get)
    }

    fn right_below(&self, index: OperationIndex, method: Method) -> Vec<OperationIndex> {
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
            .filter(|(_, other)| other.method == method && under(&other.path.text))
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
