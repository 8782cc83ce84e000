//! What the fuzz targets do: one function for each reader of untrusted input.
//!
//! Under cargo-fuzz each becomes a target. Without it each program runs its function over the
//! files it is given, so a crash can be looked at with any compiler; and the tests here run them
//! over the committed seeds, so the targets can't rot. Nothing is asserted of results except what
//! must hold for every input.

mod answer;
mod config;
#[path = "../../crates/cli/src/graphql.rs"]
#[allow(dead_code, reason = "only what the reader of the configuration needs")]
mod graphql;
mod graphql_answer;
mod graphql_query;
mod graphql_schema;
mod harvest_import;
mod harvested;
mod intake;
mod javascript;
#[path = "../../crates/cli/src/nearest.rs"]
#[allow(dead_code, reason = "only what the reader of the configuration needs")]
mod nearest;
mod openapi;
mod pattern;
mod probe_frame;
#[path = "../../crates/cli/src/probe_name.rs"]
#[allow(dead_code, reason = "only what the reader of the configuration needs")]
mod probe_name;
mod property_graph;
mod stored;
#[path = "../../crates/cli/src/strategy.rs"]
#[allow(dead_code, reason = "only what the reader of the configuration needs")]
mod strategy;
mod suites;
mod writers;

pub use answer::answer;
pub use config::config;
pub use graphql_answer::graphql_answer;
pub use graphql_query::graphql_query;
pub use graphql_schema::graphql_schema;
pub use harvest_import::harvest_import;
pub use harvested::harvested;
pub use intake::harvest_intake;
pub use javascript::javascript;
pub use openapi::openapi;
pub use pattern::pattern;
pub use probe_frame::probe_frame;
pub use property_graph::property_graph;
pub use stored::stored;
pub use suites::{suite_hurl, suite_junit, suite_phpunit, suite_rust, suite_shell};
pub use writers::{write_jest, write_postman, write_pytest};

/// Makes a program of a function: a fuzz target, or one that runs over files.
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::$name(data));

        #[cfg(not(fuzzing))]
        fn main() -> std::io::Result<()> {
            $crate::over_files($crate::$name, std::env::args_os().skip(1))
        }
    };
}

/// Runs a function over the contents of files.
pub fn over_files<P: AsRef<std::path::Path>>(
    target: fn(&[u8]),
    files: impl IntoIterator<Item = P>,
) -> std::io::Result<()> {
    for file in files {
        target(&std::fs::read(file)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// Runs a target over its seeds, whole and cut short, as a fuzzer would begin.
    fn survives(name: &str, target: fn(&[u8])) {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("seeds")
            .join(name);
        let seeds = std::fs::read_dir(folder).expect("the seeds are committed");
        let mut files: Vec<_> = seeds.flatten().map(|entry| entry.path()).collect();
        files.sort();
        assert!(!files.is_empty(), "{name} has no seeds");
        for file in &files {
            let data = std::fs::read(file).expect("a seed can be read");
            target(&data);
            for end in (0..data.len()).step_by(data.len() / 8 + 1) {
                target(&data[..end]);
            }
        }
    }

    #[test]
    fn no_document_breaks_the_reader() {
        survives("openapi", openapi);
    }

    #[test]
    fn no_schema_breaks_the_reader() {
        survives("graphql_schema", graphql_schema);
    }

    #[test]
    fn no_pattern_breaks_the_makers_of_values() {
        survives("pattern", pattern);
    }

    #[test]
    fn no_answer_breaks_judges_or_search() {
        survives("answer", answer);
    }

    #[test]
    fn no_answer_of_graphql_breaks_judges_or_search() {
        survives("graphql_answer", graphql_answer);
    }

    #[test]
    fn no_recorded_call_breaks_what_is_made_of_it() {
        survives("harvested", harvested);
    }

    #[test]
    fn no_stored_finding_breaks_replay() {
        survives("stored", stored);
    }

    #[test]
    fn no_property_graph_breaks_what_draws_it() {
        survives("property_graph", property_graph);
    }

    #[test]
    fn no_configuration_breaks_its_reader() {
        survives("config", config);
    }

    #[test]
    fn no_operation_breaks_its_reader() {
        survives("graphql_query", graphql_query);
    }

    #[test]
    fn no_call_breaks_the_intake_or_leaks() {
        survives("harvest_intake", harvest_intake);
    }

    #[test]
    fn no_suite_leaves_its_literals() {
        survives("suite_hurl", suite_hurl);
        survives("suite_phpunit", suite_phpunit);
        survives("suite_rust", suite_rust);
        survives("suite_shell", suite_shell);
    }

    #[test]
    fn no_traffic_of_others_breaks_its_readers() {
        survives("harvest_import", harvest_import);
    }

    #[test]
    fn no_frame_breaks_the_decoder() {
        survives("probe_frame", probe_frame);
    }

    #[test]
    fn no_source_breaks_its_rewriter() {
        survives("javascript", javascript);
    }

    #[test]
    fn no_text_leaves_its_place_in_a_test() {
        survives("write_jest", write_jest);
        survives("write_postman", write_postman);
        survives("write_pytest", write_pytest);
    }
}
