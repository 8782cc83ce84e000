//! What is to be run next.

use fossick_trace::Script;

/// A script to run. Whoever runs it makes its names anew.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    pub script: Script,
    /// The service is brought back to where it was first, if that can be done; otherwise the script
    /// runs on what others left behind.
    pub anew: bool,
}

impl Trial {
    pub(crate) fn anew(script: &Script) -> Self {
        Self {
            script: script.clone(),
            anew: true,
        }
    }

    pub(crate) fn as_left(script: &Script) -> Self {
        Self {
            script: script.clone(),
            anew: false,
        }
    }
}
