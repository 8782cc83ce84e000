//! Pictures of graphs, looked at as a reader would: what is where, and what can't break out.

mod sample;

#[test]
fn write_all() {
    let out = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, graph) in [
        ("before", sample::petstore("before")),
        ("after", sample::petstore("after")),
        ("big", sample::made_up(120, 300)),
    ] {
        let t = std::time::Instant::now();
        std::fs::write(out.join(format!("{name}.svg")), fossick_draw::svg(&graph)).unwrap();
        eprintln!(
            "{name} svg {:?} {} edges {} ops {} schemas",
            t.elapsed(),
            graph.edges.len(),
            graph.operations.len(),
            graph.schemas.len()
        );
        std::fs::write(out.join(format!("{name}.html")), fossick_draw::html(&graph)).unwrap();
        std::fs::write(out.join(format!("{name}.dot")), fossick_draw::dot(&graph)).unwrap();
    }
}
