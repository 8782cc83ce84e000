//! Building plans: an operation, and before it whatever makes what it needs.
//!
//! The templates of smart sampling: a hole in a path is filled by creating the resource first
//! (intermediate resources recursively, each created thing's identifier chained to the next call),
//! or, where nothing creates it, from a list or from values that were seen.

use fossick_contract::{
    Additional, Api, Deed, Kind, Method, Operation, OperationIndex, ShapeId, TypeId, plain,
};
use fossick_genes::{Gene, Maker, Manner, Rng, Slot, Source, Values};
use fossick_graph::{Alternative, Edge, Evidence, Graph, Need, Place};
use fossick_plan::{Ask, BodyValue, Plan, Spot, Step, best_content, keys, spot_of};
use fossick_trace::Role;
use fossick_validate::Validators;
use rand::RngExt as _;
use serde_json::Value;

use crate::archive::borrows;
use crate::edges::body_shape;
use crate::fresh::freshen;
use crate::knowledge::Knowledge;
use crate::places::Places;
use crate::walk::another_member;
use crate::{Risk, Use, global_keys, twins};

/// What a plan makes itself is worth more than what it finds: it is there next time as well.
const OWN: f64 = 0.15;
/// And more so where it is written to: what others made is changed for good, and whatever shows on
/// it shows only there.
const OWN_TO_WRITE: f64 = 0.6;
/// Edges below this are doubted.
const TRUSTED: f64 = 0.4;
/// Longer set-ups fail more often than they help.
pub(crate) const MOST_STEPS: usize = 12;
const DEPTH: usize = 5;
/// How what an operation needs is made. Where it keeps failing though all is there, it may be what
/// was made that is not good enough: an article without stock can't be sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Setups {
    /// As is likeliest to be accepted.
    #[default]
    Plain,
    /// With all that can be said of it.
    Full,
    /// With other values, now and then.
    Varied,
    /// What the document shows and what others made is taken where it can be.
    Found,
    /// Everything is made, whatever that takes: what works only on others' things shows little.
    Own,
}

impl Setups {
    /// For an operation that failed so often.
    pub(crate) fn after(failures: u32) -> Self {
        const ALL: [Setups; 6] = [
            Setups::Found,
            Setups::Varied,
            Setups::Full,
            Setups::Found,
            Setups::Varied,
            Setups::Plain,
        ];
        match failures.checked_sub(2) {
            Some(more) => ALL[more as usize % ALL.len()],
            None => Self::Plain,
        }
    }
}

pub(crate) struct Builder<'s, 'a> {
    pub(crate) api: &'a Api,
    pub(crate) validators: &'a Validators,
    pub(crate) graph: &'s Graph,
    pub(crate) places: &'s Places,
    pub(crate) values: &'s Values,
    pub(crate) known: &'s [Knowledge],
    pub(crate) rng: &'s mut Rng,
    /// May touch things that the plan did not make itself.
    pub(crate) free: bool,
    /// GraphQL arguments are written into the operation.
    pub(crate) inline: bool,
    /// What stands already is taken before anything else is made, and what worked before is sent
    /// again.
    pub(crate) along: bool,
    pub(crate) setups: Setups,
    /// Things are made by their recipes, wherever there is one.
    pub(crate) proven: bool,
    /// How a need of an operation is to be met, whatever else would do.
    pub(crate) forced: Option<(OperationIndex, Alternative)>,
    pub(crate) plan: Plan,
    pub(crate) uses: Vec<Use>,
}

impl<'s> Builder<'s, '_> {
    /// Adds a call of an operation after everything it needs. Tells where it stands.
    pub(crate) fn call(
        &mut self,
        index: OperationIndex,
        role: Role,
        manner: Manner,
    ) -> Option<usize> {
        self.call_below(index, role, manner, &mut Vec::new())
    }

    pub(crate) fn call_below(
        &mut self,
        index: OperationIndex,
        role: Role,
        manner: Manner,
        above: &mut Vec<OperationIndex>,
    ) -> Option<usize> {
        if self.plan.steps.len() >= MOST_STEPS || above.len() > DEPTH || above.contains(&index) {
            return None;
        }
        let before = (self.plan.steps.len(), self.uses.len());
        let manner = match role {
            Role::Setup => self.manner_of_setup(manner),
            _ => manner,
        };
        let as_before = role == Role::Setup && manner == Manner::Plausible;
        if as_before && let Some(at) = self.graft(index) {
            return Some(at);
        }
        let known_good = self.known_good(index).filter(|_| as_before);
        let mut step = known_good.unwrap_or_else(|| self.sample(index, manner));
        let known = &self.known[index.0 as usize];
        // Where nothing worked so far, it may be the first member that is never taken.
        if role == Role::Main && known.succeeded == 0 && known.tried > 1 {
            another_member(self, &mut step);
            self.obey(&mut step);
        }
        if self.along {
            self.recall(&mut step);
        }
        if role == Role::Setup {
            self.ask_least(&mut step);
        }
        step.role = role;
        above.push(index);
        self.meet_needs(index, &mut step, above);
        above.pop();
        if self.along && role == Role::Setup && self.is_groundless(&step) {
            self.plan.steps.truncate(before.0);
            self.uses.truncate(before.1);
            return None;
        }
        if role == Role::Main {
            self.do_first(index, &step);
        }
        if role == Role::Main || !self.known[index.0 as usize].first.is_empty() {
            self.prepare_state(index, &step, above);
        }
        self.plan.steps.push(step);
        let at = self.plan.steps.len() - 1;
        self.settle_uses(index, at);
        Some(at)
    }

    fn manner_of_setup(&mut self, wanted: Manner) -> Manner {
        match self.setups {
            Setups::Full => Manner::Full,
            Setups::Varied if self.rng.random_bool(0.5) => Manner::Varied,
            _ => wanted,
        }
    }

    /// What an operation undoes is done first, to the same things, where it failed without.
    fn do_first(&mut self, index: OperationIndex, step: &Step) {
        let known = &self.known[index.0 as usize];
        let failed = known.succeeded == 0 && known.tried > 0 && known.tried.is_multiple_of(2);
        let Some(twin) = known.undoes.filter(|_| failed) else {
            return;
        };
        let mut first = self.sample(twin, Manner::Plausible);
        self.ask_least(&mut first);
        first.role = Role::Setup;
        twins::follow(&mut first, step);
        self.plan.steps.push(first);
    }

    /// The call of an operation that worked, with new names, where made-up ones mostly fail. What
    /// it needs is not in it.
    fn known_good(&mut self, index: OperationIndex) -> Option<Step> {
        let known = &self.known[index.0 as usize];
        let (plan, names) = known.proven(self.proven)?;
        let mut plan = plan.clone();
        let all = self.known;
        let mut maker = self.maker(Manner::Plausible);
        freshen(&mut plan, names, all, &mut maker);
        let mut step = plan.steps.swap_remove(plan.main());
        step.binds.clear();
        Some(step)
    }

    /// The whole plan of an operation that worked, where its call mostly fails after set-ups made up
    /// on the spot: it may need more of them than a key tells. Tells where the call stands.
    fn graft(&mut self, index: OperationIndex) -> Option<usize> {
        let known = &self.known[index.0 as usize];
        let (plan, _) = known.proven(self.proven)?;
        let stands = |step: &Step| self.stands(step.operation);
        let (before, main) = (self.plan.steps.len(), plan.main());
        let fits = (main > 0 || self.proven) && before + main < MOST_STEPS;
        if !fits || plan.steps.iter().any(stands) || borrows(plan) {
            return None;
        }
        self.follow(index)
    }

    /// Another thing of the kind that an operation makes, with everything that it needs made for it
    /// alone. Tells where it is made.
    pub(crate) fn separate(&mut self, index: OperationIndex) -> Option<usize> {
        let recipe = self.known[index.0 as usize].recipe.as_ref()?;
        let fits = self.plan.steps.len() + recipe.plan.steps.len() < MOST_STEPS + 4;
        let proven = std::mem::replace(&mut self.proven, true);
        let at = if fits { self.follow(index) } else { None };
        self.proven = proven;
        at
    }

    /// Puts the calls that are known to make something at the end of the plan.
    fn follow(&mut self, index: OperationIndex) -> Option<usize> {
        let (plan, names) = self.known[index.0 as usize].proven(self.proven)?;
        let (before, main) = (self.plan.steps.len(), plan.main());
        let mut plan = plan.clone();
        let all = self.known;
        freshen(&mut plan, names, all, &mut self.maker(Manner::Plausible));
        plan.steps.truncate(main + 1);
        for mut step in plan.steps {
            step.role = Role::Setup;
            step.binds.iter_mut().for_each(|bind| bind.step += before);
            self.plan.steps.push(step);
        }
        Some(before + main)
    }

    /// A call of an operation with guessed values alone, for when nobody can make what it needs.
    pub(crate) fn call_alone(&mut self, index: OperationIndex, manner: Manner) {
        let mut step = self.sample(index, manner);
        for need in self.graph.needs(index) {
            self.guess_key(&mut step, need);
        }
        self.plan.steps.push(step);
    }

    /// Where keys name the type of their thing, one that nobody gives can be guessed.
    pub(crate) fn guess_key(&mut self, step: &mut Step, need: &Need) {
        const NUMBERS: std::ops::RangeInclusive<u64> = 1..=3;
        let (Some(of), Place::Body(pointer)) = (need.of, &need.place) else {
            return;
        };
        let is_id = self.api.shape(need.shape).name.as_deref() == Some("ID");
        if !is_id || !self.values.has_global_keys() {
            return;
        }
        let key = global_keys::key(self.api, of, self.rng.random_range(NUMBERS));
        if let Some(body) = &mut step.body
            && body.gene.at(pointer).is_some()
        {
            body.gene.set(pointer, Value::from(key), Source::Named);
        }
    }

    /// A step with every value ours.
    pub(crate) fn sample(&mut self, index: OperationIndex, manner: Manner) -> Step {
        let operation = self.api.operation(index);
        let manner = match manner {
            Manner::Plausible if self.known[index.0 as usize].wants_more => Manner::Full,
            other => other,
        };
        let mut step = Step::new(index, operation.parameters.len());
        for (at, parameter) in operation.parameters.iter().enumerate() {
            if self.includes(
                index,
                parameter.required,
                &parameter.name,
                &parameter.examples,
                manner,
            ) {
                let gene = match parameter.examples.first() {
                    Some(example) if manner != Manner::Varied || self.rng.random_bool(0.2) => {
                        Gene::literal(example.clone(), Source::Example)
                    }
                    _ => self.maker(manner).sample(&parameter.name, parameter.shape),
                };
                step.arguments[at] = Some(gene);
            }
        }
        step.body = self.sample_body(index, operation, manner);
        step.ask = self.sample_ask(operation, manner);
        // Once it works, other values show more than those that everybody sends.
        if self.values.has_harvest() && self.known[index.0 as usize].succeeded == 0 {
            self.take_harvested(&mut step);
        }
        if manner != Manner::Varied {
            self.obey(&mut step);
        }
        self.renew(&mut step, false);
        step
    }

    /// Mends a step where it breaks a rule that prose or refusals told. An operation that never
    /// works is now and then tried without what only descriptions say: it may be misread.
    pub(crate) fn obey(&mut self, step: &mut Step) {
        let index = step.operation;
        let known: &'s Knowledge = &self.known[index.0 as usize];
        let maker = self.maker(Manner::Plausible);
        let book = known.rulebook(&maker, index);
        let doubtful = known.succeeded == 0 && known.tried > 3 && !known.tried.is_multiple_of(2);
        if !book.is_empty() {
            book.mend(step, maker, doubtful);
        }
    }

    fn sample_ask(&mut self, operation: &Operation, manner: Manner) -> Option<Ask> {
        let root = operation.graphql.as_ref()?;
        let returns = &self.api.root_field(root).returns;
        // Much of the schema comes later, with operations that are known to work.
        let manner = match manner {
            Manner::Full => Manner::Plausible,
            other => other,
        };
        Some(Ask {
            selection: self.maker(manner).select_returned(returns),
            inline: self.inline,
            ..Ask::default()
        })
    }

    /// A set-up step is there for its effect; later steps demand what they need of its answer.
    fn ask_least(&mut self, step: &mut Step) {
        let root = self.api.operation(step.operation).graphql.as_ref();
        if let (Some(root), Some(ask)) = (root, &mut step.ask) {
            let returns = &self.api.root_field(root).returns;
            ask.selection = self.maker(Manner::Plausible).select_least(returns);
        }
    }

    fn includes(
        &mut self,
        index: OperationIndex,
        required: bool,
        name: &str,
        examples: &[Value],
        manner: Manner,
    ) -> bool {
        let insisted = self.known[index.0 as usize].insisted.contains(name);
        required
            || insisted
            || match manner {
                Manner::Plausible => false,
                Manner::Full => !examples.is_empty() || self.rng.random_bool(0.5),
                Manner::Varied => self.rng.random_bool(0.3),
            }
    }

    fn sample_body(
        &mut self,
        index: OperationIndex,
        operation: &Operation,
        manner: Manner,
    ) -> Option<BodyValue> {
        let body = operation.body.as_ref()?;
        // An optional body is nearly always expected all the same.
        if !body.required && manner == Manner::Varied && self.rng.random_bool(0.1) {
            return None;
        }
        let content = match manner {
            Manner::Varied if body.contents.len() > 1 && self.rng.random_bool(0.15) => {
                self.rng.random_range(0..body.contents.len())
            }
            _ => best_content(body),
        };
        let declared = body.contents.get(content)?;
        let example = declared
            .examples
            .first()
            .filter(|_| manner == Manner::Plausible);
        let gene = match (example, declared.shape) {
            (Some(example), _) => Gene::literal(example.clone(), Source::Example),
            (None, Some(shape)) => self.body_gene(index, shape, manner),
            (None, None) => Gene::literal(serde_json::json!({}), Source::Random),
        };
        Some(BodyValue { content, gene })
    }

    fn body_gene(&mut self, index: OperationIndex, shape: ShapeId, manner: Manner) -> Gene {
        let mut gene = self.maker(manner).sample("body", shape);
        if manner != Manner::Varied {
            self.ask_for_few(index, shape, &mut gene);
        }
        let known = &self.known[index.0 as usize];
        let insisted = known.lacking.iter().chain(&known.insisted);
        let insisted: Vec<String> = insisted.cloned().collect();
        for name in insisted.iter().take(8) {
            let pointer = format!(
                "/{}",
                fossick_contract::escape_token(name).replace('.', "/")
            );
            if let Some(fuller) = self.with_field(shape, &gene, name) {
                gene = fuller;
            } else if gene.at(&pointer).is_none()
                && let Some(value) = self.insisted_value(shape, &pointer, name)
            {
                gene.set(&pointer, value, Source::Told);
            }
        }
        self.fill_lists(index, shape, &mut gene);
        gene
    }

    /// A GraphQL list that can be cut short is: whole tables cost everybody time and show no more.
    fn ask_for_few(&self, index: OperationIndex, shape: ShapeId, gene: &mut Gene) {
        const LIMITS: [&str; 8] = [
            "first",
            "limit",
            "take",
            "top",
            "pageSize",
            "page_size",
            "perPage",
            "per_page",
        ];
        const FEW: i64 = 10;
        let root = self.api.operation(index).graphql.as_ref();
        let (Some(root), Kind::Object(object)) = (root, &self.api.shape(shape).kind) else {
            return;
        };
        let limit = LIMITS.iter().find(|name| {
            let property = object.property(name);
            property.is_some_and(|p| matches!(self.api.shape(p.shape).kind, Kind::Integer(_)))
        });
        let Some(limit) = limit.filter(|_| root.listed) else {
            return;
        };
        let pointer = format!("/{limit}");
        if gene.at(&pointer).is_none() {
            gene.set(&pointer, Value::from(FEW), Source::Named);
        }
    }

    /// The body with a value for every field of this name that the document has; none if it has
    /// none, or all are there.
    fn with_field(&mut self, shape: ShapeId, gene: &Gene, name: &str) -> Option<Gene> {
        const MOST: usize = 3;
        let mut maker = self.maker(Manner::Plausible);
        let slots = maker.slots(shape).into_iter().chain(maker.parts(shape));
        // Services speak of `input_mapping` where their schema has `inputMapping`.
        let called = |slot: &Slot| plain(&slot.name) == plain(name);
        let missing = slots.filter(|slot| called(slot) && gene.at(&slot.pointer).is_none());
        let mut fuller = None;
        for slot in missing.take(MOST) {
            let mut new = maker.sample(&slot.name, slot.shape);
            // Null, or a list without anything in it, is what it was refused for.
            let value = new.value();
            if value.is_null() || value.as_array().is_some_and(Vec::is_empty) {
                maker.manner = Manner::Full;
                new = maker.sample(&slot.name, slot.shape);
                maker.manner = Manner::Plausible;
            }
            let base = fuller.as_ref().unwrap_or(gene);
            let placed = maker.with_gene("body", shape, base, &slot.pointer, new);
            fuller = placed.or(fuller);
        }
        fuller
    }

    /// A value for a field that the service wants: by its shape where the document has it, else a
    /// text of our own.
    fn insisted_value(&mut self, shape: ShapeId, pointer: &str, name: &str) -> Option<Value> {
        let mut inner = shape;
        for part in pointer.split('/').skip(1) {
            let Kind::Object(object) = &self.api.shape(inner).kind else {
                return None;
            };
            match object.property(part) {
                Some(property) => inner = property.shape,
                None if object.additional != Additional::Forbidden => {
                    let letter = |rng: &mut Rng| char::from(b'a' + rng.random_range(0..26_u8));
                    return Some(Value::String((0..8).map(|_| letter(self.rng)).collect()));
                }
                None => return None,
            }
        }
        let last = name.rsplit('.').next().unwrap_or(name);
        Some(self.maker(Manner::Plausible).sample(last, inner).value())
    }

    pub(crate) fn maker(&mut self, manner: Manner) -> Maker<'_> {
        Maker {
            api: self.api,
            validators: self.validators,
            values: self.values,
            rng: self.rng,
            manner,
        }
    }

    /// Meets a need in the way that is wanted, if one is. Tells whether it could.
    pub(crate) fn meet_as_forced(
        &mut self,
        index: OperationIndex,
        (at, need): (usize, &Need),
        step: &mut Step,
        above: &mut Vec<OperationIndex>,
    ) -> bool {
        let wanted = |(of, way): &mut (OperationIndex, Alternative)| *of == index && way.need == at;
        let Some((_, way)) = self.forced.take_if(wanted) else {
            return false;
        };
        if self.is_barred(&way.edge) || !self.has_room(index, step, need) {
            return false;
        }
        let spots = self.spots_to_fill(step, need);
        let maker = self.provide(&way.edge, above);
        maker.is_some_and(|maker| self.connect_all(step, at, &spots, (&way.edge, maker), above))
    }

    /// Makes sure that a step has something where a need stands. Tells whether it could.
    fn has_room(&mut self, index: OperationIndex, step: &mut Step, need: &Need) -> bool {
        if !self.spots_to_fill(step, need).is_empty() {
            return true;
        }
        let mut maker = self.maker(Manner::Plausible);
        let gene = maker.sample(&need.name, need.shape);
        match &need.place {
            Place::Parameter(at) => step.put(*at, Some(gene)),
            Place::Body(pointer) => {
                let shape = body_shape(maker.api.operation(index), step);
                let (Some(shape), Some(body)) = (shape, &mut step.body) else {
                    return false;
                };
                let placed = maker.with_gene("body", shape, &body.gene, pointer, gene);
                let Some(fuller) = placed else { return false };
                body.gene = fuller;
            }
        }
        !self.spots_to_fill(step, need).is_empty()
    }

    /// Asks a GraphQL step for what things of one type have to tell.
    pub(crate) fn ask_for_kind(&mut self, at: usize, kind: TypeId) {
        let mut ask = self.plan.steps[at].ask.take();
        let selection = ask.as_mut().and_then(|ask| ask.selection.as_mut());
        if let Some(selection) = selection {
            selection.require_part(&mut self.maker(Manner::Full), kind);
        }
        self.plan.steps[at].ask = ask;
    }

    /// A call on a thing that nobody made and nobody saw.
    fn is_groundless(&self, step: &Step) -> bool {
        let operation = self.api.operation(step.operation);
        let guessed = |spot: &Spot| {
            let source = step.gene_at(spot).and_then(Gene::source);
            step.bind_at(spot).is_none() && matches!(source, Some(Source::Random | Source::Named))
        };
        operation.deed() != Deed::Replace && keys(operation).iter().any(guessed)
    }

    /// Picks an edge: mostly the best one, sometimes another, never a hopeless one.
    pub(crate) fn choose(
        &mut self,
        index: OperationIndex,
        at: usize,
        need: &Need,
        above: &[OperationIndex],
    ) -> Option<&'s Edge> {
        let operation = self.api.operation(index);
        let own_only = self.must_be_own(index, operation, need);
        let in_key = keys(operation).contains(&spot_of(&need.place));
        let writes = operation.deed() != Deed::Read;
        let chooses_itself = operation.method == Method::Put
            && is_last_hole(operation, need)
            && matches!(self.api.shape(need.shape).kind, Kind::String(_) | Kind::Any);
        if need.doubtful && !self.proven && self.doubts(index) {
            return None;
        }
        let boldness = self.boldness(index);
        let mut best: Option<(f64, &'s Edge)> = None;
        let graph: &'s Graph = self.graph;
        for edge in graph.edges(index, at) {
            let hopeless = edge.confidence() < 0.08 || above.contains(&edge.maker);
            if hopeless || (own_only && !edge.evidence.makes()) || self.is_barred(edge) {
                continue;
            }
            // What stands already costs nothing, but only a maker is worth a preference: a child's
            // mention of its parent is no second parent.
            let makes = edge.evidence.makes();
            let standing = match self.stands(edge.maker) {
                true if self.along => 0.5,
                true if makes => 0.3,
                _ => 0.0,
            };
            let noise = self.rng.random_range(0.0..boldness);
            let own = match makes {
                true if self.setups == Setups::Own => 1.0,
                true if self.setups == Setups::Found && !in_key => -OWN,
                true if in_key && writes && !self.along => OWN_TO_WRITE,
                true if !self.along => OWN,
                _ => 0.0,
            };
            // What mostly fails is not worth more for being one's own.
            let own = own * (edge.confidence() / TRUSTED).min(1.0);
            let score = edge.confidence() * self.success_of(edge.maker) + standing + own + noise;
            if best.as_ref().is_none_or(|(top, _)| score > *top) {
                best = Some((score, edge));
            }
        }
        let (_, edge) = best?;
        // Where PUT may create under a name of ours, some of the calls do without a creator.
        let alone = if edge.evidence == Evidence::Creator {
            0.1
        } else {
            0.4
        };
        if chooses_itself && !self.stands(edge.maker) && self.rng.random_bool(alone) {
            return None;
        }
        Some(edge)
    }

    /// What is only called after a thing is now and then sent as it is, and more often so where it
    /// does not help to make the thing.
    fn doubts(&mut self, index: OperationIndex) -> bool {
        let known = &self.known[index.0 as usize];
        let fails = known.succeeded == 0 && known.tried > 0;
        self.rng.random_bool(if fails { 0.5 } else { 0.1 })
    }

    /// The first attempt takes the best edges; one that keeps failing looks further and further.
    fn boldness(&self, index: OperationIndex) -> f64 {
        let known = &self.known[index.0 as usize];
        match known.succeeded {
            0 => 0.05 + 0.1 * f64::from(known.tried.min(5)),
            _ => 0.1,
        }
    }

    /// On foreign ground, and on what callers are known by, only one's own may be changed.
    fn must_be_own(&self, index: OperationIndex, operation: &Operation, need: &Need) -> bool {
        let in_key = keys(operation).contains(&spot_of(&need.place));
        let risky = self.known[index.0 as usize].risk == Risk::OwnOnly;
        operation.deed().changes() && in_key && (!self.free || risky)
    }

    /// A maker that itself must wait for the end can't be a set-up step now.
    pub(crate) fn is_barred(&self, edge: &Edge) -> bool {
        let maker = &self.known[edge.maker.0 as usize];
        maker.waits_for_the_end() || maker.resting
    }

    fn stands(&self, maker: OperationIndex) -> bool {
        self.standing(maker).is_some()
    }

    /// The last call of an operation whose thing is still there.
    fn standing(&self, maker: OperationIndex) -> Option<usize> {
        let steps = &self.plan.steps;
        let makes = |step: &Step| {
            step.operation == maker && step.intent.is_valid() && step.method.is_none()
        };
        let found = steps.iter().rposition(makes)?;
        let removes = |step: &Step| {
            let deed = self.api.operation(step.operation).deed();
            deed == Deed::Delete && step.binds.iter().any(|bind| bind.step == found)
        };
        (!steps.iter().any(removes)).then_some(found)
    }

    /// How often a maker itself succeeds; an untried one is believed, and so is one that failed
    /// for long but will be called as it worked at last.
    fn success_of(&self, maker: OperationIndex) -> f64 {
        const AS_IT_WORKED: f64 = 0.8;
        let known = &self.known[maker.0 as usize];
        let all: u32 = known.statuses.values().sum();
        let rate = (f64::from(known.succeeded) + 2.0) / (f64::from(all) + 2.0);
        if known.is_hard_to_set_up() {
            rate.max(AS_IT_WORKED)
        } else {
            rate
        }
    }

    /// The step that makes what an edge promises: one that stands already, or a new one.
    pub(crate) fn provide(
        &mut self,
        edge: &Edge,
        above: &mut Vec<OperationIndex>,
    ) -> Option<usize> {
        match self.standing(edge.maker) {
            Some(at) => Some(at),
            None => self.call_below(edge.maker, Role::Setup, Manner::Plausible, above),
        }
    }
}

fn is_last_hole(operation: &Operation, need: &Need) -> bool {
    operation.path.ends_with_hole() && operation.path.holes().last() == Some(need.name.as_str())
}
