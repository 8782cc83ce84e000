//! Where steps and sequences are made.
//!
//! It borrows everything that sampling and mutation need for the time of one proposal.

use fossick_contract::{Api, Operation, OperationIndex};
use fossick_genes::{Gene, Maker, Manner, Rng, Source, Values};
use fossick_graph::Graph;
use fossick_plan::{Ask, BodyValue, Plan, Step, best_content};
use fossick_trace::Role;
use fossick_validate::Validators;

use crate::caller::{RARELY, forms};
use crate::creators::Creators;
use crate::dependencies::Dependencies;
use crate::dice;
use crate::impact::Impacts;
use crate::sequence::{Handling, Sequence};
use crate::{Resources, Settings};

/// Draws before a call that may be sent is given up.
const TRIES: usize = 40;

pub(crate) struct Workshop<'w> {
    pub(crate) api: &'w Api,
    pub(crate) validators: &'w Validators,
    pub(crate) graph: &'w Graph,
    pub(crate) values: &'w Values,
    pub(crate) allows: &'w dyn Fn(&Plan) -> bool,
    pub(crate) resources: &'w Resources,
    pub(crate) creators: &'w Creators,
    pub(crate) dependencies: &'w Dependencies,
    pub(crate) impacts: &'w Impacts,
    pub(crate) settings: &'w Settings,
    pub(crate) rng: &'w mut Rng,
    /// The share of the budget that is used.
    pub(crate) spent: f64,
}

impl Workshop<'_> {
    pub(crate) fn maker(&mut self, manner: Manner) -> Maker<'_> {
        Maker {
            api: self.api,
            validators: self.validators,
            values: self.values,
            rng: self.rng,
            manner,
        }
    }

    /// A step with every value its own.
    pub(crate) fn step(&mut self, index: OperationIndex, role: Role) -> Step {
        let manner = self.manner(role);
        let operation = self.api.operation(index);
        let mut step = Step::new(index, operation.parameters.len());
        step.role = role;
        for at in 0..operation.parameters.len() {
            if operation.parameters[at].required || self.chooses_optional(manner) {
                step.arguments[at] = Some(self.argument(operation, at, manner));
            }
        }
        step.body = self.body(operation, manner);
        step.ask = self.ask(operation, manner);
        if self.has_callers(&step) && dice::chance(self.rng, RARELY) {
            self.change_caller(&mut step);
        }
        step
    }

    fn manner(&mut self, role: Role) -> Manner {
        let plain = role == Role::Setup && !self.settings.draws_values();
        if plain && dice::chance(self.rng, self.settings.plausible_creation) {
            Manner::Plausible
        } else {
            Manner::Varied
        }
    }

    fn chooses_optional(&mut self, manner: Manner) -> bool {
        manner == Manner::Varied && dice::chance(self.rng, 0.5)
    }

    pub(crate) fn argument(&mut self, operation: &Operation, at: usize, manner: Manner) -> Gene {
        let parameter = &operation.parameters[at];
        match parameter.examples.first() {
            Some(example) if manner == Manner::Plausible => {
                Gene::literal(example.clone(), Source::Example)
            }
            _ => {
                let mut gene = self.maker(manner).sample(&parameter.name, parameter.shape);
                self.redraw(&mut gene, parameter.shape);
                gene
            }
        }
    }

    pub(crate) fn body(&mut self, operation: &Operation, manner: Manner) -> Option<BodyValue> {
        let body = operation.body.as_ref()?;
        if !body.required && manner == Manner::Varied && dice::chance(self.rng, 0.1) {
            return None;
        }
        let forms = forms(operation);
        let others = manner == Manner::Varied && forms.len() > 1;
        let rare = others && dice::chance(self.rng, RARELY);
        let content = dice::pick(self.rng, &forms).filter(|_| rare);
        let content = content.unwrap_or_else(|| best_content(body));
        self.body_in(operation, content, manner)
    }

    /// A body of one of the declared contents.
    pub(crate) fn body_in(
        &mut self,
        operation: &Operation,
        content: usize,
        manner: Manner,
    ) -> Option<BodyValue> {
        let body = operation.body.as_ref()?;
        let declared = body.contents.get(content)?;
        let example = declared.examples.first();
        let gene = match (example, declared.shape) {
            (Some(example), _) if manner == Manner::Plausible => {
                Gene::literal(example.clone(), Source::Example)
            }
            (_, Some(shape)) => {
                let mut gene = self.maker(manner).sample("body", shape);
                self.redraw(&mut gene, shape);
                gene
            }
            (Some(example), None) => Gene::literal(example.clone(), Source::Example),
            (None, None) => Gene::literal(serde_json::json!({}), Source::Random),
        };
        Some(BodyValue { content, gene })
    }

    fn ask(&mut self, operation: &Operation, manner: Manner) -> Option<Ask> {
        let root = operation.graphql.as_ref()?;
        let returns = &self.api.root_field(root).returns;
        Some(Ask {
            selection: self.maker(manner).select_returned(returns),
            inline: self.settings.inline,
            ..Ask::default()
        })
    }

    /// A call of any operation that may be called now, as a handling of its own. The number of
    /// calls was chosen before: whatever is not allowed is drawn again, so that long tests stay as
    /// likely as short ones.
    pub(crate) fn add_random_call(&mut self, sequence: &mut Sequence) {
        for _ in 0..TRIES {
            let index = OperationIndex(dice::index(self.rng, self.api.operations.len()) as u32);
            let step = self.step(index, Role::Main);
            sequence.plan.steps.push(step);
            if (self.allows)(&sequence.plan) {
                sequence.handlings.push(Handling {
                    resource: self.resources.of_operation(index),
                    template: None,
                    steps: 1,
                });
                return;
            }
            sequence.plan.steps.pop();
        }
    }

    /// One call or several of whatever operations.
    pub(crate) fn random(&mut self) -> Sequence {
        let mut sequence = Sequence::default();
        if self.api.operations.is_empty() {
            return sequence;
        }
        for _ in 0..dice::size(self.rng, 1, self.settings.max_test_size.max(1)) {
            self.add_random_call(&mut sequence);
        }
        sequence
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use fossick_ingest::{NoFetch, Source as Document, read, read_sdl};
    use fossick_testkit::document;
    use rand::SeedableRng as _;
    use serde_json::{Value, json};

    fn source(name: &str, text: &str) -> Document {
        Document {
            name: name.to_owned(),
            text: text.to_owned(),
        }
    }

    pub(crate) fn rest(paths: Value) -> Api {
        let source = source("api.json", &document(paths));
        read(&source, &mut NoFetch).expect("reads").api
    }

    pub(crate) fn hole(name: &str) -> Value {
        json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}})
    }

    fn text(name: &str) -> Value {
        json!({"name": name, "in": "query", "schema": {"type": "string"}})
    }

    fn answers() -> Value {
        let thing = json!({"type": "object", "properties": {"id": {"type": "string"}}});
        json!({"200": {"description": "", "content": {"application/json": {"schema": thing}}}})
    }

    fn call(parameters: &[Value]) -> Value {
        json!({"parameters": parameters, "responses": answers()})
    }

    fn sends(parameters: &[Value], properties: &Value, required: &[&str]) -> Value {
        let shape = json!({"type": "object", "properties": properties, "required": required});
        json!({
            "parameters": parameters,
            "requestBody": {"required": true, "content": {"application/json": {"schema": shape}}},
            "responses": answers(),
        })
    }

    /// Products in a collection, warehouses under names of ours, and stock that refers to both.
    pub(crate) fn shop() -> Api {
        let named = json!({"name": {"type": "string"}, "price": {"type": "integer"}});
        rest(json!({
            "/products": {
                "post": sends(&[], &named, &["name"]),
                "get": call(&[text("search")]),
            },
            "/products/{id}": {
                "get": call(&[hole("id")]),
                "patch": sends(&[hole("id")], &named, &[]),
                "delete": call(&[hole("id")]),
            },
            "/products/{key}": {"put": sends(&[hole("key")], &named, &["name"])},
            "/warehouses/{name}": {
                "post": call(&[hole("name"), text("capacity")]),
                "get": call(&[hole("name")]),
                "delete": call(&[hole("name")]),
            },
            "/stock/{productName}": {
                "post": call(&[hole("productName"), text("warehouse")]),
                "get": call(&[hole("productName")]),
            },
            "/health": {"get": call(&[])},
        }))
    }

    /// Orders that are sent with their address, which is then one of the addresses.
    pub(crate) fn orders() -> Api {
        let number = json!({"type": "integer"});
        let address = json!({"type": "object", "required": ["id"],
            "properties": {"id": number, "street": {"type": "string"}}});
        let order = json!({"note": {"type": "string"}, "address": address});
        let new = json!({"orderId": number, "street": {"type": "string"}});
        rest(json!({
            "/orders": {"post": sends(&[], &order, &["note", "address"])},
            "/addresses": {"post": sends(&[], &new, &["orderId"])},
            "/addresses/{id}": {"get": call(&[hole("id")]), "delete": call(&[hole("id")])},
        }))
    }

    /// Tasks below projects.
    pub(crate) fn tracker() -> Api {
        let named = json!({"title": {"type": "string"}});
        rest(json!({
            "/projects": {"post": sends(&[], &named, &["title"]), "get": call(&[])},
            "/projects/{id}": {"get": call(&[hole("id")]), "delete": call(&[hole("id")])},
            "/projects/{id}/report": {"get": call(&[hole("id")])},
            "/projects/{id}/tasks": {
                "post": sends(&[hole("id")], &named, &["title"]),
                "get": call(&[hole("id")]),
            },
            "/projects/{id}/tasks/{task}": {
                "get": call(&[hole("id"), hole("task")]),
                "patch": sends(&[hole("id"), hole("task")], &named, &[]),
            },
        }))
    }

    /// Books of authors, in GraphQL.
    pub(crate) fn library() -> Api {
        let text = "
            type Query { book(id: ID!): Book  books(first: Int): [Book!]!  author(id: ID!): Author }
            type Mutation {
              createAuthor(name: String!): Author!
              createBook(title: String!, authorId: ID!): Book!
              updateBook(id: ID!, title: String, pages: Int): Book
              deleteBook(id: ID!): Book
            }
            type Book { id: ID! title: String! pages: Int author: Author! }
            type Author { id: ID! name: String! books(first: Int): [Book!]! }";
        read_sdl(&[source("schema.graphql", text)])
            .expect("reads")
            .api
    }

    /// Everything that a workshop borrows.
    pub(crate) struct Bench {
        pub(crate) api: Api,
        validators: Validators,
        graph: Graph,
        values: Values,
        pub(crate) resources: Resources,
        pub(crate) creators: Creators,
        pub(crate) dependencies: Dependencies,
        pub(crate) impacts: Impacts,
        pub(crate) settings: Settings,
        rng: Rng,
    }

    impl Bench {
        pub(crate) fn of(api: Api, seed: u64) -> Self {
            let graph = Graph::of(&api);
            let creators = Creators::of(&api, &graph);
            let resources = Resources::of(&api, |index| creators.can_create(index));
            Self {
                validators: Validators::new(&api),
                values: Values::new(),
                dependencies: Dependencies::new(resources.len()),
                impacts: Impacts::default(),
                settings: Settings::default().with_resources(),
                rng: Rng::seed_from_u64(seed),
                graph,
                creators,
                resources,
                api,
            }
        }

        pub(crate) fn workshop(&mut self) -> Workshop<'_> {
            Workshop {
                api: &self.api,
                validators: &self.validators,
                graph: &self.graph,
                values: &self.values,
                allows: &|_| true,
                resources: &self.resources,
                creators: &self.creators,
                dependencies: &self.dependencies,
                impacts: &self.impacts,
                settings: &self.settings,
                rng: &mut self.rng,
                spent: 0.0,
            }
        }

        pub(crate) fn labels(&self, sequence: &Sequence) -> Vec<String> {
            let steps = sequence.plan.steps.iter();
            let labels = steps.map(|step| self.api.operation(step.operation).label.clone());
            labels.collect()
        }

        pub(crate) fn resource(&self, name: &str) -> crate::ResourceId {
            let mut all = self.resources.iter();
            all.find(|(_, r)| r.name == name).expect("there is one").0
        }
    }

    #[test]
    fn a_random_test_is_no_longer_than_allowed_and_needs_nothing() {
        let mut bench = Bench::of(shop(), 1);
        for _ in 0..50 {
            let sequence = bench.workshop().random();
            assert!((1..=10).contains(&sequence.len()));
            assert!(sequence.is_sound());
            assert!(sequence.plan.steps.iter().all(|step| step.binds.is_empty()));
        }
    }
}
