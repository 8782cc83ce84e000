//! The twelve services of the paper by name: three graphs, two kinds of dependency, two of paths.
//!
//! Names of resources are the paper's where its text gives them. The others stand for those that
//! are only in its pictures.
//!
//! Not every branch can be taken: the property that the paper demands asks for medians and then
//! for averages, and of one or two values these are the same. So with `property` one side of one
//! test stays out of reach in each handler that has it.

use crate::model::{Dependency, Link, Model, Paths, Resource};

/// The names that [`Model::named`] knows.
pub const NAMES: [&str; 12] = [
    "dense-central-existence-shown",
    "dense-central-existence-hidden",
    "dense-central-property-shown",
    "dense-central-property-hidden",
    "medium-deep-existence-shown",
    "medium-deep-existence-hidden",
    "medium-deep-property-shown",
    "medium-deep-property-hidden",
    "sparse-straight-existence-shown",
    "sparse-straight-existence-hidden",
    "sparse-straight-property-shown",
    "sparse-straight-property-hidden",
];

/// What is owned and what is depended on, each as from and to.
struct Graph {
    resources: [&'static str; 5],
    owns: &'static [(&'static str, &'static str)],
    depends: &'static [(&'static str, &'static str)],
}

const DENSE_CENTRAL: Graph = Graph {
    resources: ["UEear", "OEXmz", "W27dt", "B8v25", "IUJWo"],
    owns: &[("UEear", "OEXmz"), ("UEear", "W27dt")],
    depends: &[("UEear", "B8v25"), ("UEear", "IUJWo")],
};

const MEDIUM_DEEP: Graph = Graph {
    resources: ["VIL0S", "HErqD", "XpOCt", "U1rA1", "Q7mTz"],
    owns: &[],
    depends: &[("VIL0S", "HErqD"), ("HErqD", "XpOCt"), ("XpOCt", "U1rA1")],
};

const SPARSE_STRAIGHT: Graph = Graph {
    resources: ["Kd3Wp", "Jb9Xe", "Rn5Ga", "Ty2Lo", "Zc8Hu"],
    owns: &[],
    depends: &[("Kd3Wp", "Jb9Xe")],
};

impl Model {
    /// One of the twelve, for example `dense-central-property-hidden`.
    pub fn named(name: &str) -> Option<Self> {
        let (rest, paths) = name.rsplit_once('-')?;
        let (graph, kind) = rest.rsplit_once('-')?;
        let paths = match paths {
            "shown" => Paths::Shown,
            "hidden" => Paths::Hidden,
            _ => return None,
        };
        let kind = match kind {
            "existence" => Link::Existence,
            "property" => Link::Property,
            _ => return None,
        };
        let graph = match graph {
            "dense-central" => DENSE_CENTRAL,
            "medium-deep" => MEDIUM_DEEP,
            "sparse-straight" => SPARSE_STRAIGHT,
            _ => return None,
        };
        Some(graph.model(name, kind, paths))
    }
}

impl Graph {
    fn model(&self, name: &str, kind: Link, paths: Paths) -> Model {
        let owns = self.owns.iter().map(|pair| link(pair, Link::Composition));
        let depends = self.depends.iter().map(|pair| link(pair, kind));
        Model {
            name: name.to_owned(),
            paths,
            resources: self.resources.map(Resource::new).to_vec(),
            dependencies: owns.chain(depends).collect(),
        }
    }
}

fn link((from, to): &(&str, &str), kind: Link) -> Dependency {
    Dependency {
        from: (*from).to_owned(),
        to: (*to).to_owned(),
        kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_the_twelve_has_thirty_endpoints() {
        for name in NAMES {
            let model = Model::named(name).expect("it is one of the twelve");
            assert_eq!(model.check(), Ok(()), "{name}");
            assert_eq!(model.endpoints(), 30, "{name}");
            assert_eq!(model.name, name);
        }
    }

    #[test]
    fn other_names_mean_nothing() {
        for name in ["", "dense-central", "dense-central-property-seen", "a-b-c"] {
            assert_eq!(Model::named(name), None, "{name}");
        }
    }
}
