//! What makes a folder of classes a project that Maven can run.

use fossick_suite::Suite;

use super::language::RESERVED;
use super::layout::lines;
use super::literal::comment;
use super::step::Shared;
use super::{Language, Version, target};
use crate::names::{Taken, snake, words};
use crate::{File, Manner};

pub(super) struct Project<'a> {
    pub language: Language,
    pub version: Version,
    /// `com.example.shed`
    pub package: String,
    pub shared: Shared<'a>,
}

/// The package that the manner names, else one by the title of the API.
pub(super) fn package(suite: &Suite, manner: &Manner) -> String {
    let named = segments(&manner.name);
    let titled = words(&suite.title).concat();
    let parts = match named.as_slice() {
        [] => segments(&titled),
        _ => named,
    };
    if parts.is_empty() {
        return "api".to_owned();
    }
    parts.join(".")
}

fn segments(text: &str) -> Vec<String> {
    let parts = text.split('.').map(|part| words(part).concat());
    parts.filter(|part| !part.is_empty()).map(segment).collect()
}

/// Part of a package: lower case and no underscores, but where the language's own rules want one.
fn segment(part: String) -> String {
    if RESERVED.contains(&part.as_str()) {
        format!("{part}_")
    } else if part.starts_with(|first: char| first.is_ascii_digit()) {
        format!("_{part}")
    } else {
        part
    }
}

/// Names for the files of schemas.
pub(super) fn schema_files(suite: &Suite) -> Vec<String> {
    let mut taken = Taken::default();
    let names = suite.schemas.iter().map(|(name, _)| snake(name, "schema"));
    names.map(|name| taken.give(name) + ".json").collect()
}

impl Project<'_> {
    pub(super) fn starts(&self) -> bool {
        let service = &self.shared.suite.service;
        service.start.is_some() || service.stop.is_some()
    }

    pub(super) fn resets(&self) -> bool {
        self.shared.suite.service.reset.is_some()
    }

    /// Is there a request that REST Assured would change?
    pub(super) fn is_exact(&self) -> bool {
        let suite = self.shared.suite;
        let steps = suite.tests.iter().flat_map(|test| &test.steps);
        let sent = steps.map(|step| &step.request);
        let logins = suite.users.iter().filter_map(|user| user.login.as_ref());
        let sent = sent.chain(logins.map(|login| &login.request));
        sent.into_iter()
            .any(|request| !target::is_kept(&request.path))
    }

    pub(super) fn source(&self, class: &str, text: String) -> File {
        let package = self.package.replace('.', "/");
        let (folder, extension) = (self.language.folder(), self.language.extension());
        File::new(format!("{folder}/{package}/{class}.{extension}"), text)
    }

    /// `package shed;`
    pub(super) fn package(&self) -> String {
        format!("package {}{}\n", self.package, self.language.stop())
    }

    /// What a file is for, and how it was made.
    pub(super) fn head(&self, purpose: &str) -> String {
        let suite = self.shared.suite;
        let what = comment(&format!("{}: {purpose}.", suite.title), 0);
        let origin = comment(&format!("Written by fossick, from {}", suite.origin), 0);
        lines("", what.iter().chain(&origin), "")
    }

    pub(super) fn schemas(&self) -> Vec<File> {
        let folder = self.package.replace('.', "/");
        let schemas = self.shared.suite.schemas.iter().zip(self.shared.schemas);
        let files = schemas.map(|((_, schema), file)| {
            File::new(
                format!("src/test/resources/{folder}/schemas/{file}"),
                format!("{schema:#}\n"),
            )
        });
        files.collect()
    }

    pub(super) fn pom(&self) -> File {
        let dependencies: String = self.dependencies().iter().map(dependency).collect();
        let plugins: String = self.plugins().concat();
        let sources = match self.language {
            Language::Java => "",
            Language::Kotlin => "    <testSourceDirectory>src/test/kotlin</testSourceDirectory>\n",
        };
        let text = format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 https://maven.apache.org/xsd/maven-4.0.0.xsd">
  <modelVersion>4.0.0</modelVersion>

  <groupId>{package}</groupId>
  <artifactId>api-tests</artifactId>
  <version>1.0.0</version>

  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>

  <dependencies>
{dependencies}  </dependencies>

  <build>
{sources}    <plugins>
{plugins}    </plugins>
  </build>
</project>
"#,
            package = self.package,
        );
        File::new("pom.xml", text)
    }

    fn dependencies(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        let mut all = vec![match self.version {
            Version::Four => ("junit", "junit", "4.13.2"),
            Version::Five => ("org.junit.jupiter", "junit-jupiter", "5.14.4"),
        }];
        all.push(("io.rest-assured", "rest-assured", "6.0.1"));
        all.push(("org.hamcrest", "hamcrest", "3.0"));
        all.push(("com.fasterxml.jackson.core", "jackson-databind", "2.22.1"));
        if !self.shared.schemas.is_empty() {
            all.push(("com.networknt", "json-schema-validator", "2.0.8"));
        }
        if self.language == Language::Kotlin {
            all.push(("org.jetbrains.kotlin", "kotlin-stdlib", KOTLIN));
        }
        all
    }

    fn plugins(&self) -> Vec<String> {
        const MAVEN: &str = "org.apache.maven.plugins";
        let mut all = vec![
            plugin(MAVEN, "maven-resources-plugin", "3.3.1", ""),
            plugin(MAVEN, "maven-compiler-plugin", "3.14.1", ""),
        ];
        if self.language == Language::Kotlin {
            let group = "org.jetbrains.kotlin";
            all.push(plugin(group, "kotlin-maven-plugin", KOTLIN, KOTLIN_TASKS));
        }
        all.push(plugin(MAVEN, "maven-surefire-plugin", "3.5.6", ""));
        all
    }

    /// Does anything come from the environment?
    pub(super) fn needs_users(&self, sources: &[File]) -> bool {
        let users = &self.shared.suite.users;
        !users.is_empty() || sources.iter().any(|file| file.text.contains("secret("))
    }
}

const KOTLIN: &str = "2.4.21";

const KOTLIN_TASKS: &str = "\
        <configuration>
          <jvmTarget>17</jvmTarget>
        </configuration>
        <executions>
          <execution>
            <goals>
              <goal>test-compile</goal>
            </goals>
          </execution>
        </executions>
";

fn dependency((group, artifact, version): &(&str, &str, &str)) -> String {
    format!(
        "    <dependency>
      <groupId>{group}</groupId>
      <artifactId>{artifact}</artifactId>
      <version>{version}</version>
      <scope>test</scope>
    </dependency>
"
    )
}

fn plugin(group: &str, artifact: &str, version: &str, more: &str) -> String {
    format!(
        "      <plugin>
        <groupId>{group}</groupId>
        <artifactId>{artifact}</artifactId>
        <version>{version}</version>
{more}      </plugin>
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, title: &str) -> String {
        let suite: Suite = serde_json::from_value(serde_json::json!({
            "version": 1, "title": title, "origin": "", "base_url": "", "tests": []
        }))
        .expect("a suite");
        let manner = Manner {
            name: name.to_owned(),
            ..Manner::default()
        };
        package(&suite, &manner)
    }

    #[test]
    fn packages_are_named_by_the_user_or_by_the_title() {
        assert_eq!(named("com.example.shed", "x"), "com.example.shed");
        assert_eq!(named("../in.class", "x"), "in_.class_");
        assert_eq!(named("the_shed", "x"), "theshed");
        assert_eq!(named("", "The Shed 2"), "theshed2");
        assert_eq!(named("", "木"), "api");
        assert_eq!(named("2nd", ""), "_2nd");
    }
}
