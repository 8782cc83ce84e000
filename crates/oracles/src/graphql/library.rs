//! Operations that were read already, and answers to them that were right.
//!
//! A run sends few operations and many values: reading the same text again, or walking the same
//! answer to it, would be most of the work. Both stores have a bound; what does not fit is read
//! again.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};

use fossick_query::{Document, read};

#[derive(Debug, Default)]
pub(crate) struct Library {
    documents: Mutex<HashMap<u64, Option<Arc<Document>>>>,
    passed: Mutex<HashSet<(u64, u64)>>,
}

const MOST_DOCUMENTS: usize = 384;
const MOST_PASSED: usize = 8192;

impl Library {
    /// The operation in a text, and a number that stands for both.
    pub(crate) fn document(&self, text: &str, name: Option<&str>) -> (Option<Arc<Document>>, u64) {
        let mut hasher = DefaultHasher::new();
        (text, name).hash(&mut hasher);
        let hash = hasher.finish();
        let Ok(mut documents) = self.documents.lock() else {
            return (read(text, name).ok().map(Arc::new), hash);
        };
        if documents.len() >= MOST_DOCUMENTS {
            documents.clear();
        }
        let document = documents
            .entry(hash)
            .or_insert_with(|| read(text, name).ok().map(Arc::new));
        (document.clone(), hash)
    }

    /// Whether an answer of this digest to this inquiry is known to be right.
    pub(crate) fn has_passed(&self, inquiry: u64, digest: u64) -> bool {
        let passed = self.passed.lock();
        passed.is_ok_and(|passed| passed.contains(&(inquiry, digest)))
    }

    pub(crate) fn pass(&self, inquiry: u64, digest: u64) {
        if let Ok(mut passed) = self.passed.lock()
            && passed.len() < MOST_PASSED
        {
            passed.insert((inquiry, digest));
        }
    }
}
