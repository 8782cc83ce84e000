//! Schemas as cards, operations as pills, and the names of blocks for looking from afar.

use fossick_trace::{OperationNode, PropertyGraph, SchemaNode};

use crate::escape::xml;
use crate::layout::{Area, HEAD, Picture, ROW, Row};
use crate::text::{cells, fitting, number, shortened, squeezed, width};
use crate::view::{badge, place, tint};

const SMALL: f64 = 12.0;

pub(crate) fn cards(graph: &PropertyGraph, picture: &Picture) -> String {
    let places = picture.cards.iter().zip(&picture.rows);
    let all = graph.schemas.iter().zip(places).enumerate();
    all.map(|(at, (schema, (area, rows)))| card(at, schema, area, rows))
        .collect()
}

fn card(at: usize, schema: &SchemaNode, area: &Area, rows: &[Row]) -> String {
    let seen = if schema.documented { "" } else { " seen" };
    let mut out = format!(
        "<g class=\"n s{seen}\" id=\"s{at}\" transform=\"translate({:.1} {:.1})\"><title>{}</title>\
         <rect class=\"box\" width=\"{w:.0}\" height=\"{h:.1}\" rx=\"6\"/>\
         <path class=\"head\" d=\"M.5 {HEAD}V6.5a6 6 0 0 1 6-6H{:.1}a6 6 0 0 1 6 6V{HEAD}Z\"/>\
         <text class=\"name\" x=\"12\" y=\"20\">{}</text>",
        area.x,
        area.y,
        xml(&schema.name),
        area.width - 6.5,
        xml(&squeezed(&schema.name, fitting(area.width - 24.0, 14.0))),
        w = area.width,
        h = area.height,
    );
    for (at, row) in rows.iter().enumerate() {
        let y = HEAD + 3.0 + ROW * at as f64 + 15.0;
        out.push_str(&row_text(schema, row, area.width, y));
    }
    out.push_str("</g>\n");
    out
}

fn row_text(schema: &SchemaNode, row: &Row, wide: f64, y: f64) -> String {
    let (index, used) = match row {
        Row::Property { index, used } => (*index, *used),
        Row::More(count) => {
            let words = format!("+ {} more", number(*count as u64));
            return format!("<text class=\"row\" x=\"12\" y=\"{y:.1}\">{words}</text>");
        }
    };
    let Some(property) = schema.properties.get(index) else {
        return String::new();
    };
    let room = fitting(wide - 24.0, SMALL);
    let name = squeezed(&property.name, room);
    let class = if used { "row used" } else { "row" };
    let mut out = format!(
        "<text class=\"{class}\" x=\"12\" y=\"{y:.1}\">{}</text>",
        xml(&name)
    );
    let rest = room.saturating_sub(cells(&name) + 1);
    if rest >= 4 && !property.kind.is_empty() {
        out.push_str(&format!(
            "<text class=\"kind\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
            wide - 12.0,
            xml(&shortened(&property.kind, rest))
        ));
    }
    out
}

pub(crate) fn pills(graph: &PropertyGraph, picture: &Picture) -> String {
    let all = graph.operations.iter().zip(&picture.pills).enumerate();
    all.map(|(at, (operation, area))| pill(at, operation, area))
        .collect()
}

fn pill(at: usize, operation: &OperationNode, area: &Area) -> String {
    let word = shortened(badge(operation), 9);
    let stripe = (width(&word, 11.0) + 16.0).max(44.0);
    let left = stripe + 10.0;
    let room = area.width - left - 10.0;
    let (label_y, sub) = match &operation.name {
        Some(name) => (18.0, sub_line(operation, name, left, room)),
        None if operation.calls > 0 => (18.0, sub_line(operation, "", left, room)),
        None => (area.height / 2.0 + 4.5, String::new()),
    };
    format!(
        "<g class=\"n o m-{}\" id=\"o{at}\" transform=\"translate({:.1} {:.1})\"><title>{}</title>\
         <rect class=\"box\" width=\"{w:.0}\" height=\"{h:.0}\" rx=\"9\"/>\
         <path class=\"stripe\" d=\"M9 0H{stripe:.1}V{h:.0}H9a9 9 0 0 1-9-9V9a9 9 0 0 1 9-9Z\"/>\
         <text class=\"badge\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\
         <text class=\"label\" x=\"{left:.1}\" y=\"{label_y:.1}\">{}</text>{sub}</g>\n",
        tint(operation),
        area.x,
        area.y,
        xml(&operation.label),
        stripe / 2.0,
        area.height / 2.0 + 4.0,
        xml(&word),
        xml(&squeezed(place(operation), fitting(room, 12.5))),
        w = area.width,
        h = area.height,
    )
}

/// The operation's name, and how many of its calls went well.
fn sub_line(operation: &OperationNode, name: &str, left: f64, room: f64) -> String {
    let tally = match operation.calls {
        0 => String::new(),
        calls => format!("{}/{}", number(operation.successes), number(calls)),
    };
    let rest = fitting(room, 11.0).saturating_sub(cells(&tally) + 1);
    let mut out = format!(
        "<text class=\"sub\" x=\"{left:.1}\" y=\"33\">{}</text>",
        xml(&squeezed(name, rest))
    );
    if !tally.is_empty() {
        let never = if operation.successes == 0 {
            " never"
        } else {
            ""
        };
        out.push_str(&format!(
            "<text class=\"tally{never}\" x=\"{:.1}\" y=\"33\">{tally}</text>",
            left + room
        ));
    }
    out
}

/// Hidden in a picture that stands still; the page shows them when nothing else can be read.
pub(crate) fn names(picture: &Picture) -> String {
    let name = |frame: &crate::layout::Frame| {
        let (x, y) = frame.at;
        format!(
            "<text class=\"far\" x=\"{x:.0}\" y=\"{y:.0}\">{}</text>\n",
            xml(&shortened(&frame.name, 24))
        )
    };
    picture.frames.iter().map(name).collect()
}
