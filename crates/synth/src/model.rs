//! What a service is made from: resources, the methods they have, and who needs whom.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The description of a service.
///
/// It can be written down in TOML. `methods` may be left out for all six; `paths` is `hidden`
/// unless said otherwise.
///
/// ```
/// let model = fossick_synth::Model::from_toml(r#"
///     name = "bakery"
///     paths = "shown"
///
///     [[resource]]
///     name = "Oven"
///
///     [[resource]]
///     name = "Cake"
///     methods = ["get-collection", "post", "put", "patch", "delete", "get"]
///
///     [[resource]]
///     name = "Icing"
///     methods = ["get"]
///
///     [[dependency]]
///     from = "Cake"
///     to = "Oven"
///     kind = "property"       # or "existence"
///
///     [[dependency]]
///     from = "Cake"           # owns
///     to = "Icing"
///     kind = "composition"
/// "#)?;
/// assert_eq!(model.endpoints(), 13);
/// # Ok::<(), fossick_synth::ModelError>(())
/// ```
///
/// What kind means what:
///
/// - *composition*: a resource is made together with the ones it owns, from its own body, and
///   takes them along when it is deleted. What it would own must not be there already. One that
///   is owned can also be posted by itself, but only for an owner that is there and has none.
/// - *existence*: what is depended on must be there.
/// - *property*: it must be there, and the median and the average of the values of those who
///   depend must be below the median and the average of the values depended on. Who owns several
///   others counts with their values instead of its own.
///
/// Every resource has an id, a name and a value. Only what reads is answered with a body. A path that
/// shows dependencies shows those of the dependencies too; the outer ids in it are not looked at.
///
/// A resource has one owner at most; one that is owned neither owns nor depends; nothing depends
/// on itself, directly or by way of others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    pub name: String,
    #[serde(default)]
    pub paths: Paths,
    #[serde(rename = "resource")]
    pub resources: Vec<Resource>,
    #[serde(rename = "dependency", default)]
    pub dependencies: Vec<Dependency>,
}

/// Whether the path of a resource shows what it depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Paths {
    /// `/iUJWos/{iUJWoId}/b8v25s/{b8v25Id}/uEears`
    Shown,
    /// `/uEears`, and fields of the body say the rest.
    #[default]
    Hidden,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resource {
    pub name: String,
    #[serde(default = "all_methods")]
    pub methods: Vec<Method>,
}

impl Resource {
    /// One with all six methods.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            methods: all_methods(),
        }
    }
}

fn all_methods() -> Vec<Method> {
    Method::ALL.to_vec()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    GetCollection,
    Post,
    Put,
    Patch,
    Delete,
    Get,
}

impl Method {
    pub const ALL: [Self; 6] = [
        Self::GetCollection,
        Self::Post,
        Self::Put,
        Self::Patch,
        Self::Delete,
        Self::Get,
    ];

    /// The word of HTTP for it.
    pub fn verb(self) -> &'static str {
        match self {
            Self::GetCollection | Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// Whether its path ends with the id of one resource.
    pub fn is_for_one(self) -> bool {
        !matches!(self, Self::GetCollection | Self::Post)
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::GetCollection => "list",
            Self::Post => "post",
            Self::Put => "put",
            Self::Patch => "patch",
            Self::Delete => "delete",
            Self::Get => "get",
        }
    }
}

/// `from` owns or depends on `to`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dependency {
    pub from: String,
    pub to: String,
    pub kind: Link,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Link {
    Composition,
    Existence,
    Property,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelError {
    #[error("failed to read the description: {0}")]
    Toml(String),
    #[error("a model needs a resource")]
    Empty,
    #[error("`{0}` is no name: a letter and then letters and digits")]
    Name(String),
    #[error("the resource `{0}` is there twice")]
    Twice(String),
    #[error("there is no resource `{0}`")]
    Unknown(String),
    #[error("`{0}` and `{1}` are connected twice")]
    Connected(String, String),
    #[error("`{0}` is owned, so it can neither own nor depend nor have another owner")]
    Owned(String),
    #[error("`{0}` depends on itself in the end")]
    Circle(String),
}

impl Model {
    /// Reads a description and checks it.
    pub fn from_toml(text: &str) -> Result<Self, ModelError> {
        let model: Self =
            toml::from_str(text).map_err(|error| ModelError::Toml(error.to_string()))?;
        model.check()?;
        Ok(model)
    }

    pub fn endpoints(&self) -> usize {
        let methods = self.resources.iter().map(|it| unique(&it.methods).len());
        methods.sum()
    }

    /// Whether a service can be made of it.
    pub fn check(&self) -> Result<(), ModelError> {
        self.check_names()?;
        self.check_links()?;
        self.check_circles()
    }

    fn check_names(&self) -> Result<(), ModelError> {
        let mut names = BTreeSet::new();
        for Resource { name, .. } in &self.resources {
            if !is_name(name) {
                return Err(ModelError::Name(name.clone()));
            }
            // Paths and fields begin with a small letter, whatever the name begins with.
            if !names.insert(camel(name)) {
                return Err(ModelError::Twice(name.clone()));
            }
        }
        if names.is_empty() {
            return Err(ModelError::Empty);
        }
        Ok(())
    }

    fn check_links(&self) -> Result<(), ModelError> {
        let mut seen = BTreeSet::new();
        for Dependency { from, to, .. } in &self.dependencies {
            for name in [from, to] {
                if self.number(name).is_none() {
                    return Err(ModelError::Unknown(name.clone()));
                }
            }
            if !seen.insert((from, to)) {
                return Err(ModelError::Connected(from.clone(), to.clone()));
            }
        }
        match self.owned().find(|name| self.is_overloaded(name)) {
            Some(name) => Err(ModelError::Owned(name.to_owned())),
            None => Ok(()),
        }
    }

    fn owned(&self) -> impl Iterator<Item = &str> {
        self.dependencies
            .iter()
            .filter(|it| it.kind == Link::Composition)
            .map(|it| it.to.as_str())
    }

    fn is_overloaded(&self, owned: &str) -> bool {
        let has_several = self.owned().filter(|name| *name == owned).count() > 1;
        has_several || self.dependencies.iter().any(|it| it.from == owned)
    }

    /// Takes away what depends on nothing that is left, until nothing is left or all are in a
    /// circle.
    fn check_circles(&self) -> Result<(), ModelError> {
        let mut left: Vec<&Dependency> = self.dependencies.iter().collect();
        while let Some(first) = left.first() {
            let before = left.len();
            let circle = ModelError::Circle(first.from.clone());
            let needy: BTreeSet<&str> = left.iter().map(|it| it.from.as_str()).collect();
            left.retain(|it| needy.contains(it.to.as_str()));
            if left.len() == before {
                return Err(circle);
            }
        }
        Ok(())
    }

    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.resources.iter().position(|it| it.name == name)
    }
}

pub(crate) fn unique(methods: &[Method]) -> BTreeSet<Method> {
    methods.iter().copied().collect()
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|it| it.is_ascii_alphanumeric())
}

/// A name as fields and paths have it: `UEear` is `uEear`.
pub(crate) fn camel(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(links: &[(&str, &str, Link)]) -> Model {
        let dependency = |(from, to, kind): &(&str, &str, Link)| Dependency {
            from: (*from).to_owned(),
            to: (*to).to_owned(),
            kind: *kind,
        };
        Model {
            name: "test".to_owned(),
            paths: Paths::Hidden,
            resources: ["A", "B", "C"].map(Resource::new).to_vec(),
            dependencies: links.iter().map(dependency).collect(),
        }
    }

    #[test]
    fn circles_are_refused() {
        use Link::Existence;
        let circle = [
            ("A", "B", Existence),
            ("B", "C", Existence),
            ("C", "A", Existence),
        ];
        assert!(matches!(model(&circle).check(), Err(ModelError::Circle(_))));
        assert!(model(&[("A", "A", Existence)]).check().is_err());
        assert_eq!(model(&circle[..2]).check(), Ok(()));
    }

    #[test]
    fn what_is_owned_has_one_owner_and_no_needs() {
        use Link::{Composition, Existence};
        let shared = [("A", "C", Composition), ("B", "C", Composition)];
        let needy = [("A", "B", Composition), ("B", "C", Existence)];
        for links in [shared, needy] {
            assert!(matches!(model(&links).check(), Err(ModelError::Owned(_))));
        }
    }

    #[test]
    fn names_must_be_names_and_differ() {
        let mut twice = model(&[]);
        twice.resources.push(Resource::new("a"));
        assert_eq!(twice.check(), Err(ModelError::Twice("a".to_owned())));
        for name in ["", "1a", "a/b", "ä"] {
            let mut odd = model(&[]);
            odd.resources.push(Resource::new(name));
            assert_eq!(odd.check(), Err(ModelError::Name(name.to_owned())));
        }
        assert!(model(&[("A", "D", Link::Existence)]).check().is_err());
    }

    #[test]
    fn a_description_that_is_misspelt_is_refused() {
        let text = "name = \"x\"\nresources = []";
        assert!(matches!(Model::from_toml(text), Err(ModelError::Toml(_))));
    }

    #[test]
    fn a_model_can_be_written_and_read_again() {
        let model = model(&[("A", "B", Link::Property)]);
        let text = toml::to_string(&model).expect("a model is plain data");
        assert_eq!(Model::from_toml(&text), Ok(model));
    }
}
