//! `cargo xtask judge`: whether findings and suites hold on freshly started copies of a service.
//!
//! A run against a faulty service is judged by copies that it never touched: every confirmed
//! finding must replay on a fresh faulty copy and not on the corrected one, the suite must pass on
//! the first, only its tests of faults may fail on the second, and a run against the corrected
//! copy must report nothing above low. Which planted fault a finding is about is seen by replaying
//! it on copies that have one fault each.

mod copy;
mod options;
mod replays;
mod score;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::machine::{cache, python_with};
use crate::program::{cargo, program, run};
use crate::root;
use copy::{Copies, Faults};
use options::Options;
use replays::{Finding, Suite, Verdict};
use score::Score;

pub(crate) fn judge(arguments: &[&str]) -> Result<()> {
    let options = Options::read(arguments)?;
    run(cargo(&[
        "build",
        "--release",
        "-p",
        "fossick-cli",
        "-p",
        "fossick-demo",
        "--bins",
        "--examples",
    ]))?;
    let mut bad = 0;
    println!("{}", Score::HEAD);
    for service in &options.services {
        for seed in options.seeds() {
            let score = Trial::new(service, seed, &options)?.score()?;
            println!("{score}");
            bad += score.violations();
        }
    }
    match bad {
        0 => Ok(()),
        _ => bail!("{bad} findings, alarms or tests do not hold; they are listed above"),
    }
}

/// One run with one seed, and everything that is asked of it.
struct Trial<'a> {
    copies: Copies,
    seed: u64,
    options: &'a Options,
    folder: PathBuf,
}

impl<'a> Trial<'a> {
    fn new(service: &str, seed: u64, options: &'a Options) -> Result<Self> {
        let copies = Copies::of(service)?;
        let folder = cache()
            .join("judge")
            .join(format!("{}-{seed}", copies.name()));
        if folder.exists() {
            fs::remove_dir_all(&folder).context("failed to make room for the run")?;
        }
        fs::create_dir_all(&folder).context("failed to make a folder for the run")?;
        Ok(Self {
            copies,
            seed,
            options,
            folder,
        })
    }

    fn score(&self) -> Result<Score> {
        let mut score = Score::new(self.copies.name(), self.seed);
        let report = self.test(&Faults::All, "faulty", &mut score)?;
        let findings = replays::findings(&report, &self.folder.join("faulty"));
        score.count(&findings);
        self.replay(&findings, &mut score)?;
        self.attribute(&findings, &mut score)?;
        if self.options.suite {
            self.run_suite(&mut score)?;
        }
        let twin = self.test(&Faults::None, "twin", &mut Score::default())?;
        score.alarms = replays::findings(&twin, &self.folder.join("twin"));
        score.alarms.retain(Finding::is_grave);
        Ok(score)
    }

    /// Runs fossick against a copy; gives its report.
    fn test(&self, faults: &Faults, name: &str, score: &mut Score) -> Result<Value> {
        let running = self.copies.start(faults)?;
        let report = self.folder.join(format!("{name}.json"));
        let mut test = program(self.options.fossick());
        test.arg("test").arg(running.schema());
        test.args(["--seed", &self.seed.to_string()]);
        test.args(["--time", &self.options.time]);
        test.arg("--out").arg(self.folder.join(name));
        test.arg("--report")
            .arg(format!("json={}", report.display()));
        test.args(running.credentials());
        if self.options.suite && *faults == Faults::All {
            for writer in ["json", "pytest"] {
                let to = self.folder.join(writer);
                test.arg("--suite")
                    .arg(format!("{writer}={}", to.display()));
            }
        }
        let ended = test.output().context("failed to start fossick")?;
        fs::write(self.folder.join(format!("{name}.txt")), &ended.stderr)?;
        let text = fs::read_to_string(&report).with_context(|| {
            let why = String::from_utf8_lossy(&ended.stderr);
            format!("fossick left no report: {}", why.trim())
        })?;
        score.met = running.faults_met();
        Ok(serde_json::from_str(&text)?)
    }

    /// Every confirmed finding, on a fresh faulty copy and on the corrected one.
    fn replay(&self, findings: &[Finding], score: &mut Score) -> Result<()> {
        let faulty = self.copies.start(&Faults::All)?;
        for finding in findings {
            let verdict = self.verdict(finding, &*faulty.anew()?)?;
            if verdict != Verdict::StillThere {
                score.gone.push((finding.clone(), verdict));
            }
        }
        let twin = self.copies.start(&Faults::None)?;
        for finding in findings.iter().filter(|f| f.is_grave()) {
            if self.verdict(finding, &*twin.anew()?)? == Verdict::StillThere {
                score.on_twin.push(finding.clone());
            }
        }
        Ok(())
    }

    /// Which faults the findings are about.
    fn attribute(&self, findings: &[Finding], score: &mut Score) -> Result<()> {
        let grave: Vec<&Finding> = findings.iter().filter(|f| f.is_grave()).collect();
        let mut known = vec![false; grave.len()];
        score.planted = self.copies.planted()?;
        for fault in &score.planted {
            let copy = self.copies.start(&Faults::Only(fault.clone()))?;
            for (at, finding) in grave.iter().enumerate() {
                let is_it = self.verdict(finding, &*copy.anew()?)? == Verdict::StillThere;
                if is_it && !score.on_twin.contains(finding) {
                    known[at] = true;
                    score.found.insert(fault.clone());
                }
            }
        }
        let unknown = grave.iter().zip(known).filter(|(_, known)| !known);
        score.unattributed = unknown.map(|(finding, _)| (*finding).clone()).collect();
        Ok(())
    }

    fn verdict(&self, finding: &Finding, copy: &copy::Running) -> Result<Verdict> {
        let mut replay = program(self.options.fossick());
        replay.args(["replay", "--times", "1"]).arg(&finding.file);
        replay
            .args(["--url", &copy.base()])
            .args(copy.credentials());
        let ended = replay.output().context("failed to start fossick")?;
        Ok(Verdict::of(ended.status.code()))
    }

    /// The suite on a fresh faulty copy, natively and in pytest, and on the corrected one.
    fn run_suite(&self, score: &mut Score) -> Result<()> {
        let file = self.folder.join("json/suite.json");
        if !file.exists() {
            return Ok(());
        }
        let suite = Suite::read(&file)?;
        score.tests = suite.tests.len();
        let faulty = self.copies.start(&Faults::All)?;
        score.fail_fresh = self.failing(&suite, &faulty)?;
        if self.options.pytest {
            score.fail_pytest = self.pytest(&self.copies.start(&Faults::All)?)?;
        }
        let twin = self.copies.start(&Faults::None)?;
        let failed = self.failing(&suite, &twin)?;
        let is_fault = |name: &String| suite.is_of_a_fault(name);
        (score.fail_twin_faults, score.fail_twin) = failed.into_iter().partition(is_fault);
        Ok(())
    }

    fn failing(&self, suite: &Suite, copy: &copy::Running) -> Result<Vec<String>> {
        let mut replay = program(self.options.fossick());
        replay.arg("replay").arg(self.folder.join("json"));
        replay
            .args(["--url", &copy.base()])
            .args(copy.credentials());
        copy.tell(&mut replay);
        let ended = replay.output().context("failed to start fossick")?;
        let told = String::from_utf8_lossy(&ended.stdout);
        Ok(suite.failed(&told))
    }

    fn pytest(&self, copy: &copy::Running) -> Result<Vec<String>> {
        let lists = root().join("testdata/suites/runners/requirements.txt");
        let python = python_with(&cache().join("suites/python"), &lists)?;
        let mut pytest = program(python);
        pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
        pytest.current_dir(self.folder.join("pytest"));
        copy.tell(&mut pytest);
        let ended = pytest.output().context("failed to start pytest")?;
        let told = String::from_utf8_lossy(&ended.stdout);
        let failed = told
            .lines()
            .filter_map(|line| line.strip_prefix("FAILED "))
            .map(str::to_owned);
        Ok(failed.collect())
    }
}

/// The services of `testdata/services` that have a start script, and the built-in ones.
fn all_services() -> Result<Vec<String>> {
    let folder = root().join("testdata/services");
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.join("start.sh").exists() {
            names.extend(named(&path));
        }
    }
    names.sort();
    names.extend(["rest".to_owned(), "graphql".to_owned()]);
    Ok(names)
}

fn named(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.to_owned())
}
