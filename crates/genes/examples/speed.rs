//! How long a small object takes to make and to write: nanoseconds each, per manner.

use std::time::Instant;

use fossick_genes::{Maker, Manner, Rng, Values};
use fossick_ingest::{NoFetch, Source, read};
use fossick_validate::Validators;
use rand::SeedableRng as _;
use serde_json::json;

fn main() {
    let properties = json!({
        "name": {"type": "string", "minLength": 1, "maxLength": 40},
        "priority": {"type": "integer", "minimum": 1, "maximum": 5},
        "status": {"enum": ["open", "doing", "done"]},
        "email": {"type": "string", "format": "email"},
        "due": {"type": "string", "format": "date-time"},
        "rating": {"type": "number", "minimum": 0, "maximum": 10},
    });
    let required: Vec<&String> = properties.as_object().expect("an object").keys().collect();
    let schema = json!({"type": "object", "required": required, "properties": properties});
    let document = json!({
        "openapi": "3.1.0", "info": {"title": "speed", "version": "1"},
        "paths": {"/things": {"post": {
            "requestBody": {"content": {"application/json": {"schema": schema}}},
            "responses": {"200": {"description": "fine"}}}}}
    });
    let source = Source {
        name: "speed.json".into(),
        text: document.to_string(),
    };
    let api = read(&source, &mut NoFetch).expect("is read").api;
    let body = api.operations[0].body.as_ref().expect("has a body");
    let shape = body.contents[0].shape.expect("has a shape");
    let validators = Validators::new(&api);
    let values = Values::new();
    let mut rng = Rng::seed_from_u64(1);
    for manner in [Manner::Plausible, Manner::Varied] {
        let mut maker = Maker {
            api: &api,
            validators: &validators,
            values: &values,
            rng: &mut rng,
            manner,
        };
        let mut out = Vec::with_capacity(1024);
        measure(&format!("{manner:?}: sample and write"), || {
            out.clear();
            maker.sample("thing", shape).write_json(&mut out);
            out.len()
        });
        let mut gene = maker.sample("thing", shape);
        measure(&format!("{manner:?}: mutate and write"), || {
            out.clear();
            maker.mutate(&mut gene, "thing", shape);
            gene.write_json(&mut out);
            out.len()
        });
    }
}

fn measure(what: &str, mut work: impl FnMut() -> usize) {
    const ROUNDS: u32 = 300_000;
    for _ in 0..1000 {
        work();
    }
    let start = Instant::now();
    let bytes: usize = (0..ROUNDS).map(|_| work()).sum();
    let each = start.elapsed().as_nanos() / u128::from(ROUNDS);
    eprintln!("{what}: {each} ns for {} bytes", bytes / ROUNDS as usize);
}
