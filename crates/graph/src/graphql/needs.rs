//! What a GraphQL operation must be given that only the service can know: the keys of what it is
//! about, and references to other things, wherever in its arguments they stand.

use fossick_contract::{Api, Deed, Operation, RootField, TypeId};

use super::arguments::{Slot, each_slot, is_formatted, names_something, sort_of};
use super::columns::Column;
use super::names::{Names, Sort, without_owner};
use super::things::{Things, is_plain_field};
use super::trail::{Trail, core_of, only_wraps};
use crate::{Need, Place, Words};

/// A need, and what is known of whatever would meet it.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) need: Need,
    /// The type of the thing that is referred to.
    pub(crate) aim: Option<TypeId>,
    /// What the thing's own field would be called.
    pub(crate) key: Words,
    pub(crate) sort: Sort,
    /// How sure the aim is, in [0, 1].
    pub(crate) sure: f64,
    /// Only names say that it refers to something: nothing but that very key will do.
    pub(crate) natural: bool,
}

impl Wanted {
    pub(crate) fn at(slot: &Slot<'_>, aim: Aim, sort: Sort, natural: bool) -> Self {
        let need = Need {
            place: Place::Body(slot.pointer()),
            name: slot.name.to_string(),
            words: aim.words,
            required: slot.required,
            doubtful: false,
            shape: slot.shape,
            of: aim.thing,
        };
        Self {
            need,
            aim: aim.thing,
            key: aim.key,
            sort,
            sure: aim.sure,
            natural,
        }
    }
}

const MOST_NEEDS: usize = 24;

/// What the walk knows of the operation.
pub(crate) struct Asker<'a> {
    pub(crate) api: &'a Api,
    pub(crate) names: &'a Names<'a>,
    pub(crate) root: &'a RootField,
    pub(crate) things: &'a Things,
    /// The type it is about.
    pub(crate) subject: Option<TypeId>,
    /// What is known of that type's columns, where it is made or changed.
    pub(crate) columns: Vec<Column<'a>>,
}

impl Asker<'_> {
    pub(crate) fn wanted(&self, operation: &Operation) -> Vec<Wanted> {
        let mut found = Vec::new();
        each_slot(self.api, operation, |slot| found.extend(self.want(slot)));
        keep_required(&mut found);
        found
    }

    fn want(&self, slot: &Slot<'_>) -> Option<Wanted> {
        let shape = self.api.shape(slot.shape);
        let sort = sort_of(self.api, shape)?;
        let id = names_something(shape);
        let may_be_key = self.root.keys.iter().any(|key| key.contains(&**slot.name));
        let beside = self.is_beside_key(slot);
        if !(id || may_be_key || beside || slot.sounds_like_a_reference()) {
            return self.natural(slot);
        }
        let (name, trail) = slot.room.trail.named(&Words::of(slot.name))?;
        let pointer = slot.pointer();
        let aim = match () {
            () if is_bookkeeping(&name) => return None,
            () if beside || is_key(self.root, &pointer) => self.key(&name, &trail, id)?,
            () if !id && !is_reference(&name) => return self.natural(slot),
            () if is_formatted(shape) => return None,
            () => self.reference(&name, &trail, id)?,
        };
        Some(Wanted::at(slot, aim, sort, false))
    }

    /// Whether a field of the thing is asked for beside its key: `trend(id, project)` finds
    /// nothing unless both are of the same trend.
    fn is_beside_key(&self, slot: &Slot<'_>) -> bool {
        let Some(thing) = self.subject.filter(|_| slot.required && slot.lists == 0) else {
            return false;
        };
        let beside = match self.root.deed {
            Deed::Read | Deed::Delete => self.root.keys.iter().any(|key| slot.is_beside(key)),
            // What is new stands apart: `{id, project, patch: {…}}`.
            Deed::Update | Deed::Replace => slot.has_patch_beside(self.api),
            Deed::Create | Deed::Other => false,
        };
        beside && !self.root.listed && is_plain_field(self.names.types, thing, slot.name)
    }

    fn key(&self, name: &Words, trail: &Trail, id: bool) -> Option<Aim> {
        let Some(thing) = self.subject else {
            return Some(self.reference_to(name, trail, id));
        };
        if let Some(other) = self.parent_key(name, trail, thing, id) {
            return Some(other);
        }
        // Whoever makes a thing says itself what the thing is called.
        if self.root.deed == Deed::Create && (name.is_bare() || self.has_field(thing, name)) {
            return None;
        }
        Some(self.own_key(name, thing, id))
    }

    /// Keys may also say of what the thing is a part: `comment(postId, id)`.
    fn parent_key(&self, name: &Words, trail: &Trail, thing: TypeId, id: bool) -> Option<Aim> {
        let role = is_reference(name) || (id && !name.is_bare() && !only_wraps(name));
        if !role || (self.has_field(thing, name) && !self.names_another(name, thing, id)) {
            return None;
        }
        let aim = self.reference_to(name, trail, id);
        aim.thing.is_some_and(|on| on != thing).then_some(aim)
    }

    /// `setCover(bookId)` gives a cover that has a `bookId` too, but it is the book that must be
    /// there. Where a name says `by`, that is how the thing itself is found.
    fn names_another(&self, name: &Words, thing: TypeId, id: bool) -> bool {
        let gives = matches!(self.root.deed, Deed::Update | Deed::Replace | Deed::Other);
        let by = || Words::of(&self.api.root_field(self.root).name).0;
        let other = || self.names.type_called(&name.subject());
        let has_id = || self.has_field(thing, &Words::of("id"));
        id && gives
            && self.root.keys.len() == 1
            && is_reference(name)
            && other().is_some_and(|on| on != thing && self.names.has_key(on, &Words::of("id")))
            && has_id()
            && !by().iter().any(|word| word == "by")
    }

    fn own_key(&self, name: &Words, thing: TypeId, id: bool) -> Aim {
        let owner = self.names.words(thing);
        let mut key = without_owner(name, owner);
        if self.has_field(thing, name) {
            key = name.clone();
        } else if key.is_empty() {
            key = if id { Words::of("id") } else { name.clone() };
        } else if is_reference(&key) && !self.has_field(thing, &key) {
            key = last_word(&key);
        }
        Aim {
            words: key.qualified_by(owner),
            thing: Some(thing),
            key,
            sure: 1.0,
        }
    }

    fn reference(&self, name: &Words, trail: &Trail, id: bool) -> Option<Aim> {
        if !(id || is_reference(name)) {
            return None;
        }
        let aim = self.reference_to(name, trail, id);
        (!self.says_itself(name, &aim, trail)).then_some(aim)
    }

    /// What a reference refers to: `authorId` an author, `id` whatever holds it.
    fn reference_to(&self, name: &Words, trail: &Trail, id: bool) -> Aim {
        if id && only_wraps(name) {
            let part = self.part_of_subject(name);
            return part.unwrap_or_else(|| self.held(&Words::of("id"), trail));
        }
        if name.is_bare() {
            return self.held(name, trail);
        }
        let mut words = name.clone();
        if id && !is_reference(name) {
            words.0.push("id".to_owned());
        }
        let aim = self.played_by(words);
        let is_concrete = |on: TypeId| !self.names.types.get(on).is_abstract();
        if aim.thing.is_some_and(is_concrete) {
            return aim;
        }
        let held = [name, &aim.words].map(|own| self.held(own, trail));
        let held = held.into_iter().find(|held| self.has_own(held));
        held.or_else(|| self.taken_apart(name)).unwrap_or(aim)
    }

    /// By a column that leads somewhere, or by whatever plays the role that the words name.
    fn played_by(&self, words: Words) -> Aim {
        let key = last_word(&words);
        let led = self.subject.and_then(|on| self.names.led_to(on, &words));
        let played = || self.names.resolve(&words.subject(), self.subject, &key);
        let found = led.map(|on| (on, 1.0)).or_else(played);
        Aim {
            thing: found.map(|(on, _)| on),
            sure: found.map_or(1.0, |(_, sure)| sure),
            words,
            key,
        }
    }

    /// `removeValues` of an attribute means its values, although both words mostly only wrap.
    fn part_of_subject(&self, name: &Words) -> Option<Aim> {
        let roles = (0..name.0.len()).filter_map(|from| name.0.get(from..));
        let mut roles = roles.map(|role| Words(role.to_vec()));
        let thing = roles.find_map(|role| self.names.held(self.subject?, &role))?;
        let key = Words::of("id");
        Some(Aim {
            words: key.qualified_by(self.names.words(thing)),
            thing: Some(thing),
            key,
            sure: 1.0,
        })
    }

    /// `commitOid` is the `oid` of a commit.
    fn taken_apart(&self, name: &Words) -> Option<Aim> {
        (1..name.0.len()).find_map(|at| {
            let (role, key) = name.0.split_at_checked(at)?;
            let (role, key) = (Words(role.to_vec()), Words(key.to_vec()));
            let (on, sure) = self.names.resolve(&role, self.subject, &key)?;
            self.has_field(on, &key).then(|| Aim {
                words: name.clone(),
                thing: Some(on),
                key,
                sure,
            })
        })
    }

    /// Whether the thing that is meant has a field of the key's whole name: `objectId`.
    fn has_own(&self, aim: &Aim) -> bool {
        aim.thing.is_some_and(|on| self.has_field(on, &aim.key))
    }

    /// The key of whatever holds it: by the field above, by its input type, by the operation.
    fn held(&self, name: &Words, trail: &Trail) -> Aim {
        let holder = trail.holder().map(core_of);
        let of_thing = |role| self.names.held(self.subject?, role);
        let fits = |on| self.names.has_key(on, name);
        let input = || self.names.type_within(&Words::of(trail.input()?), fits);
        let found = match &holder {
            Some(role) => (of_thing(role).or_else(input).map(|on| (on, 1.0)))
                .or_else(|| self.names.resolve(role, self.subject, name)),
            None => input().or(self.subject).map(|on| (on, 1.0)),
        };
        let owner = holder.or_else(|| found.map(|(on, _)| self.names.words(on).clone()));
        Aim {
            words: name.qualified_by(&owner.unwrap_or_default()),
            thing: found.map(|(on, _)| on),
            key: name.clone(),
            sure: found.map_or(1.0, |(_, sure)| sure),
        }
    }

    /// Whether a would-be reference is the name that something new or changed gets.
    fn says_itself(&self, name: &Words, aim: &Aim, trail: &Trail) -> bool {
        let key = name.is_bare() || aim.thing.is_some_and(|on| self.has_field(on, name));
        let gives = matches!(self.root.deed, Deed::Create | Deed::Update | Deed::Replace);
        let own_value = gives && !name.is_bare() && aim.key == *name;
        if (key && trail.makes()) || (own_value && !trail.picks()) {
            return true;
        }
        let (Some(thing), Some(subject)) = (aim.thing, self.subject) else {
            return false;
        };
        let writes = self.root.deed == Deed::Create
            || (self.root.deed != Deed::Read && !self.root.keys.is_empty());
        let held = |holder: &Words| core_of(holder) == *self.names.words(subject);
        let here = trail.holder().is_none_or(held);
        key && writes && here && thing == subject && !trail.picks()
    }

    fn has_field(&self, on: TypeId, name: &Words) -> bool {
        self.names.leaves(on).iter().any(|leaf| leaf.words == *name)
    }
}

/// What a need is about.
pub(crate) struct Aim {
    pub(crate) words: Words,
    pub(crate) thing: Option<TypeId>,
    pub(crate) key: Words,
    pub(crate) sure: f64,
}

fn is_reference(name: &Words) -> bool {
    let end = matches!(
        name.last(),
        Some("id" | "uuid" | "guid" | "key" | "slug" | "ref")
    );
    end && name.0.len() > 1
}

fn last_word(name: &Words) -> Words {
    Words(name.0.last().cloned().into_iter().collect())
}

/// Names that callers use for themselves.
fn is_bookkeeping(name: &Words) -> bool {
    let words: Vec<&str> = name.0.iter().map(String::as_str).collect();
    matches!(
        words.as_slice(),
        ["client", "mutat", "id"] | ["after" | "befor" | "cursor" | "first" | "last"]
    )
}

/// Whether the contract says that this argument tells which thing is meant.
pub(crate) fn is_key(root: &RootField, pointer: &str) -> bool {
    let bare = pointer.trim_end_matches("/0");
    root.keys
        .iter()
        .any(|key| key.trim_end_matches("/0") == bare)
}

/// Where there are too many needs, those that may be left out go first.
fn keep_required(found: &mut Vec<Wanted>) {
    if found.len() > MOST_NEEDS {
        found.sort_by_key(|wanted| !wanted.need.required);
        found.truncate(MOST_NEEDS);
    }
}
