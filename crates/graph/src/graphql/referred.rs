//! A reference that the service told of, found in the schema by the names of its table.
//!
//! It is asked for while a service is tested, so it looks at one operation and one type alone
//! and at nothing that was worked out for the whole schema.

use fossick_contract::{Api, Deed, OperationIndex, RootField, TypeId};
use fossick_trace::Take;

use super::arguments::{arguments, each_slot, sort_of};
use super::names::{Leaf, Sort, leaves, without_manner};
use super::sent;
use super::sources::items;
use super::subject::without_verb;
use super::things::{Keys, Target};
use crate::path_words::told_by_table;
use crate::{Edge, Evidence, Need, Place, Words, Yield};

/// The need of a field that holds a key of this table, and whoever gives that key.
pub(crate) fn referred(
    api: &Api,
    consumer: OperationIndex,
    field: &Words,
    table: &Words,
    key: &Words,
) -> Option<(Need, Vec<Edge>)> {
    let (need, sort) = slot_called(api, consumer, field)?;
    let on = kept_in(api, table)?;
    let kept = Kept::new(api, on);
    let key = if key.is_empty() {
        kept.keys.meant(&kept.target(), field, sort)?
    } else {
        key.clone()
    };
    let makers = api.indexed().filter(|(index, _)| *index != consumer);
    let roots = makers.filter_map(|(index, o)| Some((index, o.graphql.as_deref()?)));
    let edges = roots.flat_map(|(index, root)| kept.edges(index, root, &key, sort));
    Some((need, edges.collect()))
}

/// The first field of the arguments that goes by these words, or by these without a last `id`.
fn slot_called(api: &Api, consumer: OperationIndex, field: &Words) -> Option<(Need, Sort)> {
    let subject = field.subject();
    let (mut found, mut nearly) = (None, None);
    each_slot(api, api.operation(consumer), |slot| {
        let words = Words::of(slot.name);
        let place = match () {
            () if words == *field => &mut found,
            () if words == subject => &mut nearly,
            () => return,
        };
        let sort = sort_of(api, api.shape(slot.shape));
        if let (None, Some(sort)) = (place.as_ref(), sort) {
            let need = Need {
                place: Place::Body(slot.pointer()),
                name: slot.name.to_string(),
                words,
                required: slot.required,
                doubtful: false,
                shape: slot.shape,
                of: None,
            };
            *place = Some((need, sort));
        }
    });
    found.or(nearly)
}

/// The type whose things a table keeps, of those that some operation makes or lists.
fn kept_in(api: &Api, table: &Words) -> Option<TypeId> {
    let mut best = (0, None);
    for root in api.operations.iter().filter_map(|o| o.graphql.as_deref()) {
        let Some(on) = root.thing.filter(|_| makes(root) || lists(root)) else {
            continue;
        };
        let words = Words::of(&api.types.get(on).name);
        let role = without_verb(&Words::of(&api.root_field(root).name));
        let others = [without_manner(&words), role.filter(|_| makes(root))];
        let all = others.iter().flatten().chain([&words]);
        let likeness = all.map(|words| told_by_table(table, words)).max();
        if likeness.is_some_and(|likeness| likeness > best.0) {
            best = (likeness.unwrap_or(0), Some(on));
        }
    }
    best.1
}

fn makes(root: &RootField) -> bool {
    root.deed == Deed::Create
}

fn lists(root: &RootField) -> bool {
    root.deed == Deed::Read && root.listed
}

/// What a table keeps, as far as the schema shows it.
struct Kept<'a> {
    api: &'a Api,
    on: TypeId,
    words: Words,
    leaves: Vec<Leaf>,
    keys: Keys,
}

impl<'a> Kept<'a> {
    fn new(api: &'a Api, on: TypeId) -> Self {
        let words = Words::of(&api.types.get(on).name);
        let mut keys = Keys::default();
        for operation in &api.operations {
            if let Some(root) = operation.graphql.as_deref()
                && root.thing == Some(on)
            {
                keys.read(api, operation, root, on, &words);
            }
        }
        let leaves = leaves(&api.types, on);
        Self {
            api,
            on,
            words,
            leaves,
            keys,
        }
    }

    fn target(&self) -> Target<'_> {
        Target {
            words: &self.words,
            leaves: &self.leaves,
        }
    }

    /// What an operation gives of the key: in its answer, or because it was sent it.
    fn edges(&self, maker: OperationIndex, root: &RootField, key: &Words, sort: Sort) -> Vec<Edge> {
        if root.thing != Some(self.on) || !(makes(root) || lists(root)) {
            return Vec::new();
        }
        let (evidence, fit) = if makes(root) {
            (Evidence::Creator, 1.0)
        } else {
            (Evidence::Lister, 0.9)
        };
        let answer = self.pointer(root, key, sort);
        let answer = answer.map(|pointer| Yield::Answer(Take::Pointer(pointer)));
        let mut edges: Vec<Edge> = answer
            .map(|yields| Edge::new(maker, yields, evidence, fit))
            .into_iter()
            .collect();
        if makes(root) {
            edges.extend(self.sent(maker, key, sort));
        }
        edges
    }

    fn sent(&self, maker: OperationIndex, key: &Words, sort: Sort) -> Vec<Edge> {
        let mut all = Vec::new();
        if let Some(shape) = arguments(self.api.operation(maker)) {
            sent::read(self.api, &self.words, (maker, self.on), shape, &mut all);
        }
        let own = all.into_iter().filter(|sent| sent.words == *key);
        own.filter(|sent| sort.takes(sent.sort) > 0.0)
            .map(|sent| {
                let fit = if sent.required { 0.8 } else { 0.2 };
                let yields = Yield::SentBody(sent.pointer);
                Edge::new(maker, yields, Evidence::Creator, fit)
            })
            .collect()
    }

    /// Where the key stands in an answer, along the way that leads to the thing.
    fn pointer(&self, root: &RootField, key: &Words, sort: Sort) -> Option<String> {
        let mut leaves = self.leaves.iter().filter(|leaf| leaf.words == *key);
        let leaf = leaves.find(|leaf| sort.takes(leaf.sort) > 0.0)?;
        let types = &self.api.types;
        let first = self.api.root_field(root);
        let mut pointer = format!("/data/{}{}", first.name, items(first.returns.lists()));
        let mut on = first.returns.named;
        for name in &root.way {
            let field = types.field(on, name)?;
            pointer.push('/');
            pointer.push_str(name);
            pointer.push_str(&items(field.returns.lists()));
            on = field.returns.named;
        }
        let own = types.fields(self.on).get(leaf.field as usize)?;
        let name = format!("/{}{}", own.name, items(leaf.lists));
        (on == self.on).then_some(pointer + &name)
    }
}
