//! The walk through a document: every path, every operation, each on its own.
//!
//! An operation that can't be understood is set aside with the reason, and the walk goes on.
//! Webhooks and callbacks are not calls that we make, so they are not read.

use std::collections::{HashMap, HashSet};

use fossick_contract::{
    Api, Diagnostic, Method, Operation, OperationIndex, PathTemplate, TypeGraph, Unusable,
};

use crate::looks::Named;
use crate::note::{Mark, Note, Notes};
use crate::parameter::Declared;
use crate::place::{Spot, spots};
use crate::reader::Reader;
use crate::reference::{Library, Loaded, Node};
use crate::schema::Schemas;
use crate::{Reading, body, link, parameter, response, security, server};

/// Why an operation can't be used, and where the reason stands.
pub(crate) struct Broken<'d> {
    pub(crate) reason: String,
    pub(crate) node: Node<'d>,
}

pub(crate) fn read(loaded: &Loaded<'_>, named: Named) -> Reading {
    let library = Library::new(loaded);
    let notes = Notes::default();
    let (mut api, marks) = walk(&library, &notes, named);
    let notes = notes.into_all();
    let noted = notes.iter().map(|note| note.mark);
    let all: Vec<_> = noted.chain(marks.operations.iter().copied()).collect();
    let spots = spots(loaded, &all);
    let place = |mark: &Mark| spots.get(&mark.address).and_then(|spot| spot.place.clone());
    for (operation, mark) in api.operations.iter_mut().zip(&marks.operations) {
        operation.place = place(mark);
    }
    for (unusable, mark) in api.unusable.iter_mut().zip(&marks.unusable) {
        unusable.place = place(mark);
    }
    Reading {
        api,
        diagnostics: told(notes, &spots),
    }
}

/// Where operations stand, in the order of the API's lists.
#[derive(Default)]
struct Marks {
    operations: Vec<Mark>,
    unusable: Vec<Mark>,
}

/// The notes as diagnostics, in the order of the text.
fn told(notes: Vec<Note>, spots: &HashMap<usize, Spot>) -> Vec<Diagnostic> {
    let mut told: Vec<_> = notes
        .into_iter()
        .map(|note| {
            let spot = spots.get(&note.mark.address).cloned().unwrap_or_default();
            let diagnostic = Diagnostic {
                level: note.level,
                message: note.message,
                pointer: spot.pointer,
                place: spot.place,
            };
            (note.mark.document, diagnostic)
        })
        .collect();
    told.sort_by_key(|(document, diagnostic)| {
        let place = diagnostic.place.as_ref();
        (*document, place.map(|place| (place.line, place.column)))
    });
    told.into_iter().map(|(_, diagnostic)| diagnostic).collect()
}

fn walk(library: &Library<'_>, notes: &Notes, named: Named) -> (Api, Marks) {
    let reader = Reader {
        library,
        notes,
        dialect: named.dialect,
    };
    let root = reader.root();
    if let (true, Some(version)) = (named.newer, root.get("openapi")) {
        reader.warn(version, "this version is newer than 3.1 and is read as 3.1");
    }
    let mut walk = Walk::new(reader);
    walk.paths();
    walk.finish()
}

/// A link that waits until all operations are known.
pub(crate) struct Pending<'d> {
    pub(crate) operation: usize,
    pub(crate) response: usize,
    pub(crate) name: &'d str,
    pub(crate) node: Node<'d>,
}

/// One operation on its way.
pub(crate) struct Call<'d> {
    pub(crate) label: String,
    pub(crate) node: Node<'d>,
    pub(crate) template: PathTemplate,
}

pub(crate) struct Walk<'d> {
    pub(crate) reader: Reader<'d>,
    pub(crate) schemas: Schemas<'d>,
    pub(crate) operations: Vec<Operation>,
    pub(crate) pending: Vec<Pending<'d>>,
    pub(crate) by_node: HashMap<usize, OperationIndex>,
    unusable: Vec<Unusable>,
    labels: HashSet<String>,
    marks: Marks,
}

impl<'d> Walk<'d> {
    fn new(reader: Reader<'d>) -> Self {
        Self {
            reader,
            schemas: Schemas::new(reader),
            operations: Vec::new(),
            pending: Vec::new(),
            by_node: HashMap::new(),
            unusable: Vec::new(),
            labels: HashSet::new(),
            marks: Marks::default(),
        }
    }

    fn finish(mut self) -> (Api, Marks) {
        link::resolve(&mut self);
        let root = self.reader.root();
        let text = |key| {
            let found = root.get("info").and_then(|info| info.get(key));
            found.map_or_else(String::new, |node| plain(node.value))
        };
        let (title, version) = (text("title"), text("version"));
        let (shapes, schemas) = self.schemas.finish();
        let api = Api {
            title,
            version,
            dialect: self.reader.dialect,
            servers: server::of_document(self.reader),
            operations: self.operations,
            shapes,
            types: TypeGraph::default(),
            schemas,
            security_schemes: security::schemes(self.reader),
            unusable: self.unusable,
        };
        (api, self.marks)
    }

    fn paths(&mut self) {
        let root = self.reader.root();
        let Some(paths) = root.get("paths").filter(|paths| paths.value.is_object()) else {
            self.reader
                .warn(root, "there are no paths: nothing to call");
            return;
        };
        for (path, item) in paths.entries() {
            if !path.starts_with("x-") {
                self.path(path, item);
            }
        }
    }

    fn path(&mut self, path: &'d str, item: Node<'d>) {
        if !path.starts_with('/') {
            self.reader.warn(
                item,
                format!("the path `{path}` must begin with `/`; read as if it did"),
            );
        }
        let text = format!("/{}", path.strip_prefix('/').unwrap_or(path));
        let mut items = vec![item];
        if item.reference().is_some() {
            items.extend(self.reader.follow_or_note(item, "the path"));
        }
        let mut seen = HashSet::new();
        for holder in &items {
            for (key, node) in holder.entries() {
                let Some(method) = Method::parse(key).filter(|_| node.value.is_object()) else {
                    continue;
                };
                if key != key.to_lowercase() {
                    self.reader
                        .warn(node, format!("the method `{key}` must be in lower case"));
                }
                if seen.insert(method) || items.len() == 1 {
                    self.operation(method, &text, &items, node);
                }
            }
        }
    }

    fn operation(&mut self, method: Method, path: &str, items: &[Node<'d>], node: Node<'d>) {
        let label = format!("{method} {path}");
        if !self.labels.insert(label.clone()) {
            self.reader.warn(
                node,
                format!("{label} is declared twice; the first one counts"),
            );
            return;
        }
        let declared = parameter::collect(self.reader, items, node);
        let call = Call {
            template: parameter::template(path, &declared),
            label,
            node,
        };
        match self.understood(method, &call, declared, items) {
            Ok(operation) => self.keep(operation, node),
            Err(broken) => self.set_aside(call.label, broken),
        }
    }

    fn understood(
        &mut self,
        method: Method,
        call: &Call<'d>,
        declared: Declared<'d>,
        items: &[Node<'d>],
    ) -> Result<Operation, Broken<'d>> {
        let node = call.node;
        let body = body::read(self, call, &declared)?;
        let parameters = parameter::read_all(self, call, declared)?;
        let text = |key| node.text(key).unwrap_or("").to_owned();
        Ok(Operation {
            label: call.label.clone(),
            operation_id: node.text("operationId").map(str::to_owned),
            method,
            path: call.template.clone(),
            tags: node
                .get("tags")
                .into_iter()
                .flat_map(Node::items)
                .map(|tag| plain(tag.value))
                .collect(),
            summary: text("summary"),
            description: text("description"),
            deprecated: node.flag("deprecated"),
            parameters,
            body,
            responses: response::read_all(self, call),
            security: security::of_operation(self.reader, node),
            server: server::of_operation(self.reader, node, items),
            place: None,
            graphql: None,
        })
    }

    fn keep(&mut self, operation: Operation, node: Node<'d>) {
        let index = OperationIndex(self.operations.len() as u32);
        self.by_node.insert(node.address(), index);
        self.operations.push(operation);
        self.marks.operations.push(node.into());
    }

    fn set_aside(&mut self, label: String, broken: Broken<'d>) {
        // Its responses may already have left links behind.
        let next = self.operations.len();
        self.pending.retain(|link| link.operation < next);
        let told = format!("{label} can't be tested: {}", broken.reason);
        self.reader.error(broken.node, told);
        self.marks.unusable.push(broken.node.into());
        self.unusable.push(Unusable {
            operation: label,
            reason: broken.reason,
            place: None,
        });
    }
}

/// Text, also where YAML made a number of it.
pub(crate) fn plain(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Null => String::new(),
        other => other.to_string(),
    }
}
