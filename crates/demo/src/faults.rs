//! The faults that are planted in the Shed, one of each kind that is common in real services.
//!
//! Handlers ask `call.faulty(Fault::…)` at the very line that would be wrong; there is no other
//! switch. Every fault can be reached from outside with what the document tells, some patience
//! and no luck beyond it.
//!
//! | Fault | Operation | Kind | What happens |
//! |---|---|---|---|
//! | `OddLimit` | `GET /tools` | crash | 500 at `limit=73` |
//! | `Apostrophe` | `POST /members` | crash | 500 for a name with an apostrophe |
//! | `ZeroHours` | `POST /tools/{toolId}/repairs` | dropped connection | no answer when `hours` is 0 |
//! | `FeeAsText` | `GET /loans/{loanId}` | wrong type | `fee` is a string once the tool is back |
//! | `Accepted` | `DELETE /tools/{toolId}` | undocumented status | 202 for a tool that has repairs |
//! | `OptionalPin` | `POST /members` | invalid accepted | a member without the required `pin` |
//! | `StruckOffServed` | `GET /tools/{toolId}/repairs/{repairId}` | served after delete | a deleted repair is still there |
//! | `DepositKept` | `PATCH /tools/{toolId}` | update lost | `deposit` is echoed and not stored |
//! | `UrgentUnlisted` | `GET /tools/{toolId}/repairs` | missing from list | urgent repairs are left out |
//! | `WishesAppended` | `PUT /members/{memberId}` | not idempotent | `wishes` are added, not replaced |
//! | `GuestInvented` | `GET /members/{memberId}` | invented resource | an id nobody has gives a guest |
//! | `AnyParent` | `GET /tools/{toolId}/repairs/{repairId}` | wrong parent | a repair shows under any tool |
//! | `HalfReplaced` | `PUT /tools/{toolId}` | failed write changed something | a 400 still renames the tool |
//! | `OpenLedger` | `GET /staff/loans` | authentication ignored | everybody sees all loans |

use std::fmt::Debug;

/// Which faults a service has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Faults<F = Fault> {
    /// All that there are.
    Planted,
    /// The corrected twin.
    None,
    /// The twin with a single fault, to see how it is found on its own.
    Only(F),
    /// All but one, which is mended: one behaviour has changed.
    Without(F),
}

impl<F: Copy + PartialEq> Faults<F> {
    pub fn has(self, fault: F) -> bool {
        match self {
            Self::Planted => true,
            Self::None => false,
            Self::Only(one) => one == fault,
            Self::Without(one) => one != fault,
        }
    }
}

impl<F: Copy + PartialEq + Debug> Faults<F> {
    /// Reads what the examples take: `twin`, `only:NAME`, `without:NAME`, or nothing at all.
    pub fn told(text: Option<&str>, planted: &[Plant<F>]) -> Option<Self> {
        let named = |name: &str| {
            let mut faults = planted.iter().map(|plant| plant.fault);
            faults.find(|fault| format!("{fault:?}") == name)
        };
        match text {
            None => Some(Self::Planted),
            Some("twin") => Some(Self::None),
            Some(text) => match text.split_once(':')? {
                ("only", name) => named(name).map(Self::Only),
                ("without", name) => named(name).map(Self::Without),
                _ => None,
            },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    OddLimit,
    Apostrophe,
    ZeroHours,
    FeeAsText,
    Accepted,
    OptionalPin,
    StruckOffServed,
    DepositKept,
    UrgentUnlisted,
    WishesAppended,
    GuestInvented,
    AnyParent,
    HalfReplaced,
    OpenLedger,
}

/// A planted fault and where a tester should see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plant<F = Fault> {
    pub fault: F,
    /// The operation whose answer is wrong, as `GET /tools` or `query lot`.
    pub operation: &'static str,
    pub kind: &'static str,
    pub story: &'static str,
}

/// Every planted fault, the easy ones first.
pub const PLANTED: [Plant; 14] = [
    Plant {
        fault: Fault::OddLimit,
        operation: "GET /tools",
        kind: "crash",
        story: "500 at limit=73",
    },
    Plant {
        fault: Fault::Apostrophe,
        operation: "POST /members",
        kind: "crash",
        story: "500 for a name with an apostrophe",
    },
    Plant {
        fault: Fault::ZeroHours,
        operation: "POST /tools/{toolId}/repairs",
        kind: "dropped connection",
        story: "no answer when hours is 0",
    },
    Plant {
        fault: Fault::FeeAsText,
        operation: "GET /loans/{loanId}",
        kind: "wrong type",
        story: "fee is a string once the tool is back",
    },
    Plant {
        fault: Fault::Accepted,
        operation: "DELETE /tools/{toolId}",
        kind: "undocumented status",
        story: "202 for a tool that has repairs",
    },
    Plant {
        fault: Fault::OptionalPin,
        operation: "POST /members",
        kind: "invalid accepted",
        story: "a member without the required pin is welcome",
    },
    Plant {
        fault: Fault::StruckOffServed,
        operation: "GET /tools/{toolId}/repairs/{repairId}",
        kind: "served after delete",
        story: "a deleted repair is still there",
    },
    Plant {
        fault: Fault::DepositKept,
        operation: "PATCH /tools/{toolId}",
        kind: "update lost",
        story: "deposit is echoed and not stored",
    },
    Plant {
        fault: Fault::UrgentUnlisted,
        operation: "GET /tools/{toolId}/repairs",
        kind: "missing from list",
        story: "urgent repairs are left out",
    },
    Plant {
        fault: Fault::WishesAppended,
        operation: "PUT /members/{memberId}",
        kind: "not idempotent",
        story: "wishes are added to the old ones instead of replacing them",
    },
    Plant {
        fault: Fault::GuestInvented,
        operation: "GET /members/{memberId}",
        kind: "invented resource",
        story: "an id that nobody has is answered with a guest",
    },
    Plant {
        fault: Fault::AnyParent,
        operation: "GET /tools/{toolId}/repairs/{repairId}",
        kind: "wrong parent",
        story: "a repair is served under any tool",
    },
    Plant {
        fault: Fault::HalfReplaced,
        operation: "PUT /tools/{toolId}",
        kind: "failed write changed something",
        story: "a refused replacement still renames the tool",
    },
    Plant {
        fault: Fault::OpenLedger,
        operation: "GET /staff/loans",
        kind: "authentication ignored",
        story: "everybody sees all loans",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_fault_means_that_one_and_no_other() {
        let faults = Faults::Only(Fault::AnyParent);
        let present: Vec<_> = PLANTED.iter().filter(|p| faults.has(p.fault)).collect();
        assert_eq!(present.len(), 1);
        assert_eq!(present[0].fault, Fault::AnyParent);
    }

    #[test]
    fn a_service_without_one_fault_has_all_others() {
        let faults = Faults::told(Some("without:AnyParent"), &PLANTED);
        let faults = faults.expect("there is such a fault");
        let absent: Vec<_> = PLANTED.iter().filter(|p| !faults.has(p.fault)).collect();
        assert_eq!(absent.len(), 1);
        assert_eq!(absent[0].fault, Fault::AnyParent);
    }

    #[test]
    fn what_nobody_knows_is_no_choice_of_faults() {
        assert_eq!(Faults::told(None, &PLANTED), Some(Faults::Planted));
        assert_eq!(Faults::told(Some("twin"), &PLANTED), Some(Faults::None));
        for unknown in ["tiwn", "without:Nothing", "besides:AnyParent"] {
            assert_eq!(Faults::told(Some(unknown), &PLANTED), None, "{unknown}");
        }
    }

    #[test]
    fn the_table_in_the_head_tells_of_every_fault() {
        let head = include_str!("faults.rs")
            .lines()
            .filter(|l| l.starts_with("//! |"));
        let rows: Vec<_> = head.skip(2).collect();
        assert_eq!(rows.len(), PLANTED.len());
        for (row, plant) in rows.iter().zip(PLANTED) {
            let start = format!(
                "//! | `{:?}` | `{}` | {} |",
                plant.fault, plant.operation, plant.kind
            );
            assert!(row.starts_with(&start), "{row}");
        }
    }

    #[test]
    fn every_fault_is_planted_once() {
        for plant in PLANTED {
            let twins = PLANTED.iter().filter(|p| p.fault == plant.fault).count();
            assert_eq!(twins, 1, "{:?}", plant.fault);
        }
    }
}
