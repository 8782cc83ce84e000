//! A suite's files in its folder.
//!
//! A folder may hold a team's own files beside ours, so nothing is overwritten or removed that an
//! earlier suite did not write: a list of what was written lies in the folder.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use fossick_writers::File;

/// Names of the files that the last suite wrote, one a line.
const LIST: &str = ".fossick-files";

/// Refuses what is no folder, or one in which files are somebody else's.
pub(super) fn has_room(folder: &Path, files: &[File]) -> Result<()> {
    let before = listed(folder);
    for file in files {
        let path = folder.join(&file.path);
        if path.exists() && !before.contains(&file.path) {
            bail!(
                "{} is there already and was not written by fossick; choose another folder, or move it away",
                path.display()
            );
        }
    }
    let parts = std::iter::successors(Some(folder), |part| part.parent());
    match parts.into_iter().find(|part| part.exists()) {
        Some(file) if !file.is_dir() => {
            bail!("{} is no folder; a suite needs one", file.display())
        }
        _ => Ok(()),
    }
}

/// Writes files, and removes those of the last suite that are no more.
pub(super) fn write(folder: &Path, files: &[File]) -> Result<()> {
    has_room(folder, files)?;
    let before = listed(folder);
    for file in files {
        put(folder, file)?;
    }
    let now: BTreeSet<String> = files.iter().map(|file| file.path.clone()).collect();
    for old in before.difference(&now) {
        let _ = std::fs::remove_file(folder.join(old));
    }
    let mut list: Vec<String> = now.into_iter().collect();
    list.push(String::new());
    std::fs::write(folder.join(LIST), list.join("\n"))
        .with_context(|| format!("failed to write into {}", folder.display()))
}

fn listed(folder: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(folder.join(LIST)).unwrap_or_default();
    let names = text.lines().filter(|name| stays_inside(name));
    names.map(str::to_owned).collect()
}

/// Whether a path of a list leads to something below the folder.
fn stays_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    !path.is_empty() && parts.all(|part| matches!(part, std::path::Component::Normal(_)))
}

fn put(folder: &Path, file: &File) -> Result<()> {
    let path = folder.join(&file.path);
    let told = || format!("failed to write {}", path.display());
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).with_context(told)?;
    }
    std::fs::write(&path, &file.text).with_context(told)?;
    #[cfg(unix)]
    if file.executable {
        use std::os::unix::fs::PermissionsExt as _;
        let permissions = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&path, permissions).with_context(told)?;
    }
    Ok(())
}

/// A name for a package, after the API: letters, digits and underscores.
pub(super) fn name_of(title: &str) -> String {
    let words: Vec<String> = title
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    match words.join("_") {
        name if name.is_empty() => "api".to_owned(),
        name if name.starts_with(|c: char| c.is_ascii_digit()) => format!("api_{name}"),
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder =
            std::env::temp_dir().join(format!("fossick-suite-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        folder
    }

    #[test]
    fn a_teams_own_file_is_never_overwritten() {
        let folder = folder("own");
        std::fs::write(folder.join("test_a.py"), "theirs").expect("written");
        let error = write(&folder, &[File::new("test_a.py", "ours")]).expect_err("refused");
        assert!(
            error.to_string().contains("not written by fossick"),
            "{error}"
        );
        let kept = std::fs::read_to_string(folder.join("test_a.py")).expect("read");
        assert_eq!(kept, "theirs");
    }

    #[test]
    fn a_file_is_no_folder() {
        let folder = folder("file");
        std::fs::write(folder.join("a"), "theirs").expect("written");
        for below in ["a", "a/b/c"] {
            let error = has_room(&folder.join(below), &[]).expect_err("refused");
            assert!(error.to_string().contains("is no folder"), "{error}");
        }
        has_room(&folder.join("b/c"), &[]).expect("it can be made");
    }

    #[test]
    fn files_of_the_last_suite_make_room() {
        let folder = folder("again");
        write(&folder, &[File::new("a.py", "1"), File::new("b/c.py", "1")]).expect("written");
        write(&folder, &[File::new("a.py", "2")]).expect("written again");
        assert!(!folder.join("b/c.py").exists());
        assert_eq!(
            std::fs::read_to_string(folder.join("a.py")).expect("read"),
            "2"
        );
    }

    #[test]
    fn a_list_cannot_lead_out_of_the_folder() {
        assert!(!stays_inside("../x") && !stays_inside("/etc/x") && !stays_inside(""));
        assert!(stays_inside("b/c.py"));
    }
}
