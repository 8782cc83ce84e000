//! The Seed Bank as a caller sees it, and ways to fill it.

use fossick_demo::{Faults, GraphqlFault, Service, serve_graphql};
use serde_json::{Value, json};

use crate::wire::{Answer, send};

pub(crate) struct Bank {
    service: Service,
}

impl Bank {
    pub(crate) fn open(faults: Faults<GraphqlFault>) -> Self {
        let service = serve_graphql(faults, 0).expect("loopback has a free port");
        Self { service }
    }

    pub(crate) fn raw(&self, line: &str, headers: &[&str], body: &str) -> Answer {
        send(self.service.address, line, headers, body).expect("the bank never hangs up")
    }

    pub(crate) fn post(&self, body: &Value) -> Answer {
        let headers = ["content-type: application/json"];
        self.raw("POST /graphql", &headers, &body.to_string())
    }

    /// Sends parameters in the query of the URL.
    pub(crate) fn get(&self, parameters: &[(&str, &str)]) -> Answer {
        let pairs = parameters
            .iter()
            .map(|(n, v)| format!("{n}={}", escaped(v)));
        let pairs: Vec<_> = pairs.collect();
        self.raw(&format!("GET /graphql?{}", pairs.join("&")), &[], "")
    }

    /// What an operation with variables is answered, which must be a 200.
    pub(crate) fn ask(&self, query: &str, variables: &Value) -> Value {
        let answer = self.post(&json!({"query": query, "variables": variables}));
        assert_eq!(answer.status, 200, "{query} {variables}: {}", answer.text);
        answer.json()
    }

    /// The data of an operation that has no errors.
    pub(crate) fn data(&self, query: &str, variables: &Value) -> Value {
        let answer = self.ask(query, variables);
        assert_eq!(answer.get("errors"), None, "{query} {variables}");
        answer["data"].clone()
    }

    /// Makes a variety and gives its id.
    pub(crate) fn variety(&self, habit: &str) -> Value {
        let made = self.data(
            "mutation($input: VarietyInput!) { createVariety(input: $input) { id } }",
            &json!({"input": variety(habit)}),
        );
        made["createVariety"]["id"].clone()
    }

    /// Makes a lot of a new variety and gives its id.
    pub(crate) fn lot(&self, input: &Value) -> Value {
        let made = self.data(
            "mutation($of: Int!, $input: LotInput!) {
               createLot(varietyId: $of, input: $input) { lot { id } userErrors { message } }
             }",
            &json!({"of": self.variety("TREE"), "input": input}),
        );
        assert_eq!(made["createLot"]["userErrors"], json!([]));
        made["createLot"]["lot"]["id"].clone()
    }

    /// Makes a keeper and gives its id.
    pub(crate) fn keeper(&self, input: &Value) -> Value {
        let made = self.data(
            "mutation($input: KeeperInput!) { createKeeper(input: $input) { id } }",
            &json!({"input": input}),
        );
        made["createKeeper"]["id"].clone()
    }
}

pub(crate) fn variety(habit: &str) -> Value {
    json!({"name": "Purple Podded", "habit": habit, "story": "From a jar", "aliases": ["Podded"],
           "seasons": [[3, 5], [8]], "origin": {"place": "Hill", "foundOn": "1969-07-20"}})
}

fn escaped(text: &str) -> String {
    let bytes = text.bytes();
    bytes.fold(String::new(), |url, byte| format!("{url}%{byte:02x}"))
}
