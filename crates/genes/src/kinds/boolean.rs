//! True or false.

use crate::source::Source;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Boolean {
    pub value: bool,
    pub source: Source,
}

impl Boolean {
    pub(crate) fn mutate(&mut self) {
        self.value = !self.value;
        self.source = Source::Enum;
    }

    pub(crate) fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(if self.value { b"true" } else { b"false" });
    }
}
