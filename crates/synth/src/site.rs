//! The service behind its socket: finds the handler, runs it, and counts what it reached.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fossick_probe::{Hello, Recorder, Unbound};

use crate::coverage::{Counter, Coverage};
use crate::document::document_of;
use crate::engine::Engine;
use crate::exchange::{Reply, Request};
use crate::input::Input;
use crate::model::{Model, ModelError};
use crate::program::{Handler, Program};
use crate::routes::Routes;
use crate::store::Store;
use crate::trail::Trail;

/// The path that empties a service with POST. What was counted stays counted.
pub const RESET: &str = "/__reset";

#[derive(Debug)]
pub(crate) struct Site {
    program: Program,
    routes: Routes,
    document: String,
    state: Mutex<State>,
    recorder: Arc<Recorder>,
}

#[derive(Debug)]
struct State {
    store: Store,
    counter: Counter,
}

impl Site {
    pub(crate) fn new(model: &Model) -> Result<Self, ModelError> {
        let program = Program::of(model)?;
        let abilities = ["lines", "branches", "observations", "last-line", "header"];
        let recorder = Recorder::new(Hello::of("synth", &abilities), Unbound::NoCall);
        recorder.register(program.targets.iter().cloned());
        Ok(Self {
            routes: Routes::of(&program),
            document: document_of(&model.name, &program),
            state: Mutex::new(State {
                store: Store::of(&program),
                counter: Counter::of(&program.targets),
            }),
            program,
            recorder: Arc::new(recorder),
        })
    }

    pub(crate) fn recorder(&self) -> &Arc<Recorder> {
        &self.recorder
    }

    pub(crate) fn coverage(&self) -> Coverage {
        self.state().counter.coverage()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn answer(&self, request: &Request<'_>) -> Reply {
        match (request.method, request.path) {
            ("GET", "/openapi.json") => Reply::json(200, self.document.clone()),
            ("GET", "/__coverage") => Reply::json(200, told(self.coverage())),
            ("POST", RESET) => {
                self.state().store.clear();
                Reply::empty(204)
            }
            _ => self.route(request),
        }
    }

    fn route(&self, request: &Request<'_>) -> Reply {
        let Some(place) = self.routes.find(request.path) else {
            return Reply::problem(404, "there is no such path");
        };
        let handler = match self.routes.handler(&place, request.method) {
            Ok(handler) => &self.program.handlers[handler],
            Err(known) => {
                return Reply {
                    allow: Some(known),
                    ..Reply::problem(405, "this path has other methods")
                };
            }
        };
        match Input::read(&self.program, handler, &place, request) {
            Ok(input) => self.run(handler, &input, request.call),
            Err(reply) => reply,
        }
    }

    /// The call is recorded before it is answered, so whoever has the answer can ask for it.
    fn run(&self, handler: &Handler, input: &Input, call: u64) -> Reply {
        let mut trail = Trail::default();
        let mut state = self.state();
        let store = &mut state.store;
        let reply = Engine::new(&self.program, handler, store, input, &mut trail).run();
        let heard = self.recorder.is_listened_to();
        // A tool that listens says which calls are its search's; its replays are nobody's merit.
        if !heard || call != 0 {
            for id in trail.covered() {
                state.counter.cover(id);
            }
        }
        drop(state);
        if heard {
            // A tool that counts on the header need not have said that the call begins.
            self.recorder.begin(call);
            self.recorder.record(call, trail.seen(&handler.name));
        }
        reply
    }
}

fn told(coverage: Coverage) -> String {
    serde_json::to_string(&coverage).expect("it is four numbers")
}

#[cfg(test)]
mod tests {
    use fossick_probe::Kind;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::model::{Method, Paths};
    use crate::random::{Chance, Numbers};
    use crate::twelve::NAMES;

    /// Calls a handler with ids and values from a small range, so that they often meet.
    fn call(site: &Site, handler: &Handler, chance: &mut Chance) -> u16 {
        let classes = &site.program.classes;
        let class = &classes[handler.class];
        let mut small = || chance.below(4).to_string();
        let mut path = String::new();
        for parent in &class.shown {
            path += &format!("/{}/{}", classes[*parent].plural, small());
        }
        path += &format!("/{}", class.plural);
        if handler.method.is_for_one() {
            path += &format!("/{}", small());
        }
        let reply = site.answer(&Request {
            method: handler.method.verb(),
            path: &path,
            content_type: Some("application/json"),
            call: 0,
            body: body(site, handler, chance).to_string().as_bytes(),
        });
        reply.status
    }

    fn body(site: &Site, handler: &Handler, chance: &mut Chance) -> Value {
        let classes = &site.program.classes;
        let class = &classes[handler.class];
        let mut body = json!({"id": chance.below(4), "name": "x", "value": chance.below(6)});
        let needs = class.needs.iter().map(|need| need.class);
        for other in needs.chain(class.owner.map(|owner| owner.class)) {
            body[&classes[other].reference] = json!(chance.below(4));
        }
        for owned in &class.owns {
            let pair = json!({"id": chance.below(4), "value": chance.below(6)});
            body[&classes[*owned].field] = pair;
        }
        let fields = body.as_object_mut().expect("it is an object");
        if handler.method == Method::Patch {
            fields.retain(|_, _| chance.below(2) == 0);
        }
        body
    }

    fn documented(site: &Site, handler: &Handler) -> Vec<u16> {
        let lines = handler.lines.iter();
        lines
            .filter_map(|line| line.statement.status(site.program.paths))
            .collect()
    }

    /// The twelve compare sets of one or two values, whose median is their average: where the
    /// first test of the property holds, the second can't fail.
    fn out_of_reach(site: &Site) -> usize {
        let targets = site.program.targets.iter();
        let average = targets.filter(|it| it.label.starts_with("average"));
        average.filter(|it| it.kind == Kind::BranchFalse).count()
    }

    #[test]
    fn all_lines_of_the_twelve_can_be_reached_and_all_but_known_branches() {
        for name in NAMES {
            let model = Model::named(name).expect("it is one of the twelve");
            let site = Site::new(&model).expect("it is consistent");
            let mut chance = Chance(1);
            let reachable = site.coverage().branches.all - out_of_reach(&site);
            for _ in 0..200_000 {
                let handler = chance.below(site.program.handlers.len());
                call(&site, &site.program.handlers[handler], &mut chance);
                if site.coverage().branches.covered == reachable {
                    break;
                }
            }
            let Coverage { lines, branches } = site.coverage();
            assert_eq!(lines.covered, lines.all, "{name}");
            assert_eq!(branches.covered, reachable, "{name}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn random_services_answer_as_they_are_written(
            resources in 1_usize..9,
            dependencies in 0_usize..20,
            seed in any::<u64>(),
        ) {
            let paths = if seed % 2 == 0 { Paths::Shown } else { Paths::Hidden };
            let numbers = Numbers { resources, methods: 6, dependencies, paths, seed };
            let site = Site::new(&Model::random(numbers)).expect("it is consistent");
            let mut chance = Chance(seed);
            for _ in 0..300 {
                let handler = chance.below(site.program.handlers.len());
                let handler = &site.program.handlers[handler];
                let status = call(&site, handler, &mut chance);
                let documented = documented(&site, handler);
                prop_assert!(documented.contains(&status), "{}: {status}", handler.name);
            }
        }
    }
}
