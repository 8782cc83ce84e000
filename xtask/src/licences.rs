//! `cargo xtask licences`: whether every dependency may be used.
//!
//! `deny.toml` says the same to those who use cargo-deny; a test holds the two together.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::program::{cargo, output};
use crate::spdx::Expression;

const ALLOWED: [&str; 14] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "Zlib",
];

/// Each would tie the binary to a C library or a second build system: TLS is rustls with ring.
const BANNED: [&str; 3] = ["aws-lc-sys", "native-tls", "openssl-sys"];

/// Packages that carry a licence as a file alone: name, version, and what the file was read to be.
const READ: [(&str, &str, &str); 1] = [("jsonpath-rust", "0.3.5", "MIT")];

pub(crate) fn check() -> Result<()> {
    let metadata = output(cargo(&["metadata", "--format-version", "1", "--locked"]))?;
    let metadata: Value = serde_json::from_str(&metadata).context("cargo metadata is not JSON")?;
    let packages = metadata["packages"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let complaints: BTreeSet<String> = packages.iter().filter_map(complaint).collect();
    if !complaints.is_empty() {
        let complaints: Vec<_> = complaints.into_iter().collect();
        bail!(
            "these packages may not be used:\n  {}",
            complaints.join("\n  ")
        );
    }
    println!("{} packages, all of them allowed", packages.len());
    Ok(())
}

/// What is wrong with a package, if anything is.
fn complaint(package: &Value) -> Option<String> {
    let text = |key: &str| package[key].as_str().unwrap_or("");
    let (name, version) = (text("name"), text("version"));
    if BANNED.contains(&name) {
        return Some(format!("{name} {version} is banned"));
    }
    let read = READ.iter().find(|(n, v, _)| (*n, *v) == (name, version));
    let licence = read.map_or_else(|| text("license"), |(_, _, licence)| licence);
    match Expression::parse(licence) {
        Ok(expression) if expression.is_met(&ALLOWED) => None,
        Ok(_) => Some(format!(
            "{name} {version}: `{licence}` is not among the allowed licences"
        )),
        Err(error) => Some(format!("{name} {version}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root;
    use serde_json::json;

    #[test]
    fn a_package_needs_a_licence_that_is_allowed() {
        let package = |licence: Value| json!({"name": "a", "version": "1.0.0", "license": licence});
        assert_eq!(complaint(&package(json!("MIT OR GPL-3.0"))), None);
        assert!(complaint(&package(json!("GPL-3.0"))).is_some());
        assert!(complaint(&package(Value::Null)).is_some());
    }

    #[test]
    fn a_banned_package_is_refused_whatever_its_licence() {
        let package = json!({"name": "openssl-sys", "version": "0.9.0", "license": "MIT"});
        assert!(complaint(&package).is_some_and(|why| why.contains("banned")));
    }

    #[test]
    fn cargo_deny_is_told_the_same() {
        let deny = std::fs::read_to_string(root().join("deny.toml")).expect("it lies at the root");
        for word in ALLOWED.iter().chain(&BANNED) {
            assert!(deny.contains(&format!("\"{word}\"")), "{word}");
        }
        let quoted = deny
            .lines()
            .filter(|line| line.trim_start().starts_with('"'));
        assert_eq!(quoted.count(), ALLOWED.len());
    }
}
