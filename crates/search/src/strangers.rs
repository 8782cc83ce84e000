//! Identifiers that nobody made.

use fossick_contract::{Api, Kind, ShapeId, is_uuid};
use fossick_genes::{Gene, Rng, Source};
use rand::RngExt as _;
use serde_json::{Value, json};

/// A valid identifier that nothing has, as far as chance can promise.
pub(crate) fn stranger(
    api: &Api,
    shape: ShapeId,
    like: Option<&Value>,
    rng: &mut Rng,
) -> Option<Gene> {
    let value = match (&api.shape(shape).kind, like) {
        (Kind::Integer(number), _) => {
            let least = number.minimum.unwrap_or(1.0).max(1.0) as i64;
            let most = number
                .maximum
                .unwrap_or(2_000_000_000.0)
                .min(2_000_000_000.0) as i64;
            if most - least < 100_000 {
                return None;
            }
            json!(rng.random_range(most - (most - least) / 3..=most))
        }
        (Kind::String(text), _) if text.format.as_deref() == Some("uuid") => json!(uuid(rng)),
        (_, Some(Value::String(seen))) if is_uuid(seen) => json!(uuid(rng)),
        (_, Some(Value::Number(_))) => json!(rng.random_range(1_500_000_000_i64..2_000_000_000)),
        (Kind::String(text), _) => {
            let room = text.max_length.unwrap_or(24).min(24);
            if !text.patterns.is_empty() || room < 8 {
                return None;
            }
            json!(slug(rng, room.max(text.min_length)))
        }
        (Kind::Any | Kind::Opaque(_), _) => json!(slug(rng, 20)),
        _ => return None,
    };
    Some(Gene::literal(value, Source::Random).bound())
}

fn slug(rng: &mut Rng, length: usize) -> String {
    (0..length)
        .map(|_| char::from(b'a' + rng.random_range(0..26_u8)))
        .collect()
}

fn uuid(rng: &mut Rng) -> String {
    let bits: u128 = rng.random();
    let bits = bits & !(0xf << 76) & !(0x3 << 62) | (4 << 76) | (2 << 62);
    let hex = format!("{bits:032x}");
    format!(
        "{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    #[test]
    fn random_uuids_are_version_four() {
        let text = uuid(&mut Rng::seed_from_u64(1));
        assert!(is_uuid(&text));
        assert_eq!(&text[14..15], "4");
        assert!("89ab".contains(&text[19..20]));
    }
}
