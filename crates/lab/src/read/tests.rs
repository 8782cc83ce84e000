//! Lab files that are understood, and what is said of those that are not.

use super::*;
use crate::sample::{LAB, experiment};
use crate::service::{Demo, ServiceKind};

const REST: &str = "budgets = 10\n[strategies.mio]\n[services.demo]\ndemo = \"rest\"\n";

fn complaint(text: &str) -> String {
    Experiment::read(text, "lab.toml")
        .expect_err("the text is wrong")
        .to_string()
}

#[test]
fn a_whole_file_is_understood() {
    let experiment = experiment();
    assert_eq!(experiment.title, "Do resources help?");
    assert_eq!(experiment.budgets, [1000, 10000]);
    assert_eq!(experiment.seeds, [1, 2, 3, 4, 5]);
    assert_eq!(experiment.parallel, Some(2));
    assert_eq!(experiment.metric("seconds").unwrap().better, Better::Lower);
    let rd = experiment.strategy("rd-mio").unwrap();
    assert_eq!(
        (rd.p_s, rd.p_d, rd.prematch),
        (Some(0.5), Some(1.0), Some(true))
    );
    assert_eq!(rd.more.get("population"), Some(&toml::Value::Integer(10)));
    let ServiceKind::External(tracker) = &experiment.service("tracker").unwrap().kind else {
        panic!("the tracker is somebody else's");
    };
    assert!(tracker.runs_side_by_side());
    assert_eq!(tracker.headers["Authorization"], "Bearer test");
}

#[test]
fn only_a_service_with_a_probe_can_be_looked_into() {
    let open = "budgets = 10\n[strategies.mio]\nwhitebox = true\n";
    let synthetic = "[services.shop]\nsynth = \"dense-central-existence-shown\"\n";
    let text = format!("{open}{synthetic}");
    let experiment = Experiment::read(&text, "lab.toml").expect("it has a probe");
    assert!(experiment.strategies[0].whitebox);
    let told = complaint(&format!("{text}[services.shed]\ndemo = \"rest\"\n"));
    let expected =
        "lab.toml:3:1: there is nothing to see inside the service `shed`: it has no probe";
    assert!(told.starts_with(expected), "{told}");
}

#[test]
fn a_program_of_somebody_else_may_be_started_with_a_probe() {
    let open = "budgets = 10\n[strategies.mio]\nwhitebox = true\n";
    let own = "[services.own]\nschema = \"s\"\nurl = \"u\"\n";
    let told = complaint(&format!("{open}{own}command = \"c\"\n"));
    assert!(told.contains("service `own`: it has no probe"), "{told}");
    let seen = "command = \"c\"\nprobe = \"python\"\ncover = [\"shop\"]\n";
    let experiment = Experiment::read(&format!("{open}{own}{seen}"), "lab.toml");
    let experiment = experiment.expect("it has a probe");
    let ServiceKind::External(told) = &experiment.services[0].kind else {
        panic!("it is somebody else's");
    };
    assert_eq!(told.at_port(1).probe.as_deref(), Some("python"));
    assert_eq!(told.at_port(1).cover, ["shop"]);
    let told = complaint(&format!("{open}{own}probe = \"python\"\n"));
    assert!(
        told.starts_with("lab.toml:7:9: only a service with a `command`"),
        "{told}"
    );
    let told = complaint(&format!("{open}{own}command = \"c\"\ncover = [\"shop\"]\n"));
    assert!(told.contains("there is no `probe`"), "{told}");
}

/// Results of labs that know nothing of probes stay good.
#[test]
fn a_service_without_a_probe_is_stamped_as_before() {
    let experiment = experiment();
    let tracker = experiment.service("tracker").expect("it is there");
    let text = serde_json::to_string(&tracker.kind).expect("settings are plain");
    assert!(!text.contains("probe") && !text.contains("cover"), "{text}");
}

#[test]
fn a_sweep_is_a_strategy_for_each_value() {
    let text = "budgets = 10\n[strategies.r]\nstrategy = \"mio\"\nresources = \"archive\"\n\
                sweep = { p_s = [0, 0.5], p_d = [1] }\n[services.shed]\ndemo = \"rest\"\n";
    let experiment = Experiment::read(text, "lab.toml").expect("it is sound");
    let told = experiment.strategies.iter();
    let told: Vec<_> = told.map(|s| (s.name.as_str(), s.p_s, s.p_d)).collect();
    assert_eq!(
        told,
        [
            ("r p_d=1 p_s=0", Some(0.0), Some(1.0)),
            ("r p_d=1 p_s=0.5", Some(0.5), Some(1.0)),
        ]
    );
    assert!(experiment.strategies.iter().all(|s| s.strategy == "mio"));
    let unsaid = text.replace("[strategies.r]\nstrategy = \"mio\"", "[strategies.mio]");
    let experiment = Experiment::read(&unsaid, "lab.toml").expect("it is sound");
    assert_eq!(experiment.strategies[0].name, "mio p_d=1 p_s=0");
    assert!(experiment.strategies.iter().all(|s| s.strategy == "mio"));
    let wrong = |from: &str, to: &str| complaint(&text.replace(from, to));
    let told = wrong("{ p_s = [0, 0.5], p_d = [1] }", "[1]");
    assert!(
        told.starts_with("lab.toml:5:9: a sweep must be a table"),
        "{told}"
    );
    let told = wrong("p_d = [1]", "p_d = 1");
    assert!(told.contains("`p_d` must have a list of values"), "{told}");
    let told = wrong("p_d = [1]", "p_d = [2]");
    assert!(
        told.contains("`p_d` must be a number between 0 and 1"),
        "{told}"
    );
}

#[test]
fn the_order_of_the_file_is_kept() {
    let text = "budgets = 10\n[services.z]\ndemo = \"graphql\"\n[services.a]\ndemo = \"rest\"\n\
                [strategies.old]\n[strategies.new]\n[strategies.least]\n";
    let experiment = Experiment::read(text, "lab.toml").unwrap();
    let names: Vec<&str> = experiment
        .strategies
        .iter()
        .map(|known| known.name.as_str())
        .collect();
    assert_eq!(names, ["old", "new", "least"]);
    assert_eq!(
        experiment.services[0].kind,
        ServiceKind::Demo(Demo::Graphql)
    );
}

#[test]
fn what_is_left_out_has_a_default() {
    let experiment = Experiment::read(&format!("{REST}[strategies.wts]\n"), "lab.toml").unwrap();
    assert_eq!(experiment.title, "lab.toml");
    assert_eq!(experiment.budgets, [10]);
    assert_eq!(experiment.seeds.len(), 10);
    assert_eq!(experiment.main, "targets");
    assert_eq!(experiment.strategies[0].strategy, "mio");
    let [only] = experiment.comparisons.as_slice() else {
        panic!("two strategies make one comparison");
    };
    assert_eq!((only.a.as_str(), only.b.as_str()), ("wts", "mio"));
}

#[test]
fn a_misspelt_key_is_shown_with_its_place_and_the_right_word() {
    let text = LAB.replace("parallel = 2", "paralel = 2");
    assert_eq!(
        complaint(&text),
        "lab.toml:8:1: unknown key `paralel`\n  did you mean `parallel`?"
    );
    let text = LAB.replace("reset =", "rest =");
    assert_eq!(
        complaint(&text),
        "lab.toml:36:1: unknown key `rest`\n  did you mean `reset`?"
    );
}

#[test]
fn a_key_written_twice_is_not_called_unknown() {
    let twice = complaint(&LAB.replace("parallel = 2", "seeds = 6"));
    assert!(twice.starts_with("lab.toml:8:1: duplicate key"), "{twice}");
    let wrong = complaint(&LAB.replace("title = ", "title = 5 # "));
    assert!(wrong.starts_with("lab.toml:2:9: invalid type"), "{wrong}");
}

#[test]
fn a_setting_of_the_wrong_kind_is_shown_with_its_place() {
    let text = LAB.replace("p_d = 1", "p_d = 1.5");
    assert_eq!(
        complaint(&text),
        "lab.toml:24:7: `p_d` must be a number between 0 and 1"
    );
    let text = LAB.replace("prematch = true", "prematch = \"yes\"");
    assert_eq!(
        complaint(&text),
        "lab.toml:25:12: `prematch` must be true or false"
    );
}

#[test]
fn names_that_nothing_bears_are_refused() {
    let text = LAB.replace("\"rd-mio\", \"base\"", "\"rd-mio\", \"bass\"");
    assert_eq!(
        complaint(&text),
        "lab.toml:9:27: there is no strategy `bass`\n  did you mean `base`?"
    );
    let text = LAB.replace("main = \"targets\"", "main = \"speed\"");
    assert_eq!(
        complaint(&text),
        "lab.toml:7:8: there is no metric `speed`\n  known are: targets, findings, seconds"
    );
}

#[test]
fn a_service_must_be_of_exactly_one_kind() {
    let both = REST.replace("demo = \"rest\"", "demo = \"rest\"\nsynth = \"x\"");
    assert!(complaint(&both).starts_with("lab.toml:3:11: service `demo` is of two kinds at once"));
    let none = REST.replace("demo = \"rest\"", "");
    assert!(complaint(&none).starts_with("lab.toml:3:11: service `demo` is empty"));
    let half = REST.replace("demo = \"rest\"", "command = \"x\"\nschema = \"y\"");
    assert!(complaint(&half).starts_with("lab.toml:3:11: service `demo` has no `url`"));
    let odd = REST.replace("\"rest\"", "\"soap\"");
    assert!(complaint(&odd).starts_with("lab.toml:4:8: there is no demo `soap`"));
}

#[test]
fn a_synthetic_service_can_be_emptied_between_tests() {
    let empties = |text: &str| {
        let experiment = Experiment::read(text, "lab.toml").expect("a sound file");
        match &experiment.services[0].kind {
            ServiceKind::Synth(synth) => synth.empties,
            _ => false,
        }
    };
    let synth = REST.replace("demo = \"rest\"", "synth = \"x\"");
    assert!(!empties(&synth));
    let emptied = REST.replace(
        "demo = \"rest\"",
        "synth = \"x\"\nreset = \"between-tests\"",
    );
    assert!(empties(&emptied));
    let odd = emptied.replace("between-tests", "daily");
    assert!(complaint(&odd).contains("has no reset but `between-tests`"));
}

#[test]
fn values_are_known_or_drawn() {
    let drawn = LAB.replace("prematch = true", "prematch = true\nvalues = \"drawn\"");
    let experiment = Experiment::read(&drawn, "lab.toml").expect("a sound file");
    assert!(experiment.strategies.iter().any(|it| it.draws_values));
    assert!(complaint(&drawn.replace("drawn", "made")).ends_with("must be \"drawn\" or \"known\""));
}

#[test]
fn numbers_that_make_no_experiment_are_refused() {
    for (line, message) in [
        ("budgets = []", "`budgets` must be"),
        ("budgets = [0]", "`budgets` must be"),
        ("budgets = [5, 5]", "a budget is listed twice"),
        ("budgets = [\"5\"]", "`budgets` must be"),
        ("budgets = 5\nseeds = 0", "`seeds` must be"),
        ("budgets = 5\nseeds = [-1]", "`seeds` must list"),
        ("budgets = 5\nseeds = [3, 4, 3]", "a seed is listed twice"),
        ("budgets = 5\nparallel = 0", "`parallel` must be"),
        ("budgets = 5\nmetrics = []", "`metrics` must name"),
        (
            "budgets = 5\nmetrics = [\"a\", \"a\"]",
            "the metric is listed twice",
        ),
        (
            "budgets = [1, 2]\nseeds = 1000000",
            "the experiment has 2000000 runs",
        ),
        ("budgets = 5\nseeds = 99999999999", "`seeds` must be"),
    ] {
        let text = REST.replace("budgets = 10", line);
        assert!(
            complaint(&text).contains(message),
            "{line}: {}",
            complaint(&text)
        );
    }
}

#[test]
fn what_must_be_there_is_asked_for() {
    assert!(complaint("").contains("there are no budgets"));
    assert!(complaint("budgets = 1").contains("there are no strategies"));
    assert!(complaint("budgets = 1\n[strategies.a]").contains("there are no services"));
    assert!(complaint("budgets = = 1").starts_with("lab.toml:1:11: "));
}

#[test]
fn a_name_that_could_not_be_part_of_a_key_is_refused() {
    let text = REST.replace("services.demo", "services.\"a/b\"");
    assert!(complaint(&text).starts_with("lab.toml:3:11: \"a/b\" cannot be the name of a service"));
    let text = REST.replace("strategies.mio", "strategies.\"..\"");
    assert!(complaint(&text).contains("cannot be the name of a strategy"));
}

#[test]
fn a_comparison_needs_two_different_strategies() {
    for pair in ["[\"mio\"]", "[\"mio\", \"mio\"]", "[]"] {
        let text = format!("comparisons = [{pair}]\n{REST}");
        assert!(
            complaint(&text).starts_with("lab.toml:1:16: a "),
            "{}",
            complaint(&text)
        );
    }
}
