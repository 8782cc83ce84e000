//! Which records are wanted.
//!
//! Times and counts are looked at by the database; the rest needs the call itself and is looked at
//! here, so that it means the same with both engines.

use fossick_contract::RootKind;
use fossick_harvest::{Call, GraphQlCall, RestCall};
use fossick_query::{Pick, read};

use crate::Glob;

/// Everything, unless something is said.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Filter {
    /// Called at least this often.
    pub min_calls: u64,
    /// Seen at this time or later, in milliseconds since 1970.
    pub since: Option<u64>,
    /// First seen at this time or earlier.
    pub until: Option<u64>,
    /// Fits the operation's name or a field at its root; for REST `METHOD path`.
    pub operation: Option<Glob>,
    pub roots: Roots,
    pub kind: Option<Kind>,
}

/// For REST a call that may change something is a mutation: all but GET, HEAD, OPTIONS and TRACE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Roots {
    #[default]
    All,
    Queries,
    Mutations,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    GraphQl,
    Rest,
}

impl Filter {
    /// Whether a call is wanted; its times and counts are not looked at.
    pub fn wants(&self, call: &Call) -> bool {
        self.kind.is_none_or(|kind| kind == kind_of(call))
            && self.roots.have(call)
            && self.operation.as_ref().is_none_or(|glob| fits(glob, call))
    }

    /// Whether the database can tell all of it.
    pub(crate) fn needs_no_call(&self) -> bool {
        self.kind.is_none() && self.roots == Roots::All && self.operation.is_none()
    }

    /// What the database is asked: least calls, last seen from, first seen to.
    pub(crate) fn bounds(&self) -> [i64; 3] {
        let least = [self.min_calls, self.since.unwrap_or(0)];
        let [calls, since] = least.map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        let until = self.until.and_then(|until| i64::try_from(until).ok());
        [calls, since, until.unwrap_or(i64::MAX)]
    }
}

impl Roots {
    fn have(self, call: &Call) -> bool {
        match self {
            Self::All => true,
            Self::Queries => !is_mutation(call),
            Self::Mutations => is_mutation(call),
        }
    }
}

fn kind_of(call: &Call) -> Kind {
    match call {
        Call::GraphQl(_) => Kind::GraphQl,
        Call::Rest(_) => Kind::Rest,
    }
}

fn is_mutation(call: &Call) -> bool {
    match call {
        Call::GraphQl(call) => call.root == RootKind::Mutation,
        Call::Rest(RestCall { method, .. }) => {
            !matches!(method.as_str(), "GET" | "HEAD" | "OPTIONS" | "TRACE")
        }
    }
}

fn fits(glob: &Glob, call: &Call) -> bool {
    match call {
        Call::GraphQl(call) => {
            let name = call.operation_name.as_deref();
            name.is_some_and(|name| glob.fits(name)) || fits_a_root_field(glob, call)
        }
        Call::Rest(call) => glob.fits(&format!("{} {}", call.method, call.path)),
    }
}

fn fits_a_root_field(glob: &Glob, call: &GraphQlCall) -> bool {
    let Ok(document) = read(&call.query, None) else {
        return false;
    };
    let named = document.name.as_deref();
    named.is_some_and(|name| glob.fits(name)) || fits_a_field(glob, &document.picks)
}

/// The reader of queries has a limit on depth, and so has this.
fn fits_a_field(glob: &Glob, picks: &[Pick]) -> bool {
    picks.iter().any(|pick| match pick {
        Pick::Field(asked) => glob.fits(&asked.name),
        Pick::Part(part) => fits_a_field(glob, &part.picks),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_harvest::Content;
    use serde_json::Map;

    fn graphql(root: RootKind, query: &str, name: Option<&str>) -> Call {
        Call::GraphQl(GraphQlCall {
            path: "/graphql".to_owned(),
            root,
            query: query.to_owned(),
            operation_name: name.map(str::to_owned),
            variables: Map::new(),
        })
    }

    fn rest(method: &str, path: &str) -> Call {
        Call::Rest(RestCall {
            method: method.to_owned(),
            path: path.to_owned(),
            query: Vec::new(),
            headers: Vec::new(),
            content: Content::None,
        })
    }

    fn by_operation(pattern: &str) -> Filter {
        Filter {
            operation: Some(Glob::new(pattern)),
            ..Filter::default()
        }
    }

    #[test]
    fn an_operation_is_found_by_its_name_and_by_its_root_fields() {
        let query = "query Board{... on Query{project(id:1){tasks{id}}}users{id}}";
        let call = graphql(RootKind::Query, query, Some("Board"));
        for wanted in ["Board", "B*", "project", "users"] {
            assert!(by_operation(wanted).wants(&call), "{wanted}");
        }
        for other in ["tasks", "board", "query Board"] {
            assert!(!by_operation(other).wants(&call), "{other}");
        }
    }

    #[test]
    fn a_rest_call_is_found_by_method_and_path() {
        let call = rest("POST", "/projects/7/tasks");
        assert!(by_operation("POST /projects/*/tasks").wants(&call));
        assert!(by_operation("* /projects/*").wants(&call));
        assert!(!by_operation("GET *").wants(&call));
    }

    #[test]
    fn a_call_that_may_change_something_is_a_mutation() {
        let only = |roots| Filter {
            roots,
            ..Filter::default()
        };
        let reading = [
            graphql(RootKind::Query, "{a}", None),
            rest("GET", "/a"),
            rest("HEAD", "/a"),
        ];
        let changing = [
            graphql(RootKind::Mutation, "mutation{a}", None),
            rest("POST", "/a"),
            rest("PURGE", "/a"),
        ];
        for call in &reading {
            assert!(only(Roots::Queries).wants(call) && !only(Roots::Mutations).wants(call));
        }
        for call in &changing {
            assert!(only(Roots::Mutations).wants(call) && !only(Roots::Queries).wants(call));
        }
    }

    #[test]
    fn bounds_that_no_database_knows_are_the_largest_that_it_does() {
        let filter = Filter {
            min_calls: u64::MAX,
            until: Some(u64::MAX),
            ..Filter::default()
        };
        assert_eq!(filter.bounds(), [i64::MAX, 0, i64::MAX]);
    }
}
