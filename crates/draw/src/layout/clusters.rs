//! Which parts of a large graph belong together: the resources of a service.
//!
//! A REST operation belongs to a word of its path. A word that most paths share, as `api` or
//! `projects`, tells little, so such groups are parted by the word that follows. Where operations
//! have no paths, as in GraphQL, a schema with its operations is a resource. Blocks are never torn
//! apart: each goes where most of its operations belong.

use std::collections::BTreeMap;

use fossick_trace::{OperationNode, PropertyGraph};

use super::blocks::Block;
use crate::view::place;

/// Operations above which a group is parted, and their share of all.
const CROWD: (usize, usize) = (24, 6);
/// A word that this share of all operations has is no part of a name.
const COMMON: f64 = 0.6;
const DEEPEST: usize = 6;
/// Where there are more clusters, those of one operation are put together.
const MANY: usize = 48;

/// A resource: what stands together, and opens together.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Cluster {
    pub(crate) name: String,
    pub(crate) operations: Vec<usize>,
    pub(crate) schemas: Vec<usize>,
    pub(super) blocks: Vec<usize>,
}

pub(super) fn clusters(graph: &PropertyGraph, blocks: &[Block]) -> Vec<Cluster> {
    let names = resources(graph);
    let mut by_name: BTreeMap<String, Cluster> = BTreeMap::new();
    for (at, block) in blocks.iter().enumerate() {
        let name = elected(block, &names).unwrap_or_else(|| block.name.clone());
        let cluster = by_name.entry(name).or_default();
        cluster.blocks.push(at);
        cluster.operations.extend(operations(block));
        cluster
            .schemas
            .extend(block.card.iter().chain(&block.loose_cards));
    }
    let named = |(name, cluster): (String, Cluster)| Cluster { name, ..cluster };
    gathered(by_name.into_iter().map(named).collect())
}

fn operations(block: &Block) -> impl Iterator<Item = &usize> {
    let beside = block.left.iter().chain(&block.right);
    beside.chain(&block.loose_pills)
}

/// The resource of most operations of a block.
fn elected(block: &Block, names: &[Option<String>]) -> Option<String> {
    let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
    for name in operations(block).filter_map(|o| names.get(*o)?.as_deref()) {
        *votes.entry(name).or_default() += 1;
    }
    // The first of equals.
    let best = votes.iter().rev().max_by_key(|(_, count)| **count)?;
    Some((*best.0).to_owned())
}

/// Puts the small ones together where there are too many to look at.
fn gathered(clusters: Vec<Cluster>) -> Vec<Cluster> {
    if clusters.len() <= MANY {
        return clusters;
    }
    let (small, mut large): (Vec<_>, Vec<_>) =
        clusters.into_iter().partition(|c| c.operations.len() < 2);
    let mut others = Cluster {
        name: "others".to_owned(),
        ..Cluster::default()
    };
    for cluster in small {
        others.operations.extend(cluster.operations);
        others.schemas.extend(cluster.schemas);
        others.blocks.extend(cluster.blocks);
    }
    if !others.blocks.is_empty() {
        large.push(others);
    }
    large
}

/// The resource of each operation that has a path.
fn resources(graph: &PropertyGraph) -> Vec<Option<String>> {
    let paths: Vec<Vec<&str>> = graph.operations.iter().map(words).collect();
    let mut names = vec![None; paths.len()];
    let all: Vec<usize> = (0..paths.len()).filter(|o| !paths[*o].is_empty()).collect();
    let skipped = common(&paths, &all);
    part(&paths, &all, 0, skipped, &mut names);
    names
}

/// The words of a path, without those that stand for something else.
fn words(operation: &OperationNode) -> Vec<&str> {
    let path = place(operation);
    if !path.starts_with('/') {
        return Vec::new();
    }
    let is_word = |word: &&str| !word.is_empty() && !word.starts_with(['{', ':']);
    path.split('/').filter(is_word).collect()
}

/// How many words most paths begin with.
fn common(paths: &[Vec<&str>], all: &[usize]) -> usize {
    let mut left: Vec<usize> = all.to_vec();
    for depth in 0..DEEPEST {
        let groups = by_word(paths, &left, depth);
        let most = groups
            .into_iter()
            .filter(|(word, _)| word.is_some())
            .max_by_key(|(_, group)| group.len());
        match most {
            Some((_, group)) if group.len() as f64 > all.len() as f64 * COMMON => left = group,
            _ => return depth,
        }
    }
    DEEPEST
}

fn by_word<'p>(
    paths: &'p [Vec<&'p str>],
    some: &[usize],
    depth: usize,
) -> BTreeMap<Option<&'p str>, Vec<usize>> {
    let mut groups: BTreeMap<Option<&str>, Vec<usize>> = BTreeMap::new();
    for operation in some {
        let word = paths[*operation].get(depth).copied();
        groups.entry(word).or_default().push(*operation);
    }
    groups
}

/// Names a group by the word at this depth; a crowd by the words that follow.
fn part(
    paths: &[Vec<&str>],
    some: &[usize],
    depth: usize,
    skipped: usize,
    names: &mut [Option<String>],
) {
    let crowd = CROWD.0.max(paths.len() / CROWD.1);
    for (word, group) in by_word(paths, some, depth) {
        if word.is_some() && group.len() > crowd && depth < DEEPEST {
            part(paths, &group, depth + 1, skipped, names);
            continue;
        }
        for operation in group {
            let known = &paths[operation][..paths[operation].len().min(depth + 1)];
            let telling = known.get(skipped..).filter(|words| !words.is_empty());
            let telling = telling.or_else(|| known.last().map(std::slice::from_ref));
            names[operation] = telling.map(|words| words.join("/"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_contract::{Deed, Method};

    fn operation(label: &str) -> OperationNode {
        OperationNode {
            label: label.to_owned(),
            name: None,
            method: Method::Get,
            deed: Deed::Read,
            calls: 0,
            successes: 0,
        }
    }

    fn named(labels: &[String]) -> Vec<Option<String>> {
        let graph = PropertyGraph {
            operations: labels.iter().map(|label| operation(label)).collect(),
            ..PropertyGraph::default()
        };
        resources(&graph)
    }

    #[test]
    fn words_that_most_paths_share_are_no_names() {
        let mut labels: Vec<String> = (0..30)
            .map(|at| format!("GET /api/v1/projects/{{id}}/part{}", at % 3))
            .collect();
        labels.push("GET /api/v1/projects".to_owned());
        labels.push("GET /api/v1/users/{id}".to_owned());
        labels.push("GET /health".to_owned());
        let names = named(&labels);
        assert_eq!(names[0].as_deref(), Some("part0"));
        assert_eq!(names[30].as_deref(), Some("projects"));
        assert_eq!(names[31].as_deref(), Some("users"));
        assert_eq!(names[32].as_deref(), Some("health"));
    }

    #[test]
    fn what_has_no_path_has_no_word() {
        assert_eq!(named(&["query books".to_owned()]), [None]);
    }
}
