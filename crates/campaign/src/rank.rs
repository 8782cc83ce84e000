//! What matters most comes first.

use fossick_trace::{Case, Failure, Outcome};
use serde_json::Value;

/// Confirmed before unconfirmed, then by weight, then what explains itself best.
pub(crate) fn ranked(mut cases: Vec<Case>) -> Vec<Case> {
    let valid = |case: &Case| {
        case.episode.script.calls[case.finding.call]
            .intent
            .is_valid()
    };
    let weight = |case: &Case| {
        let finding = &case.finding;
        let confirmed = case.is_confirmed();
        let weight = (finding.severity, finding.sureness);
        (confirmed, ends_the_service(case), weight, valid(case))
    };
    cases.sort_by(|a, b| {
        weight(b)
            .cmp(&weight(a))
            .then_with(|| a.finding.code.cmp(&b.finding.code))
            .then_with(|| plainness(a).cmp(&plainness(b)))
            .then_with(|| a.finding.operation.cmp(&b.finding.operation))
            .then_with(|| a.finding.mark.cmp(&b.finding.mark))
    });
    cases
}

fn ends_the_service(case: &Case) -> bool {
    let exchange = case.episode.exchanges.get(case.finding.call);
    exchange.is_some_and(|e| matches!(e.outcome, Outcome::Failed(Failure::Ended(_))))
}

/// Of several findings the one that is told first: close to what was called, few calls, provoked
/// by a value that it names. What only stumbles over the ruins that another left ranks behind.
fn plainness(case: &Case) -> (usize, usize, bool, usize) {
    let calls = &case.episode.script.calls;
    let intent = &calls[case.finding.call].intent;
    let provoked = intent.place().is_some() || intent.is_telling();
    let mark = case.finding.mark.len();
    (depth(case), calls.len(), !provoked, mark)
}

/// How many fields below the call's own its first GraphQL error lies.
fn depth(case: &Case) -> usize {
    let answer = case.episode.answer(case.finding.call);
    let path = answer.and_then(|answer| answer.value_at("/errors/0/path"));
    let keys = path.as_ref().and_then(Value::as_array);
    keys.map_or(0, |keys| keys.iter().filter(|key| key.is_string()).count())
}
