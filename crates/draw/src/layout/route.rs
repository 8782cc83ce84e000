//! Edges as curves: from the row of a property to the side of a pill, and from card to card.
//!
//! Curves leave and arrive level, so that heads need no turning, and are drawn below the nodes.

use std::collections::BTreeMap;

use fossick_trace::{GraphEdge, Joins, PropertyGraph, PropertyUse};

use super::card::{Row, middle_of, row_of};
use super::{Area, HEAD, Picture};
use crate::edge::use_label;

/// Lines of one edge that are drawn; what more there is, is in its evidence.
const MOST: usize = 12;
/// Labels that fit beside one pill, above its lines and below.
const LABELS: usize = 2;
const LABEL_STEP: f64 = 12.0;

type Point = (f64, f64);

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Curve {
    pub(crate) from: Point,
    pub(crate) bends: (Point, Point),
    pub(crate) to: Point,
    /// An arrow's head at the end: +1 where it points to the right.
    pub(crate) head: Option<f64>,
    pub(crate) label: Option<Label>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Label {
    pub(crate) text: String,
    pub(crate) at: Point,
    /// It ends at its point instead of beginning there.
    pub(crate) ends: bool,
}

impl Curve {
    /// Half way along it.
    pub(crate) fn middle(&self) -> Point {
        let (a, b) = self.bends;
        let mean = |p: f64, q: f64, r: f64, s: f64| (p + 3.0 * q + 3.0 * r + s) / 8.0;
        (
            mean(self.from.0, a.0, b.0, self.to.0),
            mean(self.from.1, a.1, b.1, self.to.1),
        )
    }
}

pub(crate) fn curves(graph: &PropertyGraph, picture: &Picture) -> Vec<Vec<Curve>> {
    let mut router = Router {
        graph,
        picture,
        landings: BTreeMap::new(),
        labels: BTreeMap::new(),
    };
    router.landings = router.landings();
    graph.edges.iter().map(|edge| router.route(edge)).collect()
}

/// A side of a box: -1 left, +1 right.
type Side = f64;

struct Router<'a> {
    graph: &'a PropertyGraph,
    picture: &'a Picture,
    /// Heights at which lines to a side of a pill begin, from above to below.
    landings: BTreeMap<(usize, bool), Vec<f64>>,
    /// Labels that stand at a side of a pill already, and whether above its lines.
    labels: BTreeMap<(usize, bool, bool), usize>,
}

impl Router<'_> {
    fn route(&mut self, edge: &GraphEdge) -> Vec<Curve> {
        match &edge.joins {
            Joins::Produces { operation, schema } => {
                self.produces(*operation as usize, *schema as usize)
            }
            Joins::Consumes {
                schema,
                operation,
                uses,
            } => self.consumes(*schema as usize, *operation as usize, uses),
            Joins::Equals { one, other, pairs } => {
                self.equals(*one as usize, *other as usize, pairs)
            }
            Joins::Endpoint { one, other } => self.endpoint(*one as usize, *other as usize),
        }
    }

    fn pill(&self, operation: usize) -> Area {
        let area = self.picture.pills.get(operation);
        area.copied().unwrap_or_default()
    }

    fn card(&self, schema: usize) -> Area {
        let area = self.picture.cards.get(schema);
        area.copied().unwrap_or_default()
    }

    /// Height of a property's row; the last one where it is left out, the head where it is none.
    fn row(&self, schema: usize, property: &str) -> f64 {
        let top = self.card(schema).y;
        let (Some(node), Some(rows)) = (
            self.graph.schemas.get(schema),
            self.picture.rows.get(schema),
        ) else {
            return top;
        };
        let hidden = || {
            let known = node.properties.iter().any(|p| p.name == property);
            let more = matches!(rows.last(), Some(Row::More(_)));
            (known && more).then(|| middle_of(rows.len() - 1))
        };
        top + row_of(node, rows, property)
            .or_else(hidden)
            .unwrap_or(HEAD * 0.7)
    }

    fn produces(&self, operation: usize, schema: usize) -> Vec<Curve> {
        let (pill, card) = (self.pill(operation), self.card(schema));
        let (of_pill, of_card) = facing(&pill, &card);
        let from = (edge_x(&pill, of_pill), pill.y + pill.height * 0.32);
        let to = (edge_x(&card, of_card), card.y + HEAD * 0.35);
        let mut curve = level(from, of_pill, to, of_card);
        curve.head = Some(-of_card);
        vec![curve]
    }

    fn consumes(&mut self, schema: usize, operation: usize, uses: &[PropertyUse]) -> Vec<Curve> {
        let (pill, card) = (self.pill(operation), self.card(schema));
        let (of_pill, of_card) = facing(&pill, &card);
        let x = edge_x(&card, of_card);
        let mut curves = Vec::new();
        for (y, text) in self.starts(schema, operation, uses) {
            let down = self.landing(operation, of_pill, y);
            let to = (edge_x(&pill, of_pill), pill.y + pill.height * down);
            let mut curve = level((x, y), of_card, to, of_pill);
            curve.head = Some(-of_pill);
            curve.label = text.and_then(|text| self.label(operation, &curve, of_pill, text));
            curves.push(curve);
        }
        curves
    }

    /// Heights at which lines begin, and what stands at them where names differ.
    fn starts(
        &self,
        schema: usize,
        operation: usize,
        uses: &[PropertyUse],
    ) -> Vec<(f64, Option<String>)> {
        if uses.is_empty() {
            return vec![(self.card(schema).y + HEAD * 0.7, None)];
        }
        let start = |one: &PropertyUse| {
            let renamed = one.property != one.parameter;
            let text = renamed.then(|| self.use_text(schema, operation, one));
            (self.row(schema, &one.property), text)
        };
        uses.iter().take(MOST).map(start).collect()
    }

    /// Of a line that comes from afar the schema is said too.
    fn use_text(&self, schema: usize, operation: usize, one: &PropertyUse) -> String {
        let home = self.picture.homes.get(operation).copied().flatten();
        match self.graph.schemas.get(schema) {
            Some(node) if home != Some(schema) => format!("{}.{}", node.name, use_label(one)),
            _ => use_label(one),
        }
    }

    fn landings(&self) -> BTreeMap<(usize, bool), Vec<f64>> {
        let mut landings: BTreeMap<(usize, bool), Vec<f64>> = BTreeMap::new();
        for edge in &self.graph.edges {
            if let Joins::Consumes {
                schema,
                operation,
                uses,
            } = &edge.joins
            {
                let (schema, operation) = (*schema as usize, *operation as usize);
                let (side, _) = facing(&self.pill(operation), &self.card(schema));
                let own = landings.entry((operation, side > 0.0)).or_default();
                own.extend(
                    self.starts(schema, operation, uses)
                        .into_iter()
                        .map(|(y, _)| y),
                );
            }
        }
        for heights in landings.values_mut() {
            heights.sort_by(f64::total_cmp);
            heights.dedup();
        }
        landings
    }

    /// How far down a pill a line from this height arrives: lines from above arrive above, so
    /// that they do not cross.
    fn landing(&self, operation: usize, side: Side, from: f64) -> f64 {
        let heights = self.landings.get(&(operation, side > 0.0));
        let (at, count) = heights.map_or((0, 1), |heights| {
            let at = heights.iter().position(|y| *y >= from);
            (at.unwrap_or(0), heights.len())
        });
        if count < 2 {
            return 0.7;
        }
        0.54 + 0.36 * at as f64 / (count - 1) as f64
    }

    /// Labels stand beside the pill that their line goes to, where no other pill's can be; above
    /// a line that comes from below, and below one that comes from above.
    fn label(
        &mut self,
        operation: usize,
        curve: &Curve,
        side: Side,
        text: String,
    ) -> Option<Label> {
        let above = curve.from.1 > curve.to.1 + 1.0;
        let placed = self
            .labels
            .entry((operation, side > 0.0, above))
            .or_default();
        let place = *placed;
        *placed += 1;
        let pill = self.pill(operation);
        let y = if above {
            pill.y + pill.height * 0.2 - LABEL_STEP * place as f64
        } else {
            pill.bottom() + 6.0 + LABEL_STEP * place as f64
        };
        (place < LABELS).then_some(Label {
            text,
            at: (curve.to.0 + side * 14.0, y),
            ends: side < 0.0,
        })
    }

    fn equals(&self, one: usize, other: usize, pairs: &[(String, String)]) -> Vec<Curve> {
        let (first, second) = (self.card(one), self.card(other));
        let (of_first, of_second) = if first.x == second.x {
            (1.0, 1.0)
        } else {
            facing(&first, &second)
        };
        let line = |from: f64, to: f64| {
            let from = (edge_x(&first, of_first), from);
            level(from, of_first, (edge_x(&second, of_second), to), of_second)
        };
        match pairs {
            [] => vec![line(first.y + HEAD / 2.0, second.y + HEAD / 2.0)],
            some => some
                .iter()
                .take(MOST)
                .map(|(a, b)| line(self.row(one, a), self.row(other, b)))
                .collect(),
        }
    }

    /// Along the outer side of pills that stand together, else across.
    fn endpoint(&self, one: usize, other: usize) -> Vec<Curve> {
        let (first, second) = (self.pill(one), self.pill(other));
        if first.x == second.x {
            let side = self.picture.outer.get(one).copied().unwrap_or(1.0);
            let from = (edge_x(&first, side), first.middle().1);
            let to = (edge_x(&second, side), second.middle().1);
            return vec![level(from, side, to, side)];
        }
        let (a, b) = facing(&first, &second);
        let from = (edge_x(&first, a), first.middle().1);
        vec![level(from, a, (edge_x(&second, b), second.middle().1), b)]
    }
}

/// The sides that two boxes turn to each other.
fn facing(one: &Area, other: &Area) -> (Side, Side) {
    if one.middle().0 <= other.middle().0 {
        (1.0, -1.0)
    } else {
        (-1.0, 1.0)
    }
}

fn edge_x(area: &Area, side: Side) -> f64 {
    if side > 0.0 { area.right() } else { area.x }
}

/// A curve that leaves and arrives level.
fn level(from: Point, leaves: Side, to: Point, arrives: Side) -> Curve {
    let (across, down) = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
    let bend = if leaves == arrives {
        (18.0 + down * 0.18).min(110.0)
    } else {
        (across * 0.5).clamp(30.0, 260.0)
    };
    Curve {
        from,
        bends: (
            (from.0 + leaves * bend, from.1),
            (to.0 + arrives * bend, to.1),
        ),
        to,
        head: None,
        label: None,
    }
}
