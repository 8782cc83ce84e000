//! What never reaches the store.
//!
//! Headers are dropped unless they are on a short list. A value under a private name, in a body, a
//! form, a query, a path, a variable or an argument in the text of an operation, is exchanged for a
//! pseudonym: another value of the same shape, always the same one for the same value and key, so
//! that what was equal stays equal. What looks like a credential goes whatever its name. Whoever
//! has the key can check a guess, so it stays with those who record; nobody can turn a pseudonym
//! back. What is not noticed is a secret under a harmless name that looks like nothing special.

mod cover;
mod json;
mod literals;
mod looks;
mod marks;
mod names;
mod numbers;
mod path;
mod pseudonym;
pub(crate) mod shapes;
mod stream;

use std::fmt;

pub use cover::DROPPED;
pub(crate) use cover::{Cover, Guard, Place, Sense, decoded};
pub(crate) use names::Globs;
pub(crate) use stream::{Keyed, hexadecimal};

/// The rules, as a team sets them.
#[derive(Clone, PartialEq, Eq)]
pub struct Privacy {
    /// Private names. Case, `_` and `-` make no difference, `*` stands for any text.
    pub fields: Vec<String>,
    /// Names that are not private although `fields` has them. E-mail addresses and card numbers
    /// under such a name stay too; what looks like a credential does not.
    pub keep: Vec<String>,
    /// Headers that may be kept, in the same manner. Authorization and cookies never are.
    pub headers: Vec<String>,
    /// Of pseudonyms and digests. Recorders that share a store share it.
    pub key: [u8; 32],
}

impl Privacy {
    /// The rules that a careful team would begin with.
    pub fn new(key: [u8; 32]) -> Self {
        let listed = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            fields: listed(FIELDS),
            keep: listed(KEEP),
            headers: listed(&["accept"]),
            key,
        }
    }
}

/// Without the key: settings end up in messages.
impl fmt::Debug for Privacy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Privacy")
            .field("fields", &self.fields)
            .field("keep", &self.keep)
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}

const FIELDS: &[&str] = &[
    // What opens a door.
    "*password*",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "pin",
    "pincode",
    "otp",
    "totp",
    "mfacode",
    "recoverycode*",
    "*secret*",
    "*token",
    "tokens",
    "*apikey",
    "accesskey*",
    "privatekey*",
    "signingkey*",
    "encryptionkey*",
    "auth",
    "authorization",
    "authentication",
    "bearer",
    "jwt",
    "credential*",
    "x-amz-credential",
    "x-amz-signature",
    "signature",
    "sig",
    "clientassertion",
    "codeverifier",
    "cookie*",
    "session",
    "sessionid",
    "sessionkey",
    "sid",
    "jsessionid",
    "phpsessid",
    // What money is taken with.
    "creditcard*",
    "cardnumber",
    "ccnumber",
    "pan",
    "cvv*",
    "cvc*",
    "iban",
    "accountnumber",
    "bankaccount*",
    "routingnumber",
    // Who somebody is.
    "ssn",
    "socialsecurity*",
    "nationalid*",
    "taxid*",
    "passport*",
    "driverslicen*",
    "*email",
    "emails",
    "emailaddress*",
    "*phone",
    "*phonenumber",
    "mobile",
    "mobilenumber",
    "msisdn",
    "dob",
    "dateofbirth",
    "birthdate",
    "birthday",
    "firstname",
    "middlename",
    "lastname",
    "givenname",
    "familyname",
    "surname",
    "maidenname",
    "fullname",
    "street",
    "streetaddress*",
    "addressline*",
    "ip",
    "ipaddress",
    "clientip",
    "remoteaddr",
];

/// Tokens that only say where a list goes on.
const KEEP: &[&str] = &[
    "*pagetoken",
    "continuationtoken",
    "cursortoken",
    "synctoken",
];
