//! All oracles. Codes are never renumbered or used again.

use fossick_trace::{Finding, Severity, Sureness};

use crate::scene::Scene;
use crate::{conformance, crash, security, state};

/// What an oracle is, for whoever lists or explains it.
pub struct Oracle {
    pub code: &'static str,
    pub name: &'static str,
    /// The usual severity; a finding may be milder.
    pub severity: Severity,
    pub sureness: Sureness,
    pub what: &'static str,
    pub why: &'static str,
    /// How to mend the service or the document.
    pub mend: &'static str,
    /// When it may be wrong.
    pub noise: &'static str,
    pub(crate) check: fn(&Oracle, &Scene<'_>, &mut Vec<Finding>),
}

/// Finds an oracle by its code, in any case.
pub fn find(code: &str) -> Option<&'static Oracle> {
    ORACLES
        .iter()
        .find(|oracle| oracle.code.eq_ignore_ascii_case(code))
}

use Severity::{High, Low, Medium};
use Sureness::{Likely, Sure};

pub const ORACLES: &[Oracle] = &[
    Oracle {
        code: "F101",
        name: "server error",
        severity: High,
        sureness: Sure,
        what: "The service answered with a status of 500 or above.",
        why: "It says itself that something unforeseen happened: an exception nobody caught, a value nobody checked. Callers can do nothing about it, and what was half done may stay half done.",
        mend: "Find the exception in the service's log by the request shown. Where the input was invalid, check it and answer 4xx; where it was valid, mend the handler.",
        noise: "501 and 503 are reported as low: a service may say on purpose that it can't.",
        check: crash::server_error::check,
    },
    Oracle {
        code: "F102",
        name: "connection dropped",
        severity: High,
        sureness: Sure,
        what: "The connection was closed or reset before a whole answer came, or what came was not HTTP.",
        why: "A worker may have crashed, taking other callers' requests with it.",
        mend: "Look for a crash or an abort at the time of the request; check limits of proxies in between.",
        noise: "A proxy in front of the service may drop connections of its own accord.",
        check: crash::dropped::check,
    },
    Oracle {
        code: "F103",
        name: "timeout",
        severity: Medium,
        sureness: Likely,
        what: "No whole answer came within the time limit (--timeout).",
        why: "A handful of such requests can keep a service busy for everybody.",
        mend: "Bound the work a request can cause; answer early and do long work elsewhere.",
        noise: "Operations that are slow by design, or an overloaded test machine: raise --timeout.",
        check: crash::timeout::check,
    },
    Oracle {
        code: "F104",
        name: "internals shown",
        severity: Medium,
        sureness: Sure,
        what: "The answer holds a stack trace, or an HTML page where JSON was promised.",
        why: "Traces tell strangers about files, versions and structure; pages break clients that parse JSON.",
        mend: "Turn off debug pages; let one error handler write every error in the promised form.",
        noise: "An operation whose business is to show traces.",
        check: crash::exposed::check,
    },
    Oracle {
        code: "F105",
        name: "resolver failed",
        severity: High,
        sureness: Likely,
        what: "A GraphQL answer has an error that is the server's own: an exception, a broken promise of its schema, a database or service behind it that failed.",
        why: "The status is 200 and the answer looks like any refusal, so nobody notices; yet what was asked for was right and can't be had.",
        mend: "Find the exception in the service's log by the request shown. Where the input can't be served, check it and say so in words for the caller, with a code such as BAD_USER_INPUT.",
        noise: "GraphQL does not say whose mistake an error is: the evidence is shown with each finding. Where it does not suffice the finding is low, and errors that speak to a caller are passed over.",
        check: crash::resolver_failed::check,
    },
    Oracle {
        code: "F201",
        name: "answer breaks its schema",
        severity: Medium,
        sureness: Sure,
        what: "The body does not fit the schema that the document promises for its status.",
        why: "Clients are generated from the document: a text where a number was promised stops them.",
        mend: "Correct the answer, or the schema if the answer is right. `null` where it is not allowed is the commonest case.",
        noise: "Formats, patterns and additional properties are reported as low.",
        check: conformance::schema::check,
    },
    Oracle {
        code: "F202",
        name: "undocumented status",
        severity: Low,
        sureness: Sure,
        what: "The service answered with a status that the document does not list.",
        why: "Callers can't prepare for what nobody tells them.",
        mend: "Add the status to the operation's responses, or a `default`.",
        noise: "401, 403 and 429 are passed over: guards in front of services answer them.",
        check: conformance::status::check,
    },
    Oracle {
        code: "F203",
        name: "undocumented media type",
        severity: Low,
        sureness: Sure,
        what: "The content type of the answer is not among those promised for its status.",
        why: "Clients choose their parser by it.",
        mend: "Send the promised content type, or add the one that is sent.",
        noise: "Little.",
        check: conformance::media_type::check,
    },
    Oracle {
        code: "F204",
        name: "header missing or wrong",
        severity: Low,
        sureness: Sure,
        what: "A response header that the document requires is missing, or one it describes has another form.",
        why: "Paging, caching and limits live in headers.",
        mend: "Send the header as described, or correct the document.",
        noise: "Proxies remove headers.",
        check: conformance::headers::check,
    },
    Oracle {
        code: "F205",
        name: "valid input rejected",
        severity: Medium,
        sureness: Likely,
        what: "A value that the document itself names (a bound, a member of an enumeration, an example) is refused with 400 or 422, while the same call with another value succeeds; or a GraphQL operation that is valid by the schema is refused by validation.",
        why: "The document promises more than the service keeps: off-by-one bounds are the commonest case.",
        mend: "Bring check and document together.",
        noise: "Rules between fields that a schema can't tell. Values the document does not name are reported as low. What custom scalars and identifiers look like nobody tells: their refusal is passed over, as are limits on depth and cost.",
        check: conformance::valid_rejected::check,
    },
    Oracle {
        code: "F206",
        name: "invalid input accepted",
        severity: Medium,
        sureness: Likely,
        what: "A request that breaks exactly one constraint of the document was answered with success.",
        why: "What should have been refused is now stored, and fails later, elsewhere.",
        mend: "Enforce the constraint, or drop it from the document.",
        noise: "Leniency meant as such: types read generously, unknown fields passed over and formats are reported as low.",
        check: conformance::invalid_accepted::check,
    },
    Oracle {
        code: "F207",
        name: "undeclared method carried out",
        severity: Medium,
        sureness: Likely,
        what: "A method that the document does not declare for a path was answered with success.",
        why: "What nobody documents nobody protects.",
        mend: "Answer 405 with an Allow header, or declare the method.",
        noise: "Only asked for with --allow-destructive; OPTIONS and HEAD never count.",
        check: conformance::undeclared_method::check,
    },
    Oracle {
        code: "F208",
        name: "data does not fit the selection",
        severity: Medium,
        sureness: Sure,
        what: "A GraphQL answer lacks a key that was asked for, has one that was not, or has a value of another type than the schema promises.",
        why: "Clients are generated from the schema and the operation: they stumble over what is not as promised.",
        mend: "Correct the resolver, or the schema if the answer is right. Enumeration values that were renamed inside and numbers beyond 32 bits are the commonest cases.",
        noise: "Custom scalars are judged by their names and reported as low. Parts of a selection on a type that the answer does not tell (`__typename` was not asked for) are passed over.",
        check: conformance::selection::check,
    },
    Oracle {
        code: "F209",
        name: "null where none may be",
        severity: Medium,
        sureness: Sure,
        what: "A GraphQL answer has null where the schema promises a value, or a field that failed left something else behind than null at the nearest place that may be null.",
        why: "Clients do not look for null where the schema rules it out, and crash on it.",
        mend: "Make the type nullable, or never give null; leave the rest to the GraphQL library, which carries a null up by itself.",
        noise: "A value where an error says that there is none, and `data` that is null as a whole though less would do, are reported as low.",
        check: conformance::nulls::check,
    },
    Oracle {
        code: "F210",
        name: "malformed GraphQL answer",
        severity: Medium,
        sureness: Sure,
        what: "The answer is not JSON, has neither `data` nor `errors`, or has errors without a message, with a path that leads nowhere, or in another form than a list.",
        why: "Every client reads answers by the form that the GraphQL specification gives them.",
        mend: "Let a GraphQL library write the answer, and let whatever stands in front of it leave the body alone.",
        noise: "Locations and paths of an odd form are reported as low. Pages and server errors are told by other oracles.",
        check: conformance::malformed::check,
    },
    Oracle {
        code: "F301",
        name: "still served after it was deleted",
        severity: High,
        sureness: Sure,
        what: "A DELETE succeeded, and a GET of the same path still answers with success; or a GraphQL mutation deleted something that a query still shows.",
        why: "Deleted data that lives on is a broken promise to users, and often to the law.",
        mend: "Let reads respect deletion; look at caches and soft-delete flags.",
        noise: "An answer that says it is a tombstone (`deleted: true`) is not reported, nor is one after 202.",
        check: state::served_after_delete::check,
    },
    Oracle {
        code: "F302",
        name: "absent right after it was created",
        severity: High,
        sureness: Likely,
        what: "A creation succeeded, and reading what it answered gives 404 or 410, or null.",
        why: "Callers can't use what they were told exists.",
        mend: "Answer only when the thing can be read, or answer 202.",
        noise: "Eventual consistency; an identifier that means something else than it seems to.",
        check: state::absent_after_create::check,
    },
    Oracle {
        code: "F303",
        name: "failed write changed something",
        severity: High,
        sureness: Likely,
        what: "A write was refused with 4xx or with an error, yet reading the resource before and after it shows a difference.",
        why: "Half-done writes leave data in states that nobody planned.",
        mend: "Check everything before changing anything, or undo it in a transaction.",
        noise: "Fields that change by themselves under unusual names; other users of the same resource.",
        check: state::failed_write::check,
    },
    Oracle {
        code: "F304",
        name: "update not visible",
        severity: Medium,
        sureness: Likely,
        what: "An update succeeded, and a read right after it still shows the old value of a field that was sent; or null, where the update itself answered with what was sent.",
        why: "Callers believe in a change that did not happen.",
        mend: "Store the field, or refuse it.",
        noise: "Fields that a service ignores on purpose: mark them read-only.",
        check: state::update_not_visible::check,
    },
    Oracle {
        code: "F305",
        name: "not idempotent",
        severity: Medium,
        sureness: Likely,
        what: "The same PUT or DELETE sent twice leaves something else than once.",
        why: "Clients and proxies repeat such calls when connections fail; HTTP says they may.",
        mend: "Let PUT replace and DELETE be content with what is gone.",
        noise: "Counters under unusual names.",
        check: state::not_idempotent::check,
    },
    Oracle {
        code: "F306",
        name: "invented resource",
        severity: Medium,
        sureness: Likely,
        what: "Several random identifiers that nobody made were all answered with success.",
        why: "Callers can't tell what exists; typing errors pass for data.",
        mend: "Answer 404 for what is not there, or null where it is GraphQL.",
        noise: "Parameters that are no identifiers, such as a search text in the path.",
        check: state::invented::check,
    },
    Oracle {
        code: "F307",
        name: "child under a wrong or absent parent",
        severity: Medium,
        sureness: Likely,
        what: "A nested resource or list is answered under a parent that does not exist, or that is not its own.",
        why: "Where the parent is not checked, its access rules are not either.",
        mend: "Look the parent up first and answer 404 if it is not there or not the child's.",
        noise: "Services that treat an unknown parent as an empty one on purpose.",
        check: state::wrong_parent::check,
    },
    Oracle {
        code: "F308",
        name: "list lacks what was created",
        severity: Medium,
        sureness: Likely,
        what: "A short list without further pages did not grow by what was just created in it.",
        why: "What can't be found is as good as lost.",
        mend: "Look at caches, default filters and indexes.",
        noise: "Lists that are filtered by default.",
        check: state::list_lacks::check,
    },
    Oracle {
        code: "F401",
        name: "authentication ignored",
        severity: High,
        sureness: Sure,
        what: "An operation that the document protects was carried out without credentials.",
        why: "Anybody can call it.",
        mend: "Check credentials before anything else, or declare the operation public (`security: []`).",
        noise: "Protection that lives in a gateway which the test did not pass.",
        check: security::authentication_ignored::check,
    },
    Oracle {
        code: "F402",
        name: "internals told in an error",
        severity: Medium,
        sureness: Sure,
        what: "An entry of `errors` holds a stack trace, SQL or the path of a file on the server.",
        why: "Errors go to anybody who asks; versions, tables and folders are what an attacker looks for first.",
        mend: "Mask errors that the service did not foresee, and turn debug output off in production.",
        noise: "A test instance that runs in debug mode on purpose. What the caller sent itself is not counted.",
        check: security::internals_told::check,
    },
    Oracle {
        code: "F403",
        name: "mutation by GET",
        severity: Medium,
        sureness: Sure,
        what: "A GraphQL mutation was carried out when it was sent with GET.",
        why: "GET may be repeated and cached by anybody, and any page that a user visits can make a browser send one with the user's cookies.",
        mend: "Answer 405 to mutations that come with GET; GraphQL over HTTP allows queries only.",
        noise: "Little.",
        check: security::mutation_by_get::check,
    },
];

impl std::fmt::Debug for Oracle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.code, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_found_in_any_case() {
        for (at, oracle) in ORACLES.iter().enumerate() {
            assert!(
                ORACLES[..at].iter().all(|o| o.code != oracle.code),
                "{}",
                oracle.code
            );
        }
        assert_eq!(
            find("f301").map(|o| o.name),
            Some("still served after it was deleted")
        );
    }
}
