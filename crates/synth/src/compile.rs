//! From a model to the programs of its handlers.
//!
//! The order of the checks is that of the paper: whether the resource is there, then what it
//! owns, then what must exist, then what its values must be; each is an `if` of its own.

use std::sync::Arc;

use fossick_probe::{Descriptor, Kind};

use crate::model::{Dependency, Link, Method, Model, ModelError, Paths, camel, unique};
use crate::program::{
    Action, Class, Condition, Handler, If, Joined, Key, Line, Need, Owner, Program, Refusal, Shown,
    Statement, Test,
};

impl Program {
    pub(crate) fn of(model: &Model) -> Result<Self, ModelError> {
        model.check()?;
        let classes = classes(model);
        let mut handlers = Vec::new();
        let mut targets = Vec::new();
        for (number, class) in classes.iter().enumerate() {
            for method in class.methods.iter().copied() {
                let writer = Writer::new(model.paths, &classes, number, method, &mut targets);
                handlers.push(writer.handler());
            }
        }
        Ok(Self {
            paths: model.paths,
            classes,
            handlers,
            targets,
        })
    }
}

fn classes(model: &Model) -> Vec<Class> {
    let mut classes: Vec<Class> = model
        .resources
        .iter()
        .map(|resource| {
            let field = camel(&resource.name);
            Class {
                name: resource.name.clone(),
                plural: format!("{field}s"),
                reference: format!("{field}Id"),
                field,
                methods: unique(&resource.methods),
                needs: Vec::new(),
                owns: Vec::new(),
                owner: None,
                shown: Vec::new(),
            }
        })
        .collect();
    for dependency in &model.dependencies {
        link(&mut classes, model, dependency);
    }
    if model.paths == Paths::Shown {
        for number in 0..classes.len() {
            let mut shown = Vec::new();
            above(&classes, number, &mut shown);
            classes[number].shown = shown;
        }
    }
    classes
}

/// What a class depends on, and what that depends on in turn, outermost first and each once; of
/// one that is owned, the owner.
fn above(classes: &[Class], number: usize, into: &mut Vec<usize>) {
    let class = &classes[number];
    for need in class.needs.iter().rev().map(|need| need.class) {
        if !into.contains(&need) {
            above(classes, need, into);
            into.push(need);
        }
    }
    let owner = class.owner.map(|owner| owner.class);
    let owner = owner.filter(|owner| !into.contains(owner));
    into.extend(owner);
}

fn link(classes: &mut [Class], model: &Model, dependency: &Dependency) {
    let number = |name| model.number(name).expect("the model was checked");
    let (from, to) = (number(&dependency.from), number(&dependency.to));
    match dependency.kind {
        Link::Composition => {
            let slot = classes[from].owns.len();
            classes[from].owns.push(to);
            classes[to].owner = Some(Owner { class: from, slot });
        }
        kind => classes[from].needs.push(Need { class: to, kind }),
    }
}

struct Writer<'a> {
    paths: Paths,
    classes: &'a [Class],
    class: usize,
    method: Method,
    name: Arc<str>,
    lines: Vec<Line>,
    /// The line that was written last.
    last: u32,
    targets: &'a mut Vec<Descriptor>,
}

impl<'a> Writer<'a> {
    fn new(
        paths: Paths,
        classes: &'a [Class],
        class: usize,
        method: Method,
        targets: &'a mut Vec<Descriptor>,
    ) -> Self {
        let name = format!("{}.{}", classes[class].name, method.word());
        Self {
            paths,
            classes,
            class,
            method,
            name: name.into(),
            lines: Vec::new(),
            last: 0,
            targets,
        }
    }

    fn handler(mut self) -> Handler {
        match self.method {
            Method::GetCollection => self.list(),
            Method::Post => self.post(),
            Method::Put => self.put(),
            Method::Patch => self.patch(),
            Method::Delete => self.delete(),
            Method::Get => self.get(),
        }
        self.act(Action::Return(success(self.method)));
        Handler {
            name: self.name,
            class: self.class,
            method: self.method,
            lines: self.lines,
        }
    }

    fn post(&mut self) {
        self.act(Action::Find);
        self.refuse_if(Test::Exists(self.class, Key::This), true, Refusal::Exists);
        self.act(Action::Make);
        self.composition();
        self.needs();
        self.act(Action::SetName);
        self.act(Action::SetValue);
        self.property();
        self.act(Action::Save);
    }

    fn put(&mut self) {
        self.act(Action::Find);
        let exists = Test::Exists(self.class, Key::This);
        self.when(&[(exists, false)], Joined::All, Action::Make);
        self.composition();
        self.needs();
        self.act(Action::SetName);
        self.act(Action::SetValue);
        self.property();
        self.act(Action::Save);
        self.when(&[(Test::IsNew, true)], Joined::All, Action::Return(201));
    }

    fn patch(&mut self) {
        self.must_be_there();
        self.needs();
        self.when(&[(Test::NameIsGiven, true)], Joined::All, Action::SetName);
        self.when(&[(Test::ValueIsGiven, true)], Joined::All, Action::SetValue);
        self.property();
        self.act(Action::Save);
    }

    fn get(&mut self) {
        self.must_be_there();
        for shown in [Shown::Id, Shown::Name, Shown::Value] {
            self.act(Action::Show(shown));
        }
        for number in 0..self.here().needs.len() {
            self.act(Action::Show(Shown::Need(number)));
        }
        for slot in 0..self.here().owns.len() {
            self.act(Action::Show(Shown::Owned(slot)));
        }
    }

    fn list(&mut self) {
        self.act(Action::FindAll);
        self.when(&[(Test::Any, true)], Joined::All, Action::ShowAll);
    }

    fn delete(&mut self) {
        self.must_be_there();
        self.act(Action::Delete);
    }

    fn must_be_there(&mut self) {
        self.act(Action::Find);
        self.refuse_if(Test::Exists(self.class, Key::This), false, Refusal::Missing);
    }

    fn composition(&mut self) {
        for slot in 0..self.here().owns.len() {
            let exists = Test::Exists(self.here().owns[slot], Key::Owned(slot));
            let elsewhere = [(exists, true), (Test::IsOurs(slot), false)];
            self.refuse_if_all(&elsewhere, Refusal::OwnedElsewhere);
            self.act(Action::Own(slot));
        }
        if let Some(owner) = self.here().owner {
            let exists = Test::Exists(owner.class, Key::Owner);
            self.refuse_if(exists, false, Refusal::NoOwner);
            let another = [(Test::OwnerHasOne, true), (Test::ItIsThis, false)];
            self.refuse_if_all(&another, Refusal::OwnerHasOne);
            self.act(Action::SetOwner);
        }
    }

    /// Something that is new can't have been there before, so only PUT asks the second question.
    fn refuse_if_all(&mut self, conditions: &[(Test, bool); 2], refusal: Refusal) {
        let asked = if self.method == Method::Put { 2 } else { 1 };
        self.when(&conditions[..asked], Joined::All, Action::Refuse(refusal));
    }

    fn needs(&mut self) {
        for number in 0..self.here().needs.len() {
            let class = self.here().needs[number].class;
            let exists = Test::Exists(class, Key::Need(number));
            self.refuse_if(exists, false, Refusal::NeedIsMissing);
            self.refer(number);
        }
    }

    fn refer(&mut self, number: usize) {
        let refer = Action::Refer(number);
        if self.method == Method::Patch && self.paths == Paths::Hidden {
            self.when(&[(Test::NeedIsGiven(number), true)], Joined::All, refer);
        } else {
            self.act(refer);
        }
    }

    fn property(&mut self) {
        let mut needs = self.here().needs.iter();
        if !needs.any(|need| need.kind == Link::Property) {
            return;
        }
        self.act(Action::TakeOurValues);
        self.act(Action::TakeTheirValues);
        let tests = [(Test::MedianIsLess, false), (Test::AverageIsLess, false)];
        self.when(&tests, Joined::Any, Action::Refuse(Refusal::ValuesTooHigh));
    }

    fn here(&self) -> &'a Class {
        &self.classes[self.class]
    }

    fn refuse_if(&mut self, test: Test, wanted: bool, refusal: Refusal) {
        self.when(&[(test, wanted)], Joined::All, Action::Refuse(refusal));
    }

    fn act(&mut self, action: Action) {
        let label = self.action_words(action);
        let (number, target) = self.line(label);
        self.lines.push(Line {
            number,
            target,
            statement: Statement::Do(action),
        });
    }

    fn when(&mut self, tests: &[(Test, bool)], joined: Joined, then: Action) {
        let (number, target) = self.line(self.if_words(tests, joined));
        let tests = tests.iter().zip(0..);
        let conditions = tests
            .map(|((test, wanted), ordinal)| self.condition(*test, *wanted, ordinal))
            .collect();
        let (_, then_target) = self.line(self.action_words(then));
        self.lines.push(Line {
            number,
            target,
            statement: Statement::If(If {
                conditions,
                joined,
                then,
                then_target,
            }),
        });
    }

    fn condition(&mut self, test: Test, wanted: bool, ordinal: u32) -> Condition {
        let label = self.test_words(test);
        Condition {
            test,
            wanted,
            if_true: self.target(Kind::BranchTrue, ordinal, label.clone()),
            if_false: self.target(Kind::BranchFalse, ordinal, label),
        }
    }

    fn line(&mut self, label: String) -> (u32, u32) {
        self.last += 1;
        (self.last, self.target(Kind::Line, 0, label))
    }

    fn target(&mut self, kind: Kind, ordinal: u32, label: String) -> u32 {
        let number = self.targets.len() as u32;
        self.targets.push(Descriptor {
            file: self.name.clone(),
            line: self.last,
            kind,
            ordinal,
            label,
        });
        number
    }

    fn if_words(&self, tests: &[(Test, bool)], joined: Joined) -> String {
        let words = |(test, wanted): &(Test, bool)| {
            let not = if *wanted { "" } else { "not " };
            format!("{not}{}", self.test_words(*test))
        };
        let words: Vec<String> = tests.iter().map(words).collect();
        let and = match joined {
            Joined::All => " and ",
            Joined::Any => " or ",
        };
        format!("if {}", words.join(and))
    }

    fn test_words(&self, test: Test) -> String {
        let here = self.here();
        match test {
            Test::Exists(class, key) => {
                let class = &self.classes[class];
                let key = match key {
                    Key::This => "id",
                    Key::Owned(_) => &format!("{}.id", class.field),
                    Key::Owner | Key::Need(_) => &class.reference,
                };
                format!("{} exists with {key}", class.name)
            }
            Test::IsOurs(slot) => format!("{} is owned here", self.classes[here.owns[slot]].name),
            Test::OwnerHasOne => "the owner has one".to_owned(),
            Test::ItIsThis => "it is this one".to_owned(),
            Test::NameIsGiven => "name is given".to_owned(),
            Test::ValueIsGiven => "value is given".to_owned(),
            Test::Any => "there is one".to_owned(),
            Test::NeedIsGiven(number) => format!("{} is given", self.need(number).reference),
            Test::IsNew => "it is new".to_owned(),
            Test::MedianIsLess => "median(ours) < median(theirs)".to_owned(),
            Test::AverageIsLess => "average(ours) < average(theirs)".to_owned(),
        }
    }

    fn action_words(&self, action: Action) -> String {
        let here = self.here();
        match action {
            Action::Find => format!("find {}", here.name),
            Action::FindAll => format!("find all of {}", here.name),
            Action::Make => format!("make {}", here.name),
            Action::SetName => "set name".to_owned(),
            Action::SetValue => "set value".to_owned(),
            Action::Own(slot) => format!("make {}", self.classes[here.owns[slot]].name),
            Action::SetOwner => "set owner".to_owned(),
            Action::Refer(number) => format!("set {}", self.need(number).reference),
            Action::TakeOurValues => "ours = values of what depends".to_owned(),
            Action::TakeTheirValues => "theirs = values depended on".to_owned(),
            Action::Save => "save".to_owned(),
            Action::Delete => "delete".to_owned(),
            Action::Show(shown) => format!("show {}", self.shown_words(shown)),
            Action::ShowAll => "show all".to_owned(),
            Action::Return(status) => format!("return {status}"),
            Action::Refuse(refusal) => format!("return {}", refusal.status(self.paths)),
        }
    }

    fn shown_words(&self, shown: Shown) -> &'a str {
        match shown {
            Shown::Id => "id",
            Shown::Name => "name",
            Shown::Value => "value",
            Shown::Need(number) => &self.need(number).reference,
            Shown::Owned(slot) => &self.classes[self.here().owns[slot]].field,
        }
    }

    fn need(&self, number: usize) -> &'a Class {
        &self.classes[self.here().needs[number].class]
    }
}

fn success(method: Method) -> u16 {
    match method {
        Method::Post => 201,
        Method::Delete => 204,
        _ => 200,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(name: &str) -> Program {
        let model = Model::named(name).expect("it is one of the twelve");
        Program::of(&model).expect("the twelve are consistent")
    }

    fn listing(program: &Program, handler: &str) -> Vec<String> {
        let targets = program.targets.iter();
        targets
            .filter(|it| &*it.file == handler && it.kind == Kind::Line)
            .map(|it| format!("{} {}", it.line, it.label))
            .collect()
    }

    #[test]
    fn checks_come_in_the_order_of_the_paper() {
        let program = program("dense-central-property-hidden");
        assert_eq!(
            listing(&program, "UEear.post"),
            [
                "1 find UEear",
                "2 if UEear exists with id",
                "3 return 409",
                "4 make UEear",
                "5 if OEXmz exists with oEXmz.id",
                "6 return 409",
                "7 make OEXmz",
                "8 if W27dt exists with w27dt.id",
                "9 return 409",
                "10 make W27dt",
                "11 if not B8v25 exists with b8v25Id",
                "12 return 422",
                "13 set b8v25Id",
                "14 if not IUJWo exists with iUJWoId",
                "15 return 422",
                "16 set iUJWoId",
                "17 set name",
                "18 set value",
                "19 ours = values of what depends",
                "20 theirs = values depended on",
                "21 if not median(ours) < median(theirs) or not average(ours) < average(theirs)",
                "22 return 422",
                "23 save",
                "24 return 201",
            ]
        );
    }

    #[test]
    fn numbers_are_those_of_the_list_of_targets() {
        let program = program("dense-central-property-shown");
        for line in program.handlers.iter().flat_map(|it| &it.lines) {
            let target = &program.targets[line.target as usize];
            assert_eq!((target.line, target.kind), (line.number, Kind::Line));
        }
        let mut keys: Vec<String> = program.targets.iter().map(Descriptor::key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), program.targets.len());
    }

    #[test]
    fn a_model_makes_the_same_program_each_time() {
        let name = "medium-deep-existence-hidden";
        assert_eq!(program(name).targets, program(name).targets);
    }
}
