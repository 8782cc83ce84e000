//! An API description of any kind, read and then used a little.
//!
//! Reading alone is not enough: a contract that was read must also be safe to make values from.

use fossick_genes::{Maker, Manner, Rng, Values};
use fossick_ingest::{NoFetch, Source, read};
use fossick_validate::{Direction, Validators};
use rand::SeedableRng as _;

/// Shapes that a sample is made of.
const MOST: usize = 32;

pub fn openapi(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let source = Source {
        name: "openapi.yaml".to_owned(),
        text: text.to_owned(),
    };
    let Ok(reading) = read(&source, &mut NoFetch) else {
        return;
    };
    let api = &reading.api;
    let validators = Validators::new(api);
    let values = Values::new();
    let mut rng = Rng::seed_from_u64(1);
    for (id, _) in api.shapes.iter().take(MOST) {
        let mut maker = Maker {
            api,
            validators: &validators,
            values: &values,
            rng: &mut rng,
            manner: Manner::Varied,
        };
        let value = maker.sample("value", id).value();
        validators.is_valid(Direction::Request, id, &value);
    }
}
