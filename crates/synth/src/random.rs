//! Models at random: from numbers and a seed, and the same from the same.

use std::collections::BTreeSet;

use crate::model::{Dependency, Link, Method, Model, Paths, Resource, camel};

/// How large a model is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    pub resources: usize,
    /// For each resource, one to six. One that can't be made could not be tested, so POST is
    /// always among them.
    pub methods: usize,
    /// As many as can be: what is owned depends on nothing, and there are no circles.
    pub dependencies: usize,
    pub paths: Paths,
    pub seed: u64,
}

impl Model {
    pub fn random(numbers: Numbers) -> Self {
        let mut chance = Chance(numbers.seed);
        let names = names(numbers.resources.max(1), &mut chance);
        let dependencies = dependencies(&names, numbers.dependencies, &mut chance);
        let resource = |name: String| Resource {
            name,
            methods: methods(numbers.methods, &mut chance),
        };
        Self {
            name: format!("random-{}", numbers.seed),
            paths: numbers.paths,
            resources: names.into_iter().map(resource).collect(),
            dependencies,
        }
    }
}

/// The generator known as `SplitMix64`: small, and the same stream everywhere.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

fn names(count: usize, chance: &mut Chance) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut names = Vec::new();
    while names.len() < count {
        let name = name(chance);
        if taken.insert(camel(&name)) {
            names.push(name);
        }
    }
    names
}

fn name(chance: &mut Chance) -> String {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut sign = |bound| char::from(SIGNS[chance.below(bound)]);
    let first = sign(26);
    let rest = (0..4).map(|_| sign(SIGNS.len()));
    std::iter::once(first).chain(rest).collect()
}

fn methods(count: usize, chance: &mut Chance) -> Vec<Method> {
    let mut others = Method::ALL.to_vec();
    others.retain(|method| *method != Method::Post);
    chance.shuffle(&mut others);
    others.truncate(count.saturating_sub(1));
    others.push(Method::Post);
    others.sort_unstable();
    others
}

/// Resources only need those that come after them, so there are no circles.
fn dependencies(names: &[String], count: usize, chance: &mut Chance) -> Vec<Dependency> {
    let last = names.len();
    let mut pairs: Vec<(usize, usize)> = (0..last)
        .flat_map(|from| (from + 1..last).map(move |to| (from, to)))
        .collect();
    chance.shuffle(&mut pairs);
    let mut links: Vec<(usize, usize, Link)> = Vec::new();
    for (from, to) in pairs {
        if links.len() == count {
            break;
        }
        if let Some(kind) = kind(from, to, &links, chance) {
            links.push((from, to, kind));
        }
    }
    let dependency = |(from, to, kind): (usize, usize, Link)| Dependency {
        from: names[from].clone(),
        to: names[to].clone(),
        kind,
    };
    links.into_iter().map(dependency).collect()
}

fn kind(
    from: usize,
    to: usize,
    links: &[(usize, usize, Link)],
    chance: &mut Chance,
) -> Option<Link> {
    let is_owned = |one| {
        let owned = |link: &(usize, usize, Link)| link.1 == one && link.2 == Link::Composition;
        links.iter().any(owned)
    };
    if is_owned(from) {
        return None;
    }
    let is_needy = links.iter().any(|link| link.0 == to);
    let can_be_owned = !is_owned(to) && !is_needy;
    Some(match chance.below(3) {
        0 if can_be_owned => Link::Composition,
        1 => Link::Property,
        _ => Link::Existence,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn random_models_are_consistent(
            resources in 0_usize..30,
            methods in 0_usize..8,
            dependencies in 0_usize..60,
            seed in any::<u64>(),
        ) {
            let paths = if seed % 2 == 0 { Paths::Shown } else { Paths::Hidden };
            let numbers = Numbers { resources, methods, dependencies, paths, seed };
            let model = Model::random(numbers);
            prop_assert_eq!(model.check(), Ok(()));
            prop_assert_eq!(model.resources.len(), resources.max(1));
            prop_assert!(model.dependencies.len() <= dependencies);
            prop_assert_eq!(model.endpoints(), resources.max(1) * methods.clamp(1, 6));
            prop_assert_eq!(&Model::random(numbers), &model);
        }
    }

    #[test]
    fn there_are_as_many_dependencies_as_asked_for_where_there_is_room() {
        let numbers = Numbers {
            resources: 20,
            methods: 6,
            dependencies: 10,
            paths: Paths::Hidden,
            seed: 7,
        };
        assert_eq!(Model::random(numbers).dependencies.len(), 10);
    }
}
