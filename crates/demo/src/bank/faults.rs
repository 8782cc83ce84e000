//! The faults that are planted in the Seed Bank.
//!
//! Those that a correct executor can't commit (a wrong type, a null where none may be) are put
//! into the finished answer by `misprints`; all others are wrong at their own line. A fault of a
//! nested field shows wherever the field is selected; the operation is then the nearest one.
//!
//! | Fault | Operation | Kind | What happens |
//! |---|---|---|---|
//! | `ShareAmongNobody` | `query lot` | crash | `share(among: 0)` fails with the words of a panic |
//! | `EmptySearch` | `query search` | crash | 500 without JSON for an empty text |
//! | `SqlShown` | `query varieties` | leak | an apostrophe in `named` shows SQL and a file path |
//! | `QuantityAsText` | `query lots` | wrong type | `quantity` is a string from 1000 on |
//! | `HabitOutside` | `query variety` | unknown enum value | a biennial's `habit` is `TWO_YEARS` |
//! | `MarkNull` | `query lot` | null in non-null | `shelfMark` is null in the freezer, without an error |
//! | `SkillNull` | `query keeper` | null in non-null list | an empty text in `skills` is null |
//! | `PersonFound` | `query search` | wrong type name | a keeper's `__typename` is `Person` |
//! | `AltitudeMissing` | `mutation updateVariety` | missing key | an unknown `altitude` is left out |
//! | `DeletedServed` | `query lot` | served after delete | a deleted lot is still there |
//! | `StoryKept` | `mutation updateVariety` | update lost | `story` is echoed and not stored |
//! | `TreesUnlisted` | `query varieties` | missing from list | trees are left out |
//! | `GetMutates` | `mutation createKeeper` | mutation by GET | it is executed |
//! | `AnyStorage` | `mutation updateLot` | invalid accepted | an unknown `storage` in a variable is no mistake |
//! | `SilentRefusal` | `mutation entrustLot` | error without message | an unknown keeper is refused without a word |

use crate::faults::Plant;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GraphqlFault {
    ShareAmongNobody,
    EmptySearch,
    SqlShown,
    QuantityAsText,
    HabitOutside,
    MarkNull,
    SkillNull,
    PersonFound,
    AltitudeMissing,
    DeletedServed,
    StoryKept,
    TreesUnlisted,
    GetMutates,
    AnyStorage,
    SilentRefusal,
}

/// Every fault that is planted in the GraphQL service.
pub const PLANTED_GRAPHQL: [Plant<GraphqlFault>; 15] = [
    Plant {
        fault: GraphqlFault::ShareAmongNobody,
        operation: "query lot",
        kind: "crash",
        story: "share(among: 0) fails with the words of a panic",
    },
    Plant {
        fault: GraphqlFault::EmptySearch,
        operation: "query search",
        kind: "crash",
        story: "500 without JSON for an empty text",
    },
    Plant {
        fault: GraphqlFault::SqlShown,
        operation: "query varieties",
        kind: "leak",
        story: "an apostrophe in named shows SQL and a file path",
    },
    Plant {
        fault: GraphqlFault::QuantityAsText,
        operation: "query lots",
        kind: "wrong type",
        story: "quantity is a string from 1000 on",
    },
    Plant {
        fault: GraphqlFault::HabitOutside,
        operation: "query variety",
        kind: "unknown enum value",
        story: "the habit of a biennial is TWO_YEARS",
    },
    Plant {
        fault: GraphqlFault::MarkNull,
        operation: "query lot",
        kind: "null in non-null",
        story: "shelfMark is null for a lot in the freezer, without an error",
    },
    Plant {
        fault: GraphqlFault::SkillNull,
        operation: "query keeper",
        kind: "null in non-null list",
        story: "an empty text in skills is null",
    },
    Plant {
        fault: GraphqlFault::PersonFound,
        operation: "query search",
        kind: "wrong type name",
        story: "the __typename of a keeper is Person",
    },
    Plant {
        fault: GraphqlFault::AltitudeMissing,
        operation: "mutation updateVariety",
        kind: "missing key",
        story: "an unknown altitude of the origin is left out",
    },
    Plant {
        fault: GraphqlFault::DeletedServed,
        operation: "query lot",
        kind: "served after delete",
        story: "a deleted lot is still there",
    },
    Plant {
        fault: GraphqlFault::StoryKept,
        operation: "mutation updateVariety",
        kind: "update lost",
        story: "story is echoed and not stored",
    },
    Plant {
        fault: GraphqlFault::TreesUnlisted,
        operation: "query varieties",
        kind: "missing from list",
        story: "trees are left out",
    },
    Plant {
        fault: GraphqlFault::GetMutates,
        operation: "mutation createKeeper",
        kind: "mutation by GET",
        story: "a mutation that is sent by GET is executed",
    },
    Plant {
        fault: GraphqlFault::AnyStorage,
        operation: "mutation updateLot",
        kind: "invalid accepted",
        story: "an unknown storage in a variable is no mistake",
    },
    Plant {
        fault: GraphqlFault::SilentRefusal,
        operation: "mutation entrustLot",
        kind: "error without message",
        story: "an unknown keeper is refused without a word",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Faults;
    use crate::bank::schema;

    #[test]
    fn every_fault_is_planted_once() {
        for plant in PLANTED_GRAPHQL {
            let faults = Faults::Only(plant.fault);
            let present = PLANTED_GRAPHQL.iter().filter(|p| faults.has(p.fault));
            assert_eq!(present.count(), 1, "{:?}", plant.fault);
        }
    }

    #[test]
    fn the_table_in_the_head_tells_of_every_fault() {
        let lines = include_str!("faults.rs").lines();
        let rows: Vec<_> = lines.filter(|l| l.starts_with("//! |")).skip(2).collect();
        assert_eq!(rows.len(), PLANTED_GRAPHQL.len());
        for (row, plant) in rows.iter().zip(PLANTED_GRAPHQL) {
            let Plant {
                fault,
                operation,
                kind,
                ..
            } = plant;
            let start = format!("//! | `{fault:?}` | `{operation}` | {kind} |");
            assert!(row.starts_with(&start), "{row}");
        }
    }

    #[test]
    fn every_fault_is_seen_at_a_field_of_the_schema() {
        for plant in PLANTED_GRAPHQL {
            let (root, field) = plant.operation.split_once(' ').expect("two words");
            let root = if root == "query" { "Query" } else { "Mutation" };
            assert!(schema().type_field(root, field).is_ok(), "{field}");
        }
    }
}
