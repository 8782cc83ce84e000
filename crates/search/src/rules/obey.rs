//! Keeping rules: a step that was made up is mended where it breaks one.
//!
//! Only values of our own are touched, and only in ways that the document allows. What can't be
//! mended stays as it is: the rule may be wrong, and the service will tell.

use std::cmp::Ordering;

use fossick_contract::{Bound, Measure, Relation, Rule};
use fossick_genes::{Gene, Maker, Source, keeps, order};
use fossick_plan::{Spot, Step, best_content};
use serde_json::Value;

use super::{
    Field, Rulebook, Told, is_among, is_called, is_given, is_of_values, sent, source, speaks_of,
};

/// A value that can't be worked out is drawn anew so often.
const TRIES: usize = 12;

impl Rulebook {
    /// Mends a step where it breaks a rule; of what the service itself did not say only where
    /// `doubtful` is false.
    pub(crate) fn mend(&self, step: &mut Step, maker: Maker<'_>, doubtful: bool) {
        if speaks_of(step, maker.api) {
            let mut mending = Mending {
                book: self,
                maker,
                doubtful,
            };
            mending.all(step);
        }
    }
}

/// A step on its way to keep the rules of its operation.
struct Mending<'b, 'm> {
    book: &'b Rulebook,
    maker: Maker<'m>,
    doubtful: bool,
}

impl Mending<'_, '_> {
    fn all(&mut self, step: &mut Step) {
        let book = self.book;
        let mut last = None;
        for told in &book.rules {
            let at = told.what.0;
            if last.replace(at) != Some(at) {
                self.mend_value(step, at);
            }
        }
        // First which fields are there at all, then what they hold.
        let heard = |told: &&Told<Relation>| told.heard || !self.doubtful;
        let relations: Vec<&Told<Relation>> = book.relations.iter().filter(heard).collect();
        let (values, presence): (Vec<_>, Vec<_>) = relations
            .into_iter()
            .partition(|told| is_of_values(&told.what));
        for told in presence {
            self.mend_presence(step, &told.what);
        }
        for told in values {
            if told.heard || !self.are_shown(step, &told.what) {
                self.mend_values(step, &told.what);
            }
        }
    }

    fn mend_value(&mut self, step: &mut Step, at: usize) {
        let field = &self.book.fields[at];
        let Some(value) = sent(step, &field.spot) else {
            return;
        };
        let shown = is_shown(step, field);
        let own = self.book.rules.iter().filter(|told| told.what.0 == at);
        let binding = own.filter(|told| told.heard || !(shown || self.doubtful));
        let rules: Vec<Rule> = binding.map(|told| told.what.1.clone()).collect();
        if rules.iter().any(|rule| keeps(rule, &value) == Some(false))
            && let Some(gene) = self.maker.sample_within(&field.name, field.shape, &rules)
        {
            put(step, field, gene);
        }
    }

    /// Whether all values of a relation are the document's or the user's own: those know better
    /// than prose.
    fn are_shown(&self, step: &Step, relation: &Relation) -> bool {
        let fields = relation.fields();
        fields
            .iter()
            .all(|at| is_shown(step, &self.book.fields[*at]))
    }

    fn rules_of(&self, at: usize) -> Vec<Rule> {
        let own = self.book.rules.iter().filter(|told| told.what.0 == at);
        own.map(|told| told.what.1.clone()).collect()
    }

    fn mend_presence(&mut self, step: &mut Step, relation: &Relation) {
        let fields = &self.book.fields;
        let given = |step: &Step, at: usize| is_given(step, &fields[at].spot);
        match relation {
            Relation::Requires(one, other) if given(step, *one) && !given(step, *other) => {
                let added = self.add(step, *other);
                if !added && !fields[*one].required {
                    self.remove(step, *one);
                }
            }
            Relation::GivenWhen {
                field,
                of,
                value,
                only,
            } => {
                let is_so = sent(step, &fields[*of].spot).is_some_and(|v| is_called(&v, value));
                match (is_so, given(step, *field)) {
                    (true, false) => _ = self.add(step, *field),
                    (false, true) if *only && !fields[*field].required => self.remove(step, *field),
                    _ => {}
                }
            }
            Relation::AnyOf(all) if !all.iter().any(|at| given(step, *at)) => {
                all.iter().find(|at| self.add(step, **at));
            }
            Relation::AtMostOne(all) => {
                let there = all.iter().copied().filter(|at| given(step, *at));
                let mut there: Vec<usize> = there.collect();
                // What must be there stays; else the first.
                there.sort_by_key(|at| !fields[*at].required);
                for at in there.into_iter().skip(1).filter(|at| !fields[*at].required) {
                    self.remove(step, at);
                }
            }
            _ => {}
        }
    }

    fn mend_values(&mut self, step: &mut Step, relation: &Relation) {
        let fields = &self.book.fields;
        let value = |at: usize| sent(step, &fields[at].spot);
        let [one, other] = relation.fields()[..] else {
            return;
        };
        let (Some(a), Some(b)) = (value(one), value(other)) else {
            return;
        };
        match relation {
            Relation::Equal(..) if a != b => {
                let _ = self.put_value(step, other, &a) || self.put_value(step, one, &b);
            }
            Relation::Different(..) if a == b => {
                self.redraw(step, other, |new| *new != a);
            }
            Relation::Among(..) if !is_among(&a, &b) => {
                let _ = b.get(0).is_some_and(|item| self.put_value(step, one, item));
            }
            Relation::NotAmong(..) if is_among(&a, &b) => {
                let _ = self.redraw(step, one, |new| !is_among(new, &b))
                    || self.redraw(step, other, |new| !is_among(&a, new));
            }
            // Both ends alike is what half of the services mind: better apart.
            Relation::Before(..) | Relation::NotAfter(..)
                if order(&a, &b).is_some_and(Ordering::is_ge) =>
            {
                self.put_in_order(step, one, other, &a, &b);
            }
            _ => {}
        }
    }

    /// Exchanges two values that stand in the wrong order, or draws one of them anew.
    fn put_in_order(&mut self, step: &mut Step, one: usize, other: usize, a: &Value, b: &Value) {
        let apart = order(a, b).is_some_and(Ordering::is_gt);
        if apart && self.fits(one, b) && self.fits(other, a) {
            self.put_value(step, one, b);
            self.put_value(step, other, a);
            return;
        }
        let after = |new: &Value| order(a, new).is_some_and(Ordering::is_lt);
        let before = |new: &Value| order(new, b).is_some_and(Ordering::is_lt);
        let beyond = |value: &Value, side: fn(f64, Measure) -> Bound| {
            value.as_f64().map(|value| {
                let bound = side(value, Measure::Own);
                Rule::Bound(Bound {
                    inclusive: false,
                    ..bound
                })
            })
        };
        let (above, below) = (beyond(a, Bound::least), beyond(b, Bound::most));
        let _ = self.draw_within(step, other, above)
            || self.draw_within(step, one, below)
            || self.redraw(step, other, after)
            || self.redraw(step, one, before);
    }

    fn draw_within(&mut self, step: &mut Step, at: usize, rule: Option<Rule>) -> bool {
        let field = &self.book.fields[at];
        let Some(rule) = rule else {
            return false;
        };
        let mut rules = self.rules_of(at);
        rules.push(rule);
        let drawn = self.maker.sample_within(&field.name, field.shape, &rules);
        drawn.is_some_and(|gene| put(step, field, gene))
    }

    fn redraw(&mut self, step: &mut Step, at: usize, fits: impl Fn(&Value) -> bool) -> bool {
        let field = &self.book.fields[at];
        let rules = self.rules_of(at);
        (0..TRIES).any(|_| {
            let within = self.maker.sample_within(&field.name, field.shape, &rules);
            let drawn = within.unwrap_or_else(|| self.maker.sample(&field.name, field.shape));
            fits(&drawn.value()) && put(step, field, drawn)
        })
    }

    /// Whether a value may stand at a field, by the document and by its own rules.
    fn fits(&self, at: usize, value: &Value) -> bool {
        let gene = Gene::literal(value.clone(), Source::Told);
        let broken = |rule: &Rule| keeps(rule, value) == Some(false);
        self.maker.is_valid(&gene, self.book.fields[at].shape)
            && !self.rules_of(at).iter().any(broken)
    }

    fn put_value(&self, step: &mut Step, at: usize, value: &Value) -> bool {
        let field = &self.book.fields[at];
        let source = step.gene_at(&field.spot).and_then(Gene::source);
        let gene = Gene::literal(value.clone(), source.unwrap_or(Source::Told));
        self.fits(at, value) && put(step, field, gene)
    }

    /// Gives a field that is not there; false if it can't be.
    fn add(&mut self, step: &mut Step, at: usize) -> bool {
        let field = &self.book.fields[at];
        let rules = self.rules_of(at);
        let within = self.maker.sample_within(&field.name, field.shape, &rules);
        let gene = within.unwrap_or_else(|| self.maker.sample(&field.name, field.shape));
        if gene.value().is_null() {
            return false;
        }
        match &field.spot {
            Spot::Parameter(at) => {
                step.put(*at, Some(gene));
                true
            }
            Spot::Body(pointer) => {
                let operation = self.maker.api.operation(step.operation);
                let declared = operation.body.as_ref();
                let shape = declared.and_then(|body| body.contents.get(best_content(body))?.shape);
                let (Some(body), Some(shape)) = (&mut step.body, shape) else {
                    return false;
                };
                let fuller = self
                    .maker
                    .with_gene("body", shape, &body.gene, pointer, gene);
                let added = fuller.is_some();
                body.gene = fuller.unwrap_or_else(|| body.gene.clone());
                added
            }
        }
    }

    fn remove(&self, step: &mut Step, at: usize) {
        let spot = &self.book.fields[at].spot;
        step.binds.retain(|bind| bind.spot != *spot);
        match spot {
            Spot::Parameter(at) => step.put(*at, None),
            Spot::Body(pointer) => {
                if let Some(body) = &mut step.body {
                    body.gene.remove(pointer);
                }
            }
        }
    }
}

/// Puts a gene where another stands.
fn put(step: &mut Step, field: &Field, gene: Gene) -> bool {
    match &field.spot {
        Spot::Parameter(at) => {
            step.put(*at, Some(gene));
            true
        }
        Spot::Body(pointer) => {
            let source = gene.source().unwrap_or(Source::Told);
            let body = step.body.as_mut();
            body.is_some_and(|body| body.gene.set(pointer, gene.value(), source))
        }
    }
}

/// Whether a value was shown by the document, the user or real traffic, and not made up.
fn is_shown(step: &Step, field: &Field) -> bool {
    matches!(
        source(step, &field.spot),
        Some(Source::Example | Source::Default | Source::Dictionary | Source::Harvested)
    )
}
