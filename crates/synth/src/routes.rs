//! Which class a path means, and what stands in its holes.

use std::collections::BTreeMap;

use crate::model::Method;
use crate::program::Program;

#[derive(Debug)]
pub(crate) struct Routes {
    /// Classes by the word that their paths end with.
    classes: BTreeMap<String, usize>,
    /// For each class, those whose ids come before it.
    parents: Vec<Vec<usize>>,
    words: Vec<String>,
    handlers: BTreeMap<(usize, Method), usize>,
}

/// Where a path leads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place<'a> {
    pub(crate) class: usize,
    pub(crate) parents: Vec<&'a str>,
    pub(crate) id: Option<&'a str>,
}

impl Routes {
    pub(crate) fn of(program: &Program) -> Self {
        let words: Vec<String> = program.classes.iter().map(|it| it.plural.clone()).collect();
        let handlers = program.handlers.iter().enumerate();
        Self {
            classes: words.iter().cloned().zip(0..).collect(),
            parents: program
                .classes
                .iter()
                .map(|class| class.shown.clone())
                .collect(),
            words,
            handlers: handlers
                .map(|(number, it)| ((it.class, it.method), number))
                .collect(),
        }
    }

    pub(crate) fn find<'a>(&self, path: &'a str) -> Option<Place<'a>> {
        let segments: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        let (pairs, rest) = segments.as_chunks::<2>();
        let (word, id, pairs) = match (rest, pairs.split_last()) {
            ([word], _) => (word, None, pairs),
            ([], Some(([word, id], pairs))) => (word, Some(*id), pairs),
            _ => return None,
        };
        let class = *self.classes.get(*word)?;
        let parents = &self.parents[class];
        let words = parents.iter().map(|parent| self.words[*parent].as_str());
        let is_right = pairs.iter().map(|[word, _]| *word).eq(words);
        is_right.then(|| Place {
            class,
            parents: pairs.iter().map(|[_, id]| *id).collect(),
            id,
        })
    }

    /// The number of the handler for a verb, or the verbs that there are.
    pub(crate) fn handler(&self, place: &Place<'_>, verb: &str) -> Result<usize, String> {
        let here = Method::ALL
            .into_iter()
            .filter(|method| method.is_for_one() == place.id.is_some());
        let known = here.filter_map(|method| {
            let handler = self.handlers.get(&(place.class, method))?;
            Some((method.verb(), *handler))
        });
        let known: Vec<(&str, usize)> = known.collect();
        let found = known.iter().find(|(other, _)| *other == verb);
        found.map(|(_, handler)| *handler).ok_or_else(|| {
            let verbs: Vec<&str> = known.iter().map(|(verb, _)| *verb).collect();
            verbs.join(", ")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;

    fn routes(name: &str) -> Routes {
        let model = Model::named(name).expect("it is one of the twelve");
        Routes::of(&Program::of(&model).expect("it is consistent"))
    }

    #[test]
    fn shown_paths_lead_through_what_is_depended_on() {
        let routes = routes("dense-central-existence-shown");
        let place = routes.find("/iUJWos/3/b8v25s/4/uEears/5");
        let place = place.expect("this is the path of the paper");
        assert_eq!((place.class, place.id), (0, Some("5")));
        assert_eq!(place.parents, ["3", "4"]);
        assert!(routes.find("/uEears/7/oEXmzs").is_some());
        for path in ["/uEears", "/b8v25s/4/iUJWos/3/uEears", "/oEXmzs/1", "/", ""] {
            assert_eq!(routes.find(path), None, "{path}");
        }
    }

    #[test]
    fn hidden_paths_are_short() {
        let routes = routes("dense-central-existence-hidden");
        let place = routes.find("/uEears").expect("it is the collection");
        assert_eq!((place.class, place.id), (0, None));
        assert_eq!(
            routes.handler(&place, "DELETE"),
            Err("GET, POST".to_owned())
        );
        for path in ["/uEears/", "/uEears/1/2", "/b8v25s/1/uEears/2", "/x"] {
            let place = routes.find(path);
            assert!(place.is_none_or(|place| place.id == Some("")), "{path}");
        }
    }
}
