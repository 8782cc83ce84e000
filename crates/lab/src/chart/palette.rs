//! Colours and dashes that tell strategies apart.
//!
//! The colours follow those that Okabe, Ito and Tol chose for colour-blind readers, darkened where
//! a thin line would fade on white, and lightened for a dark screen. After the last the colours
//! begin again with other dashes.

/// On a light ground, on a dark one.
const COLOURS: [(&str, &str); 8] = [
    ("#0072b2", "#56b4e9"),
    ("#d55e00", "#f58a3c"),
    ("#00855f", "#2fc49a"),
    ("#aa4499", "#e39ad6"),
    ("#8a6d00", "#f0c94a"),
    ("#332288", "#a9a0ff"),
    ("#882255", "#ff9da7"),
    ("#555555", "#bbbbbb"),
];

const DASHES: [&str; 6] = ["", "8 4", "2 3", "10 3 2 3", "14 4", "5 2 1 2 1 2"];

/// The dash of the strategy at this place.
pub(super) fn dash(place: usize) -> &'static str {
    let turn = place % COLOURS.len() + place / COLOURS.len();
    DASHES.get(turn % DASHES.len()).copied().unwrap_or_default()
}

/// The class whose colour is that of the strategy at this place.
pub(super) fn class(place: usize) -> String {
    format!("s{}", place % COLOURS.len())
}

/// Rules for every colour in use. All are kept below one class, so that a chart set into a page
/// does not paint the page.
pub(super) fn style() -> String {
    let rules = |pick: fn(&(&'static str, &'static str)) -> &'static str| -> String {
        let rule = |(place, pair)| format!(".fossick-chart .s{place}{{color:{}}}", pick(pair));
        COLOURS.iter().enumerate().map(rule).collect()
    };
    format!(
        ".fossick-chart{{color:#1f2328;font-family:system-ui,-apple-system,'Segoe UI',\
         'DejaVu Sans',sans-serif;font-size:12px}}\
         .fossick-chart .ground{{fill:#fff}}{}\
         @media (prefers-color-scheme:dark){{.fossick-chart{{color:#e6e8eb}}\
         .fossick-chart .ground{{fill:#16181d}}{}}}",
        rules(|pair| pair.0),
        rules(|pair| pair.1)
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn two_dozen_strategies_look_different() {
        let looks: BTreeSet<(String, &str)> =
            (0..24).map(|place| (class(place), dash(place))).collect();
        assert_eq!(looks.len(), 24);
    }
}
