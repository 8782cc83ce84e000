//! A stored property graph, as it is read and drawn.
//!
//! Whatever can be read can be drawn, and nothing that is written in it ends the page's script.

use fossick_draw::{before, dot, html, json, only, read, svg};

pub fn property_graph(data: &[u8]) {
    let Ok(graph) = read(&String::from_utf8_lossy(data)) else {
        return;
    };
    for graph in [&graph, &before(&graph), &only(&graph, "e")] {
        assert!(svg(graph).ends_with("</svg>\n"));
        assert!(dot(graph).ends_with("}\n"));
        assert_eq!(html(graph).matches("</script").count(), 2);
        assert!(read(&json(graph)).is_ok(), "what was read can be written");
    }
}
