//! Runs a handler: its lines one after the other, noting what is reached.
//!
//! Nothing is written before `Save`, so a call that is refused has changed nothing.

use crate::distance::{Sides, among, equal, flat, less};
use crate::exchange::Reply;
use crate::input::Input;
use crate::model::Link;
use crate::program::{
    Action, Class, Condition, Handler, If, Joined, Key, Program, Refusal, Statement, Test,
};
use crate::store::{Item, Store};
use crate::trail::Trail;

pub(crate) struct Engine<'a> {
    program: &'a Program,
    handler: &'a Handler,
    store: &'a mut Store,
    input: &'a Input,
    trail: &'a mut Trail,
    /// What the call works on, and what it would own: a slot, an id, a value.
    item: Item,
    owned: Vec<(usize, i32, i32)>,
    is_new: bool,
    ours: Vec<i32>,
    theirs: Vec<i32>,
}

impl<'a> Engine<'a> {
    pub(crate) fn new(
        program: &'a Program,
        handler: &'a Handler,
        store: &'a mut Store,
        input: &'a Input,
        trail: &'a mut Trail,
    ) -> Self {
        Self {
            item: Item::of(&program.classes[handler.class]),
            program,
            handler,
            store,
            input,
            trail,
            owned: Vec::new(),
            is_new: false,
            ours: Vec::new(),
            theirs: Vec::new(),
        }
    }

    pub(crate) fn run(mut self) -> Reply {
        for line in &self.handler.lines {
            self.trail.line(line.number, line.target);
            let reply = match &line.statement {
                Statement::Do(action) => self.act(*action),
                Statement::If(it) if self.is_taken(it) => {
                    self.trail.line(line.number + 1, it.then_target);
                    self.act(it.then)
                }
                Statement::If(_) => None,
            };
            if let Some(reply) = reply {
                return reply;
            }
        }
        // Every program ends with a return.
        Reply::empty(500)
    }

    fn is_taken(&mut self, it: &If) -> bool {
        let decides = it.joined == Joined::Any;
        for condition in &it.conditions {
            if (self.holds(condition) == condition.wanted) == decides {
                return decides;
            }
        }
        !decides
    }

    fn holds(&mut self, condition: &Condition) -> bool {
        let sides = self.sides(condition.test);
        self.trail.branch(condition, sides);
        sides.holds
    }

    fn sides(&mut self, test: Test) -> Sides {
        match test {
            Test::Exists(class, key) => self.exists(class, self.key(key)),
            Test::IsOurs(slot) => self.is_this(self.owner_of(slot)),
            Test::OwnerHasOne => flat(self.held_by_owner().is_some()),
            Test::ItIsThis => self.is_this(self.held_by_owner()),
            Test::NameIsGiven => flat(self.input.name.is_some()),
            Test::Any => flat(self.store.all(self.handler.class).next().is_some()),
            Test::ValueIsGiven => flat(self.input.value.is_some()),
            Test::NeedIsGiven(number) => flat(self.input.needs[number].is_some()),
            Test::IsNew => flat(self.is_new),
            Test::MedianIsLess => less(median(&self.ours), median(&self.theirs)),
            Test::AverageIsLess => less(average(&self.ours), average(&self.theirs)),
        }
    }

    fn exists(&mut self, class: usize, id: i32) -> Sides {
        let nearest = self.store.nearest(class, id);
        self.trail.compared(id, nearest);
        among(id, nearest)
    }

    fn is_this(&mut self, id: Option<i32>) -> Sides {
        self.trail.compared(self.input.id, id);
        id.map_or(flat(false), |id| equal(self.input.id.into(), id.into()))
    }

    fn key(&self, key: Key) -> i32 {
        match key {
            Key::This => self.input.id,
            Key::Owned(slot) => self.input.owned[slot].0,
            Key::Owner => self.input.owner.unwrap_or_default(),
            Key::Need(number) => self.input.needs[number].unwrap_or(self.item.needs[number]),
        }
    }

    fn class(&self) -> &'a Class {
        &self.program.classes[self.handler.class]
    }

    /// Whose the thing is that is to be owned.
    fn owner_of(&self, slot: usize) -> Option<i32> {
        let class = self.class().owns[slot];
        self.store.get(class, self.key(Key::Owned(slot)))?.owner
    }

    /// What the owner has where this one is to be.
    fn held_by_owner(&self) -> Option<i32> {
        let owner = self.class().owner?;
        let holder = self.store.get(owner.class, self.key(Key::Owner))?;
        holder.owned[owner.slot]
    }

    fn act(&mut self, action: Action) -> Option<Reply> {
        match action {
            Action::Find => self.find(),
            Action::SetName => self.item.name = self.input.name.clone().unwrap_or_default(),
            Action::SetValue => self.item.value = self.input.value.unwrap_or_default(),
            Action::Make => self.is_new = true,
            Action::Own(slot) => {
                let (id, value) = self.input.owned[slot];
                self.owned.push((slot, id, value));
            }
            Action::SetOwner => self.item.owner = self.input.owner,
            Action::Refer(number) => self.item.needs[number] = self.key(Key::Need(number)),
            Action::TakeOurValues => self.ours = self.our_values(),
            Action::TakeTheirValues => self.theirs = self.their_values(),
            Action::Save => self.save(),
            Action::Delete => {
                let (class, id) = (self.handler.class, self.input.id);
                self.store.remove(&self.program.classes, class, id);
            }
            // The answer is written when it is returned.
            Action::FindAll | Action::Show(_) | Action::ShowAll => {}
            Action::Return(status) => return Some(self.reply(status)),
            Action::Refuse(refusal) => return Some(self.refuse(refusal)),
        }
        None
    }

    fn find(&mut self) {
        if let Some(found) = self.store.get(self.handler.class, self.input.id) {
            self.item = found.clone();
        }
    }

    /// Of one that owns several, the values of these; of any other, its own.
    fn our_values(&self) -> Vec<i32> {
        let owns = &self.class().owns;
        if owns.len() < 2 {
            return vec![self.item.value];
        }
        let stored = self.item.owned.iter().zip(owns);
        let stored = stored.filter_map(|(id, class)| Some(self.store.get(*class, (*id)?)?.value));
        let values: Vec<i32> = if self.owned.is_empty() {
            stored.collect()
        } else {
            self.owned.iter().map(|(_, _, value)| *value).collect()
        };
        if values.is_empty() {
            return vec![self.item.value];
        }
        values
    }

    fn their_values(&self) -> Vec<i32> {
        let needs = self.class().needs.iter().enumerate();
        needs
            .filter(|(_, need)| need.kind == Link::Property)
            .filter_map(|(number, need)| self.store.get(need.class, self.key(Key::Need(number))))
            .map(|item| item.value)
            .collect()
    }

    fn save(&mut self) {
        self.save_owned();
        let (class, id) = (self.handler.class, self.input.id);
        let before = self.store.get(class, id).and_then(|item| item.owner);
        self.set_slot(before, None);
        self.set_slot(self.item.owner, Some(id));
        self.store
            .put(&self.program.classes, class, id, self.item.clone());
    }

    /// Says to an owner what it has where this one belongs.
    fn set_slot(&mut self, holder: Option<i32>, content: Option<i32>) {
        if let (Some(owner), Some(holder)) = (self.class().owner, holder)
            && let Some(holder) = self.store.get_mut(owner.class, holder)
        {
            holder.owned[owner.slot] = content;
        }
    }

    fn save_owned(&mut self) {
        let classes = &self.program.classes;
        for (slot, id, value) in std::mem::take(&mut self.owned) {
            let class = self.class().owns[slot];
            if let Some(before) = self.item.owned[slot].replace(id)
                && before != id
            {
                self.store.remove(classes, class, before);
            }
            let mut owned = Item::of(&classes[class]);
            owned.value = value;
            owned.owner = Some(self.input.id);
            self.store.put(classes, class, id, owned);
        }
    }

    fn reply(&self, status: u16) -> Reply {
        use crate::model::Method::{Get, GetCollection};
        let mut body = String::new();
        match self.handler.method {
            GetCollection => self.list(&mut body),
            Get => self.show(self.input.id, &self.item, &mut body),
            // Whoever changes something is told by the status alone.
            _ => return Reply::empty(status),
        }
        Reply::json(status, body)
    }

    fn list(&self, body: &mut String) {
        body.push('[');
        for (id, item) in self.store.all(self.handler.class) {
            if body.len() > 1 {
                body.push(',');
            }
            self.show(id, item, body);
        }
        body.push(']');
    }

    fn show(&self, id: i32, item: &Item, body: &mut String) {
        self.store
            .show(self.program, self.handler.class, id, item, body);
    }

    fn refuse(&self, refusal: Refusal) -> Reply {
        Reply::problem(refusal.status(self.program.paths), refusal.words())
    }
}

/// The middle one, or between the two in the middle.
fn median(values: &[i32]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let middle = sorted.len().saturating_sub(1) / 2;
    let both = sorted.iter().skip(middle).take(2 - sorted.len() % 2);
    average(&both.copied().collect::<Vec<i32>>())
}

fn average(values: &[i32]) -> f64 {
    let sum: i64 = values.iter().copied().map(i64::from).sum();
    sum as f64 / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_in_the_middle() {
        assert_eq!(median(&[9, 1, 5]), 5.0);
        assert_eq!(median(&[9, 1, 5, 6]), 5.5);
        assert_eq!(median(&[3]), 3.0);
        assert_eq!(median(&[]), 0.0);
        assert_eq!(average(&[i32::MAX, i32::MAX]), f64::from(i32::MAX));
    }
}
