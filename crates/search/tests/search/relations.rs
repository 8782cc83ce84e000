//! Plans whose answers must go together.

use fossick_search::Way;

use crate::play::{Round, World, free};

fn related(world: &World) -> Vec<Round> {
    let mut rounds = world.played(free(1), 600);
    rounds.retain(|round| round.proposal.way == Way::Related);
    rounds
}

/// Whoever judges a list must know that nobody changed it meanwhile.
#[test]
fn what_is_asked_of_a_list_stands_between_two_equal_looks() {
    let world = World::workshop();
    let rounds = related(&world);
    let of_lists = rounds.iter().filter(|round| {
        let subject = world.subject(round);
        subject == "GET /projects" || subject == "GET /projects/{project_id}/tasks"
    });
    let mut framed = 0;
    for round in of_lists {
        let subject = world.subject(round);
        let calls = round.script.calls.iter();
        let looks: Vec<_> = calls.filter(|call| *call.operation == *subject).collect();
        let [first, .., last] = looks.as_slice() else {
            continue;
        };
        assert_eq!(first.target, last.target, "{subject}");
        framed += 1;
    }
    assert!(framed > 1, "{framed}");
}

#[test]
fn a_list_under_a_parent_has_something_in_it_when_it_is_asked() {
    let world = World::workshop();
    let rounds = related(&world);
    let nested = |round: &&Round| world.subject(round) == "GET /projects/{project_id}/tasks";
    let mut nested = rounds.iter().filter(nested).peekable();
    assert!(nested.peek().is_some());
    for round in nested {
        let verbs = world.verbs(&round.proposal.plan);
        assert!(verbs.starts_with("POST POST POST POST GET"), "{verbs}");
    }
}
