//! The ten templates: what can be done with one resource in a few calls.
//!
//! They are short on purpose, so that a change of structure is a small one. Spoken of in deeds, so
//! that they hold for GraphQL as well as for HTTP methods.

use fossick_contract::{Deed, OperationIndex};

use crate::Resource;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Template {
    /// 1: `GET`
    Get,
    /// 2: `PATCH`
    Patch,
    /// 3: `DELETE`
    Delete,
    /// 4: `PUT`
    Put,
    /// 5: `POST`
    Post,
    /// 6: create, `POST`
    CreatePost,
    /// 7: create, `GET`
    CreateGet,
    /// 8: create, `PUT`
    CreatePut,
    /// 9: create, `PATCH`, sometimes twice
    CreatePatch,
    /// 10: create, `DELETE`
    CreateDelete,
}

impl Template {
    pub const ALL: [Self; 10] = [
        Self::Get,
        Self::Patch,
        Self::Delete,
        Self::Put,
        Self::Post,
        Self::CreatePost,
        Self::CreateGet,
        Self::CreatePut,
        Self::CreatePatch,
        Self::CreateDelete,
    ];

    /// What is done to the resource, once it is there or not.
    pub fn deed(self) -> Deed {
        match self {
            Self::Get | Self::CreateGet => Deed::Read,
            Self::Patch | Self::CreatePatch => Deed::Update,
            Self::Delete | Self::CreateDelete => Deed::Delete,
            Self::Put | Self::CreatePut => Deed::Replace,
            Self::Post | Self::CreatePost => Deed::Create,
        }
    }

    /// The resource is made first.
    pub fn creates_first(self) -> bool {
        matches!(
            self,
            Self::CreatePost
                | Self::CreateGet
                | Self::CreatePut
                | Self::CreatePatch
                | Self::CreateDelete
        )
    }

    /// It has no effect on what comes after it, by the meaning of its methods.
    pub fn is_independent(self) -> bool {
        matches!(self, Self::Get | Self::Patch | Self::Delete | Self::Put)
    }

    /// Those that a resource allows: it has the deed, and what must be made first can be made.
    pub(crate) fn applicable(
        resource: &Resource,
        can_create: &impl Fn(OperationIndex) -> bool,
    ) -> Vec<Self> {
        let fits = |template: &Self| {
            let acting = resource.with_deed(template.deed());
            if template.creates_first() {
                acting.into_iter().any(can_create)
            } else {
                !acting.is_empty()
            }
        };
        Self::ALL.into_iter().filter(fits).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(deeds: &[Deed]) -> Resource {
        let numbered = deeds.iter().enumerate();
        Resource {
            operations: numbered
                .map(|(at, deed)| (*deed, OperationIndex(at as u32)))
                .collect(),
            ..Resource::default()
        }
    }

    #[test]
    fn templates_one_to_four_are_independent() {
        for (at, template) in Template::ALL.into_iter().enumerate() {
            assert_eq!(template.is_independent(), at < 4, "{template:?}");
            assert_eq!(template.creates_first(), at >= 5, "{template:?}");
        }
    }

    #[test]
    fn a_template_needs_its_deed_and_a_creator() {
        let read_only = resource(&[Deed::Read]);
        assert_eq!(
            Template::applicable(&read_only, &|_| false),
            [Template::Get]
        );
        assert_eq!(
            Template::applicable(&read_only, &|_| true),
            [Template::Get, Template::CreateGet]
        );
        let full = resource(&[
            Deed::Read,
            Deed::Create,
            Deed::Replace,
            Deed::Update,
            Deed::Delete,
        ]);
        assert_eq!(Template::applicable(&full, &|_| true), Template::ALL);
    }
}
