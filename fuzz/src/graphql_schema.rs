//! A GraphQL schema, as SDL and as introspection, read and then used a little.

use fossick_genes::{Maker, Manner, Rng, Values};
use fossick_ingest::{NoFetch, Reading, Source, introspection_refusal, read, read_sdl};
use fossick_validate::{Direction, Validators};
use rand::SeedableRng as _;

/// Shapes that a sample is made of.
const MOST: usize = 32;

pub fn graphql_schema(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let source = Source {
        name: "schema.graphql".to_owned(),
        text: text.to_owned(),
    };
    introspection_refusal(text);
    let readings = [
        read(&source, &mut NoFetch),
        read_sdl(&[source.clone(), source]),
    ];
    readings.iter().flatten().for_each(used);
}

/// What was read must be safe to walk and to make values from.
fn used(reading: &Reading) {
    let api = &reading.api;
    for operation in &api.operations {
        let root = operation.graphql.as_ref().expect("a GraphQL operation");
        let field = api.root_field(root);
        assert!(operation.label.ends_with(&*field.name));
        assert!(!field.returns.nullable.is_empty());
        api.types.possible(field.returns.named);
    }
    let validators = Validators::new(api);
    let values = Values::new();
    let mut rng = Rng::seed_from_u64(1);
    for (id, shape) in api.shapes.iter().take(MOST) {
        assert!(api.schemas.request.pointer(&shape.pointer).is_some());
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
