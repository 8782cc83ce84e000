//! What is chosen of a small library, and why.

use std::collections::BTreeSet;

use fossick_contract::{Operation, TypeId};
use fossick_genes::{Maker, Manner, Rng, Selection, Values};
use fossick_query::write_compact;
use fossick_validate::Validators;
use rand::SeedableRng as _;

use crate::MANNERS;
use crate::judge::Subject;

const LIBRARY: &str = "
    type Query {
      book(id: ID!): Book
      books(first: Int): BookConnection!
      hits: [Hit!]!
      node(id: ID!): Node
      knot: Knot
      count: Int!
    }
    type Mutation { addBook(title: String!): AddBookPayload }
    type AddBookPayload { clientMutationId: String errors: [UserError!]! book: Book }
    type UserError { field: String message: String! }
    type BookConnection { edges: [BookEdge] totalCount: Int! }
    type BookEdge { cursor: String! node: Book }
    interface Node { id: ID! }
    type Book implements Node {
      title(case: Case): String!
      id: ID!
      isbn: String @deprecated
      price(currency: Currency!): Float
      rating: Int!
      author: Author
      sequel: Book
    }
    type Author implements Node {
      id: ID!
      name: String!
      rating: Float
      best: Book
      author: Author
    }
    union Hit = Book | Author
    type Knot { tie: Tie! }
    type Tie { knot: Knot! }
    enum Case { UPPER LOWER }
    input Currency { code: String! }
";

struct Library {
    subject: Subject,
    validators: Validators,
    values: Values,
}

impl Library {
    fn of(sdl: &str) -> Self {
        let subject = Subject::of("library.graphql", sdl.to_owned()).expect("it is read");
        assert!(subject.sound);
        Self {
            validators: Validators::new(&subject.api),
            values: Values::new(),
            subject,
        }
    }

    fn making<T>(&self, manner: Manner, seed: u64, work: impl FnOnce(&mut Maker<'_>) -> T) -> T {
        let mut rng = Rng::seed_from_u64(seed);
        work(&mut Maker {
            api: &self.subject.api,
            validators: &self.validators,
            values: &self.values,
            rng: &mut rng,
            manner,
        })
    }

    fn operation(&self, label: &str) -> &Operation {
        let index = self.subject.api.find(label).expect("it is there");
        self.subject.api.operation(index)
    }

    fn select(&self, label: &str, manner: Manner, seed: u64) -> Selection {
        let root = self.operation(label).graphql.as_ref();
        let field = self.subject.api.root_field(root.expect("a root field"));
        self.making(manner, seed, |maker| maker.select_returned(&field.returns))
            .expect("a composite type")
    }

    /// The operation on one line, without what declares it; judged on the way.
    fn text(&self, label: &str, selection: &Selection) -> String {
        let operation = self.operation(label);
        self.subject.judge(operation, selection, "a rule");
        let text = write_compact(&self.subject.document(operation, selection));
        let body = text.find('{').and_then(|at| text.get(at..));
        body.expect("a selection").to_owned()
    }

    fn plausible(&self, label: &str) -> String {
        self.text(label, &self.select(label, Manner::Plausible, 1))
    }
}

#[test]
fn a_plausible_selection_has_what_can_simply_be_asked_for() {
    let library = Library::of(LIBRARY);
    assert_eq!(
        library.plausible("query book"),
        "{book(id:$v0){title id rating author{id name rating}}}"
    );
    assert_eq!(
        library.plausible("query books"),
        "{books{edges{cursor node{title id rating author{id name rating}}}totalCount}}"
    );
    assert_eq!(
        library.plausible("mutation addBook"),
        "{addBook(title:$v0){clientMutationId errors{field message}\
         book{title id rating author{id name rating}}}}"
    );
}

#[test]
fn an_interface_has_a_base_and_parts_with_what_lies_beyond() {
    let library = Library::of(LIBRARY);
    assert_eq!(
        library.plausible("query node"),
        "{node(id:$v0){__typename id \
         ...on Book{title rating author{id name rating}}\
         ...on Author{name rating_Author:rating best{title id rating}}}}"
    );
}

#[test]
fn a_union_has_parts_alone_and_what_would_clash_goes_by_another_name() {
    let library = Library::of(LIBRARY);
    let text = library.plausible("query hits");
    assert!(
        text.starts_with("{hits{__typename ...on Book{title id rating "),
        "{text}"
    );
    assert!(
        text.contains("...on Author{id name rating_Author:rating "),
        "{text}"
    );
}

#[test]
fn the_judge_is_awake() {
    let library = Library::of(LIBRARY);
    let refuses = |label: &str, selection: &Selection| {
        let verdict = library.subject.verdict(library.operation(label), selection);
        verdict.is_err()
    };
    let mut clash = library.select("query hits", Manner::Plausible, 1);
    for chosen in clash.parts.iter_mut().flat_map(|part| &mut part.fields) {
        chosen.alias = None;
    }
    assert!(refuses("query hits", &clash));
    let mut lacking = library.select("query book", Manner::Full, 1);
    for chosen in &mut lacking.fields {
        chosen.arguments.clear();
    }
    assert!(refuses("query book", &lacking));
}

#[test]
fn scalars_need_no_selection_and_knots_are_cut() {
    let library = Library::of(LIBRARY);
    assert_eq!(library.plausible("query knot"), "{knot{tie{__typename}}}");
    let count = library.operation("query count").graphql.as_ref();
    let field = library.subject.api.root_field(count.expect("a root field"));
    let none = library.making(Manner::Full, 1, |maker| {
        maker.select_returned(&field.returns)
    });
    assert_eq!(none, None);
}

#[test]
fn a_full_selection_fills_in_arguments_that_are_required() {
    let library = Library::of(LIBRARY);
    for seed in 0..20 {
        let selection = library.select("query book", Manner::Full, seed);
        let text = library.text("query book", &selection);
        assert!(text.contains("price(currency:$v"), "{text}");
        assert!(!text.contains("sequel"), "a circle: {text}");
    }
}

#[test]
fn the_same_seed_selects_the_same() {
    let library = Library::of(LIBRARY);
    for manner in MANNERS {
        let select = |seed| library.select("query hits", manner, seed);
        assert_eq!(select(7), select(7));
    }
    let varied: Vec<Selection> = (0..20)
        .map(|seed| library.select("query hits", Manner::Varied, seed))
        .collect();
    assert!(varied.iter().any(|selection| *selection != varied[0]));
}

#[test]
fn what_is_required_is_asked_for_under_its_own_name() {
    let library = Library::of(LIBRARY);
    let mut selection = library.select("query hits", Manner::Plausible, 1);
    let mut require = |path: &[&str]| {
        library.making(Manner::Plausible, 2, |maker| selection.require(maker, path))
    };
    assert!(require(&["best", "price"]));
    assert!(require(&["name"]));
    assert!(require(&["__typename"]));
    assert!(!require(&["best", "shelf"]));
    assert!(!require(&["name", "first"]));
    let text = library.text("query hits", &selection);
    assert!(
        text.contains("best{title id price(currency:$v0)rating"),
        "{text}"
    );
    assert!(library.subject.has_way(&selection, &["best", "price"]));
}

#[test]
fn what_stood_under_the_name_of_something_required_makes_room() {
    let library = Library::of(LIBRARY);
    let mut selection = library.select("query hits", Manner::Plausible, 1);
    let types = &library.subject.api.types;
    let author = types.find("Author").expect("there");
    selection.parts.retain(|part| part.on == author);
    let done = library.making(Manner::Plausible, 2, |maker| {
        // Only books have one.
        selection.require(maker, &["sequel", "rating"]) && selection.require(maker, &["title"])
    });
    assert!(done);
    let text = library.text("query hits", &selection);
    assert!(text.contains("...on Book{title sequel{rating}}"), "{text}");
}

#[test]
fn an_impossible_way_changes_nothing() {
    let library = Library::of(LIBRARY);
    let mut selection = library.select("query book", Manner::Plausible, 1);
    let before = selection.clone();
    let mut require =
        |path: &[&str]| library.making(Manner::Varied, 2, |maker| selection.require(maker, path));
    assert!(!require(&["author", "name", "first"]));
    assert!(!require(&["author", "best", "nothing"]));
    assert!(!require(&["author"; 40]));
    assert_eq!(selection, before);
}

/// Every type and field that a selection asks for.
fn pairs(library: &Library, selection: &Selection) -> BTreeSet<(TypeId, u32)> {
    let mut pairs = BTreeSet::new();
    selection.pairs(&library.subject.api.types, &mut |on, field| {
        pairs.insert((on, field));
    });
    pairs
}

#[test]
fn small_changes_reach_every_field() {
    let library = Library::of(LIBRARY);
    let mut selection = library.select("query node", Manner::Plausible, 1);
    let mut seen = BTreeSet::new();
    library.making(Manner::Varied, 3, |maker| {
        for _ in 0..2000 {
            let before = selection.clone();
            maker.reselect(&mut selection);
            assert_ne!(selection, before);
            library.text("query node", &selection);
            seen.extend(pairs(&library, &selection));
        }
    });
    let types = &library.subject.api.types;
    for name in ["Node", "Book", "Author"] {
        let on = types.find(name).expect("there");
        let missed: Vec<&str> = (types.fields(on).iter().enumerate())
            .filter(|(at, _)| !seen.contains(&(on, *at as u32)))
            .map(|(_, field)| &*field.name)
            .collect();
        assert!(missed.is_empty(), "{name}: {missed:?}");
    }
}

#[test]
fn a_change_is_small() {
    let library = Library::of(LIBRARY);
    let selection = library.select("query book", Manner::Plausible, 1);
    let kept = (0..200)
        .filter(|seed| {
            let mut changed = selection.clone();
            library.making(Manner::Plausible, *seed, |maker| {
                maker.reselect(&mut changed);
            });
            let (before, after) = (pairs(&library, &selection), pairs(&library, &changed));
            before.symmetric_difference(&after).count() <= 5
        })
        .count();
    assert!(kept > 150, "{kept} of 200 were small");
}

#[test]
fn shrinking_ends_at_a_single_field() {
    let library = Library::of(LIBRARY);
    for label in ["query book", "query books", "mutation addBook"] {
        for seed in 0..10 {
            let mut selection = library.select(label, Manner::Varied, seed);
            let types = &library.subject.api.types;
            while let Some(last) = selection.simpler(types).pop() {
                assert!(last.size() < selection.size());
                library.text(label, &last);
                selection = last;
            }
            assert_eq!(selection.size(), 1, "{label}");
        }
    }
}

#[test]
fn the_simplest_comes_first_and_each_single_loss_is_offered() {
    let library = Library::of(LIBRARY);
    let selection = library.select("query book", Manner::Plausible, 1);
    let simpler = selection.simpler(&library.subject.api.types);
    let texts: Vec<String> = simpler
        .iter()
        .map(|selection| library.text("query book", selection))
        .collect();
    assert_eq!(texts[0], "{book(id:$v0){title}}");
    assert_eq!(texts[1], "{book(id:$v0){title id rating}}");
    for wanted in [
        "{book(id:$v0){id rating author{id name rating}}}",
        "{book(id:$v0){title id rating author{id name}}}",
    ] {
        assert!(texts.iter().any(|text| text == wanted), "{wanted}");
    }
}

#[test]
fn types_that_lead_to_nothing_but_each_other_cost_little() {
    const MANY: usize = 60;
    let mut sdl = String::from("type Query { t0: T0 }\n");
    for at in 0..MANY {
        let fields: Vec<String> = (0..MANY).map(|to| format!("f{to}: T{to}")).collect();
        sdl.push_str(&format!("type T{at} {{ {} }}\n", fields.join(" ")));
    }
    let library = Library::of(&sdl);
    for manner in MANNERS {
        let selection = library.select("query t0", manner, 1);
        assert!(selection.size() < 300);
        library.text("query t0", &selection);
    }
}
