//! `fossick graph`: the property graph of a service, told in a few lines and drawn into files.

mod picture;
mod source;
mod summary;

use anyhow::{Result, bail};
use fossick_trace::PropertyGraph;

use crate::config;
use crate::exit::Exit;
use crate::flags::{GraphFlags, GraphFormat};
use crate::screen::print;

pub(crate) fn graph(flags: &GraphFlags) -> Result<Exit> {
    // Before anything is read: a typing error should not cost a download.
    let pictures = picture::named(&flags.out, flags.overview)?;
    let config = config::load(flags.config.as_deref())?;
    let graph = chosen(flags, source::graph(flags, &config)?)?;
    for picture in &pictures {
        picture.write(&graph)?;
    }
    print(&match flags.format {
        GraphFormat::Text => summary::summary(&graph, &summary::Next::of(flags)),
        GraphFormat::Json => fossick_draw::json(&graph),
        GraphFormat::Dot => fossick_draw::dot(&graph),
        GraphFormat::Svg if flags.overview => fossick_draw::overview(&graph),
        GraphFormat::Svg => fossick_draw::svg(&graph),
        GraphFormat::Html => fossick_draw::html(&graph),
    });
    Ok(Exit::Clean)
}

/// The part that was asked for.
fn chosen(flags: &GraphFlags, mut graph: PropertyGraph) -> Result<PropertyGraph> {
    if flags.before {
        graph = fossick_draw::before(&graph);
    }
    if !flags.hide.is_empty() {
        graph = fossick_draw::without(&graph, &flags.hide);
    }
    if let Some(text) = &flags.only {
        graph = fossick_draw::only(&graph, text);
        if graph.operations.is_empty() && graph.schemas.is_empty() {
            bail!("no operation and no schema has `{text}` in its name");
        }
    }
    Ok(graph)
}
