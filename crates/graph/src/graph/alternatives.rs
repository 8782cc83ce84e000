//! Ways to meet a need that are worth a call of their own, however well the best one works.
//!
//! Whoever looks things up by an interface meets things of every type, and whoever names a user may
//! name the caller. The best edge alone would show one of them only.

use fossick_contract::{Api, OperationIndex, TypeId};
use fossick_trace::Take;

use super::{Graph, fit};
use crate::callers::{may_be_caller, shows_caller};
use crate::{Edge, Evidence, Need, Place, Yield};

/// Another way to meet a need.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// Which of the operation's needs.
    pub need: usize,
    pub edge: Edge,
    /// The type of the thing that it gives, where the need says less.
    pub kind: Option<TypeId>,
}

/// An edge of which it is not known whether it holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    pub maker: OperationIndex,
    /// Where the property stands in the maker's answer.
    pub pointer: String,
    /// Where it is said to go.
    pub place: Place,
    /// Which of the operation's needs that is, where it is one.
    pub need: Option<usize>,
}

impl Doubt {
    /// The way to meet the need that it is about.
    pub fn alternative(&self) -> Option<Alternative> {
        let take = Yield::Answer(Take::Pointer(self.pointer.clone()));
        Some(Alternative {
            need: self.need?,
            edge: Edge::new(self.maker, take, Evidence::SameProperty, 0.0),
            kind: None,
        })
    }
}

impl Graph {
    /// The ways to meet an operation's needs that each show something else.
    pub fn alternatives(&self, operation: OperationIndex) -> Vec<Alternative> {
        let at = operation.0 as usize;
        let kinds = self.kinds.get(at).into_iter().flatten().cloned();
        let needs = self.edges[at].iter().enumerate();
        let callers = needs.filter_map(|(need, edges)| {
            let own = |edge: &&Edge| edge.evidence == Evidence::Caller && !edge.removed;
            Some(Alternative {
                need,
                edge: edges.iter().find(own)?.clone(),
                kind: None,
            })
        });
        kinds.chain(callers).collect()
    }

    /// A property that is said to go into a place of an operation and never worked there, the least
    /// tried first: nobody would find out while a better way works. Only makers that work can tell.
    pub fn doubted(
        &self,
        operation: OperationIndex,
        works: impl Fn(OperationIndex) -> bool,
    ) -> Option<Doubt> {
        let consumed = self.properties.consumes.get(operation.0 as usize)?;
        let doubtful = consumed
            .iter()
            .filter(|consumes| consumes.standing.is_used() && consumes.standing.worked == 0);
        let mut doubtful: Vec<_> = doubtful.collect();
        doubtful.sort_by_key(|consumes| consumes.standing.failed);
        doubtful.into_iter().find_map(|consumes| {
            let property = consumes.property.as_deref()?;
            let need = self.need_at(operation, &consumes.place);
            // The last way to meet a need is no matter of doubt.
            let is_only = |need| !self.has_other_way(operation, need, consumes.schema, property);
            if need.is_some_and(is_only) {
                return None;
            }
            let places = self.properties.places_of(consumes.schema).into_iter();
            let fits = |maker: OperationIndex| maker != operation && works(maker);
            let (maker, above) = { places }.find(|(maker, _)| fits(*maker))?;
            Some(Doubt {
                maker,
                pointer: format!("{above}/{}", fossick_contract::escape_token(property)),
                place: consumes.place.clone(),
                need,
            })
        })
    }

    /// The caller's own identifier, where somebody is named.
    pub(super) fn by_caller(
        &self,
        api: &Api,
        consumer: OperationIndex,
        need: &Need,
        only: Option<OperationIndex>,
        edges: &mut Vec<Edge>,
    ) {
        if !may_be_caller(api.operation(consumer), need) {
            return;
        }
        let wanted = |maker| maker != consumer && only.is_none_or(|only| only == maker);
        let shows =
            (api.indexed()).filter(|(maker, operation)| wanted(*maker) && shows_caller(operation));
        edges.extend(shows.filter_map(|(maker, _)| self.callers_own(maker, need)));
    }

    /// The field of an answer about the caller that answers a need best.
    fn callers_own(&self, maker: OperationIndex, need: &Need) -> Option<Edge> {
        const HOW_WELL: f64 = 0.7;
        let fields = self.fields[maker.0 as usize].iter();
        let own = fields.filter(|field| !field.listed);
        let fitting = own.map(|field| (fit(field, need), field));
        let best = fitting.max_by(|(a, _), (b, _)| a.total_cmp(b));
        let (fit, field) = best.filter(|(fit, _)| *fit > 0.0)?;
        let yields = Yield::Answer(Take::Pointer(field.pointer.clone()));
        Some(Edge::new(maker, yields, Evidence::Caller, fit * HOW_WELL))
    }
}
