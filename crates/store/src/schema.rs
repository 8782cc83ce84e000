//! The tables of a store, as numbered steps from nothing to the newest version of the format.
//!
//! A step that has been released is never changed: stores in the world were made by it. A store
//! that is older is led through the steps that it lacks, in one transaction. The engines differ in
//! the names of types only, which stand in braces.

/// The version that this code writes.
pub(crate) const VERSION: u32 = STEPS.len() as u32;

/// How an engine calls its types.
pub(crate) struct Dialect {
    pub(crate) bytes: &'static str,
    pub(crate) number: &'static str,
}

const STEPS: [&str; 2] = [
    // A call as compact JSON, under its key, with everything that is counted of it. Names of
    // batches say what has gone in already.
    "CREATE TABLE meta (version {number} NOT NULL);
     INSERT INTO meta (version) VALUES (0);
     CREATE TABLE records (
         key {bytes} PRIMARY KEY NOT NULL,
         call TEXT NOT NULL,
         created_at {number} NOT NULL,
         updated_at {number} NOT NULL,
         times_called {number} NOT NULL,
         informational {number} NOT NULL,
         successful {number} NOT NULL,
         redirected {number} NOT NULL,
         client_error {number} NOT NULL,
         server_error {number} NOT NULL,
         took_answers {number} NOT NULL,
         took_total {number} NOT NULL,
         took_most {number} NOT NULL
     );
     CREATE TABLE batches (
         id {bytes} PRIMARY KEY NOT NULL,
         at {number} NOT NULL
     );",
    // What was taken out of calls, what goes from one into another, and how often GraphQL said
    // `errors` with a good status. Texts of any length can't be keys, so their digests are.
    "ALTER TABLE records ADD COLUMN with_errors {number} NOT NULL DEFAULT 0;
     CREATE TABLE redactions (
         key {bytes} NOT NULL,
         id {bytes} NOT NULL,
         place TEXT NOT NULL,
         how TEXT NOT NULL,
         PRIMARY KEY (key, id)
     );
     CREATE TABLE flows (
         id {bytes} PRIMARY KEY NOT NULL,
         source TEXT NOT NULL,
         pointer TEXT NOT NULL,
         target TEXT NOT NULL,
         place TEXT NOT NULL,
         times {number} NOT NULL
     );",
];

/// What leads a store of some version to the newest.
pub(crate) fn steps_after(version: u32, dialect: &Dialect) -> String {
    let missing: Vec<&str> = STEPS.iter().skip(version as usize).copied().collect();
    let steps = missing.join("\n");
    format!("{steps}\nUPDATE meta SET version = {VERSION};")
        .replace("{bytes}", dialect.bytes)
        .replace("{number}", dialect.number)
}
