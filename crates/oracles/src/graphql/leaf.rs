//! Whether a scalar or an enumeration value is what the schema promises.
//!
//! GraphQL's own scalars have rules of their own. What a custom scalar looks like is only known by
//! its name, so what is wrong there is told mildly, and formats are read generously.

use std::sync::Arc;

use fossick_contract::{JsonKind, Scalar, Type, TypeKind, fits_format};
use fossick_trace::{Severity, Sureness};
use serde_json::{Number, Value};

/// What is wrong with a leaf, in words that follow the value: `is not an Int`.
pub(super) struct Misfit {
    pub(super) told: String,
    /// The constraint that is broken, for the mark.
    pub(super) constraint: &'static str,
    pub(super) severity: Severity,
    pub(super) sureness: Sureness,
}

pub(super) fn misfit(kind: &Type, value: &Value) -> Option<Misfit> {
    match &kind.kind {
        TypeKind::Enum(members) => no_member(&kind.name, members, value),
        TypeKind::Scalar(scalar) => wrong_scalar(&kind.name, scalar, value),
        _ => None,
    }
}

fn no_member(name: &str, members: &[Arc<str>], value: &Value) -> Option<Misfit> {
    let is_member = |text: &str| members.iter().any(|member| &**member == text);
    (!value.as_str().is_some_and(is_member)).then(|| Misfit {
        told: format!("is no value of {name}"),
        constraint: "enum",
        severity: Severity::Medium,
        sureness: Sureness::Sure,
    })
}

fn wrong_scalar(name: &str, scalar: &Scalar, value: &Value) -> Option<Misfit> {
    let fits = match scalar {
        Scalar::Int => value.as_number().is_some_and(is_int),
        Scalar::Float => value.is_number(),
        Scalar::String => value.is_string(),
        Scalar::Boolean => value.is_boolean(),
        Scalar::Id => value.is_string() || value.is_i64() || value.is_u64(),
        Scalar::Custom { json, format } => {
            return wrong_custom(name, *json, format.as_deref(), value);
        }
    };
    (!fits).then(|| Misfit {
        told: match scalar {
            Scalar::Int if value.is_number() => "does not fit into an Int".to_owned(),
            _ => format!("is not {} {name}", article(name)),
        },
        constraint: "type",
        severity: Severity::Medium,
        sureness: Sureness::Sure,
    })
}

/// Whole and within 32 bits; `1.0` is whole.
fn is_int(number: &Number) -> bool {
    match number.as_i64() {
        Some(whole) => i32::try_from(whole).is_ok(),
        None => number.as_f64().is_some_and(|n| {
            n.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&n)
        }),
    }
}

fn wrong_custom(name: &str, json: JsonKind, format: Option<&str>, value: &Value) -> Option<Misfit> {
    let fits = match json {
        JsonKind::Text => value.is_string(),
        JsonKind::Integer => value
            .as_f64()
            .is_some_and(|number| number.fract() == 0.0 || !number.is_finite()),
        JsonKind::Number => value.is_number(),
        JsonKind::TextOrNumber => value.is_string() || value.is_number(),
        JsonKind::Any => true,
    };
    let (constraint, told) = match format {
        _ if !fits => ("type", format!("is not written as {name} usually is")),
        Some(format) if !value.as_str().is_none_or(|text| fits_format(format, text)) => {
            ("format", format!("is not a {format}, as {name} usually is"))
        }
        _ => return None,
    };
    Some(Misfit {
        told,
        constraint,
        severity: Severity::Low,
        sureness: Sureness::Perhaps,
    })
}

fn article(name: &str) -> &'static str {
    match name.chars().next() {
        Some('A' | 'E' | 'I' | 'O' | 'U' | 'a' | 'e' | 'i' | 'o' | 'u') => "an",
        _ => "a",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fits(scalar: &Scalar, value: &Value) -> bool {
        wrong_scalar("It", scalar, value).is_none()
    }

    #[test]
    fn an_int_is_whole_and_small() {
        for right in [json!(0), json!(-1), json!(2_147_483_647), json!(1.0)] {
            assert!(fits(&Scalar::Int, &right), "{right}");
        }
        for wrong in [
            json!(2_147_483_648_i64),
            json!(1.5),
            json!("1"),
            json!(true),
            json!(1e300),
            json!([1]),
        ] {
            assert!(!fits(&Scalar::Int, &wrong), "{wrong}");
        }
    }

    #[test]
    fn an_identifier_is_a_text_or_a_whole_number() {
        assert!(fits(&Scalar::Id, &json!("")));
        assert!(fits(&Scalar::Id, &json!(7)));
        assert!(fits(&Scalar::Id, &json!(u64::MAX)));
        assert!(!fits(&Scalar::Id, &json!(7.5)));
        assert!(!fits(&Scalar::Id, &json!(false)));
    }

    #[test]
    fn falsy_values_are_values() {
        assert!(fits(&Scalar::String, &json!("")));
        assert!(fits(&Scalar::Boolean, &json!(false)));
        assert!(fits(&Scalar::Float, &json!(0)));
        assert!(!fits(&Scalar::Boolean, &json!(0)));
        assert!(!fits(&Scalar::String, &json!(0)));
        assert!(!fits(&Scalar::Float, &json!("0.5")));
    }

    #[test]
    fn what_a_name_suggests_is_told_mildly() {
        let day = Scalar::Custom {
            json: JsonKind::Text,
            format: Some("date".into()),
        };
        let wrong = wrong_scalar("Date", &day, &json!(1_715_940_000)).expect("a number");
        assert_eq!(wrong.severity, Severity::Low);
        assert!(fits(&day, &json!("2024-05-17")));
        let any = Scalar::Custom {
            json: JsonKind::Any,
            format: None,
        };
        assert!(fits(&any, &json!({"a": [1]})));
    }
}
