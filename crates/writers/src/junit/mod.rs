//! JUnit 4 and 5 with REST Assured, in Java and in Kotlin, as a project for Maven.
//!
//! Requests are chains of REST Assured's own words and checks are Hamcrest's matchers, so that the
//! tests look like those that people write by hand. What REST Assured can't do (places in JSON by
//! names that are not plain, numbers by value, JSON Schema beyond its fourth draft, paths that it
//! would tidy up) stands in small support files beside the tests.

mod check;
mod class;
mod language;
mod layout;
mod literal;
mod project;
mod request;
mod scope;
mod step;
mod support;
mod target;
mod text;
mod users;
mod value;

pub use language::{Language, Version};
use project::Project;
use step::Shared;

use fossick_suite::{Group, Suite};

use crate::{File, Manner};

pub fn write(suite: &Suite, manner: &Manner, version: Version, language: Language) -> Vec<File> {
    let users = users::names(&suite.users);
    let schemas = project::schema_files(suite);
    let project = Project {
        language,
        version,
        package: project::package(suite, manner),
        shared: Shared {
            suite,
            faults: manner.faults,
            users: &users,
            schemas: &schemas,
        },
    };
    let groups = [Group::Faults, Group::Successes, Group::Others];
    let tests: Vec<_> = groups
        .into_iter()
        .flat_map(|group| class::files(&project, group))
        .collect();
    let users = project.needs_users(&tests).then(|| users::file(&project));
    let mut files = vec![project.pom()];
    files.extend(tests);
    files.extend(users);
    files.extend(support::files(&project));
    files.extend(project.schemas());
    files
}
