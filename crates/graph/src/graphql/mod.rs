//! Who makes what others need, where a schema tells the type of everything.
//!
//! Paths say nothing here and types nearly all: a need aims at a type, and whatever answers with
//! a thing of that type gives the thing's key. Everything is looked up by type or by words, never
//! operation against operation, so that a schema of a thousand operations is joined in no time.
//! All of it is worked out once; answers teach nothing new, since what is asked for is declared.
//! Only refusals may: see `referred`.

mod arguments;
mod columns;
mod edges;
mod names;
mod natural;
mod needs;
mod referred;
mod relatives;
mod sent;
mod sources;
mod subject;
mod things;
mod trail;

use fossick_contract::{Api, Deed, OperationIndex};

use crate::graph::Alternative;
use crate::{Edge, Need, Words};
use edges::Joiner;
use names::Names;
pub(crate) use needs::is_key;
use needs::{Asker, Wanted};
pub(crate) use referred::referred;
pub(crate) use relatives::Relatives;
use sources::Sources;
pub(crate) use sources::items;
use subject::Subject;
use things::Things;

/// What a schema tells of its operations, in their order.
pub(crate) struct Told {
    pub(crate) needs: Vec<Vec<Need>>,
    pub(crate) edges: Vec<Vec<Vec<Edge>>>,
    pub(crate) relatives: Vec<Relatives>,
    pub(crate) kinds: Vec<Vec<Alternative>>,
}

pub(crate) fn told(api: &Api) -> Told {
    let mut names = Names::of(&api.types);
    let operations = api.operations.iter();
    let subjects: Vec<_> = operations
        .map(|operation| subject::subject_of(api, &names, operation))
        .collect();
    learn_roles(api, &mut names);
    let wanted = wanted(api, &names, &subjects);
    let joiner = Joiner {
        api,
        names: &names,
        sources: &Sources::of(api, &names, &subjects, &wanted),
        sent: &sent::sent(api, &names, &subjects),
        subjects: &subjects,
        called: &called(api),
    };
    let relatives = relatives::relatives(api, &names, &subjects, &wanted);
    let mut told = Told {
        needs: Vec::new(),
        edges: Vec::new(),
        relatives,
        kinds: Vec::new(),
    };
    for (at, wanted) in wanted.iter().enumerate() {
        let met = joiner.met(OperationIndex(at as u32), wanted);
        told.kinds
            .push(joiner.kinds(OperationIndex(at as u32), &met));
        let (own, ways): (Vec<Need>, Vec<Vec<Edge>>) = (met.into_iter())
            .map(|(wanted, ways)| (wanted.need.clone(), ways))
            .unzip();
        told.needs.push(own);
        told.edges.push(ways);
    }
    told
}

/// What each operation is called, without its verb.
fn called(api: &Api) -> Vec<Option<Words>> {
    let name = |root: &fossick_contract::RootField| Words::of(&api.root_field(root).name);
    let operations = api.operations.iter();
    operations
        .map(|operation| subject::without_verb(&name(operation.graphql.as_deref()?)))
        .collect()
}

/// What a creation is called tells what its thing is called: `customerCreate` makes a `User`.
fn learn_roles(api: &Api, names: &mut Names<'_>) {
    let roots = api.operations.iter().filter_map(|o| o.graphql.as_deref());
    for root in roots.filter(|root| root.deed == Deed::Create) {
        let name = Words::of(&api.root_field(root).name);
        if let (Some(role), Some(thing)) = (subject::without_verb(&name), root.thing) {
            names.learn(role, thing);
        }
    }
}

fn wanted(api: &Api, names: &Names<'_>, subjects: &[Option<Subject>]) -> Vec<Vec<Wanted>> {
    let things = Things::of(api, names, subjects);
    let of = |(operation, subject): (&fossick_contract::Operation, &Option<Subject>)| {
        let Some(root) = operation.graphql.as_deref() else {
            return Vec::new();
        };
        let subject = subject.as_ref().and_then(|subject| subject.thing);
        let written = subject.filter(|_| root.deed != Deed::Read);
        let asker = Asker {
            api,
            names,
            root,
            things: &things,
            subject,
            columns: written.map_or(Vec::new(), |on| columns::columns(&api.types, on)),
        };
        asker.wanted(operation)
    };
    api.operations.iter().zip(subjects).map(of).collect()
}
