//! A regular expression inside a schema: strings are made from it, mutated, shrunk and broken.

use fossick_genes::{Maker, Manner, Rng, Values, breakages, landmarks};
use fossick_ingest::{NoFetch, Source, read};
use fossick_validate::Validators;
use rand::SeedableRng as _;
use serde_json::json;

/// Longer ones only take longer.
const LONGEST: usize = 400;

pub fn pattern(data: &[u8]) {
    let Ok(pattern) = str::from_utf8(data) else {
        return;
    };
    if pattern.len() > LONGEST {
        return;
    }
    let document = json!({
        "openapi": "3.1.0",
        "info": {"title": "Patterns", "version": "1"},
        "paths": {"/a": {"get": {
            "parameters": [{
                "name": "a", "in": "query", "required": true,
                "schema": {"type": "string", "pattern": pattern, "maxLength": 60}
            }],
            "responses": {"200": {"description": "ok"}}
        }}}
    });
    let source = Source {
        name: "openapi.json".to_owned(),
        text: document.to_string(),
    };
    if let Ok(reading) = read(&source, &mut NoFetch) {
        use_parameters(&reading.api);
    }
}

fn use_parameters(api: &fossick_contract::Api) {
    let validators = Validators::new(api);
    let values = Values::new();
    let mut rng = Rng::seed_from_u64(1);
    let parameters = api
        .operations
        .iter()
        .flat_map(|operation| &operation.parameters);
    for parameter in parameters {
        let mut maker = Maker {
            api,
            validators: &validators,
            values: &values,
            rng: &mut rng,
            manner: Manner::Varied,
        };
        let mut gene = maker.sample(&parameter.name, parameter.shape);
        maker.mutate(&mut gene, &parameter.name, parameter.shape);
        maker.simpler(&gene, &parameter.name, parameter.shape);
        breakages(&mut maker, &parameter.name, parameter.shape);
        landmarks(api, parameter.shape, &parameter.name);
    }
}
