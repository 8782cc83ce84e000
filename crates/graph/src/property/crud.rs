//! Which order of operations makes sense: a thing is made before it is read, changed or removed,
//! and nothing is done with it after it was removed.

use fossick_contract::{Api, Deed, OperationIndex};

use super::Properties;

impl Properties {
    /// Whether a sequence may go on with an operation. Only operations about the same schema stand
    /// in each other's way, and only the sequence itself counts: what was there before may be read.
    pub(crate) fn may_follow(
        &self,
        api: &Api,
        sequence: &[OperationIndex],
        next: OperationIndex,
    ) -> bool {
        // A second thing of a kind makes sense, to see what becomes of one when the other goes.
        let before = sequence.iter().filter(|index| **index == next).count();
        let creates = api.operation(next).deed() == Deed::Create;
        if before > usize::from(creates && sequence.last() == Some(&next)) {
            return false;
        }
        let Some(subject) = self.subjects[next.0 as usize] else {
            return true;
        };
        let same = |index: &&OperationIndex| self.subjects[index.0 as usize] == Some(subject);
        let makes = api.operation(next).deed() == Deed::Create;
        sequence.iter().filter(same).all(|before| {
            let deed = api.operation(*before).deed();
            let removed = deed == Deed::Delete;
            let too_late = makes && !matches!(deed, Deed::Create | Deed::Other);
            !removed && !too_late
        })
    }
}
