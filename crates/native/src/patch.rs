//! Changes to the code of a linked program: a call taken out, or sent elsewhere.
//!
//! Only what was decoded as a call to a known place is touched, and no instruction changes its
//! length.

use std::collections::BTreeMap;

use iced_x86::{Instruction, Mnemonic};

use crate::image::Image;

/// Bytes of a thunk: what is meant into r11, and a jump.
const THUNK: u64 = 16;
/// A byte more of length in front of a call that needs none.
const FILLER: u8 = 0x67;
const CALL: u8 = 0xe8;
const LEA: u8 = 0x8d;

/// Bytes by their address.
#[derive(Debug, Default)]
pub(crate) struct Patches {
    all: Vec<(u64, Vec<u8>)>,
    thunks: BTreeMap<u64, u64>,
}

/// Where thunks go, and where they lead.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Thunks {
    pub(crate) begin: u64,
    pub(crate) room: u64,
    pub(crate) observe: u64,
}

impl Patches {
    pub(crate) fn put(&mut self, at: u64, bytes: Vec<u8>) {
        self.all.push((at, bytes));
    }

    /// In place of a call, nothing.
    pub(crate) fn take_out(&mut self, call: &Instruction) {
        let nothing: &[u8] = match call.len() {
            5 => &[0x0f, 0x1f, 0x44, 0x00, 0x00],
            6 => &[0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
            _ => return,
        };
        self.put(call.ip(), nothing.to_vec());
    }

    /// Sends a call to a thunk of what it calls; where the callee was loaded before, the thunk is
    /// loaded in its place. Tells whether that can be.
    pub(crate) fn watch(&mut self, call: &Instruction, callee: u64, thunks: Thunks) -> bool {
        let Some(thunk) = self.thunk(callee, thunks) else {
            return false;
        };
        let Some(away) = distance(call.next_ip(), thunk) else {
            return false;
        };
        let code: &[u8] = match (call.mnemonic(), call.len()) {
            (Mnemonic::Call, 5) => &[CALL],
            (Mnemonic::Call, 6) => &[FILLER, CALL],
            // The register and the way of addressing stay.
            (Mnemonic::Mov | Mnemonic::Lea, 7) => {
                self.put(call.ip() + 1, vec![LEA]);
                self.put(call.ip() + 3, away.to_vec());
                return true;
            }
            _ => return false,
        };
        self.put(call.ip(), [code, &away].concat());
        true
    }

    fn thunk(&mut self, callee: u64, thunks: Thunks) -> Option<u64> {
        if let Some(known) = self.thunks.get(&callee) {
            return Some(*known);
        }
        let next = thunks.begin + self.thunks.len() as u64 * THUNK;
        let has_room = next + THUNK <= thunks.begin + thunks.room;
        let is_made = has_room && self.make(next, callee, thunks.observe);
        is_made.then(|| {
            self.thunks.insert(callee, next);
            next
        })
    }

    fn make(&mut self, thunk: u64, callee: u64, observe: u64) -> bool {
        // lea r11, [rip + …]; jmp …
        let (Some(meant), Some(away)) =
            (distance(thunk + 7, callee), distance(thunk + 12, observe))
        else {
            return false;
        };
        let code = [&[0x4c, 0x8d, 0x1d][..], &meant, &[0xe9], &away].concat();
        self.put(thunk, code);
        true
    }

    /// Writes all into the bytes of the program.
    pub(crate) fn apply(&self, image: &Image<'_>, bytes: &mut [u8]) {
        for (at, new) in &self.all {
            let place = image.offset(*at);
            let place = place.and_then(|offset| bytes.get_mut(offset..offset + new.len()));
            if let Some(place) = place {
                place.copy_from_slice(new);
            }
        }
    }
}

fn distance(from: u64, to: u64) -> Option<[u8; 4]> {
    let away = to.wrapping_sub(from).cast_signed();
    Some(i32::try_from(away).ok()?.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use iced_x86::{Decoder, DecoderOptions};

    fn decoded(at: u64, code: &[u8]) -> Instruction {
        Decoder::with_ip(64, code, at, DecoderOptions::NONE).decode()
    }

    #[test]
    fn a_call_is_taken_out_and_sent_elsewhere_in_its_own_length() {
        let thunks = Thunks {
            begin: 0x9000,
            room: 32,
            observe: 0xa000,
        };
        for code in [&[0xe8, 0, 0, 0, 0][..], &[0xff, 0x15, 0, 0, 0, 0]] {
            let call = decoded(0x1000, code);
            let mut patches = Patches::default();
            patches.take_out(&call);
            assert_eq!(decoded(0x1000, &patches.all[0].1).len(), code.len());
            let mut patches = Patches::default();
            assert!(patches.watch(&call, 0x2000, thunks));
            let thunk = decoded(0x9000, &patches.all[0].1);
            assert_eq!(thunk.ip_rel_memory_address(), 0x2000);
            let jump = decoded(0x9007, &patches.all[0].1[7..]);
            assert_eq!(jump.near_branch_target(), 0xa000);
            let new = decoded(0x1000, &patches.all[1].1);
            assert_eq!((new.len(), new.near_branch_target()), (code.len(), 0x9000));
            assert!(patches.watch(&call, 0x3000, thunks));
            assert!(
                !patches.watch(&call, 0x4000, thunks),
                "there is no more room"
            );
        }
    }

    #[test]
    fn what_is_called_by_register_is_loaded_from_elsewhere() {
        let thunks = Thunks {
            begin: 0x9000,
            room: 16,
            observe: 0xa000,
        };
        // mov r9, [rip + …]
        let mut code = [0x4c, 0x8b, 0x0d, 1, 2, 3, 4];
        let load = decoded(0x1000, &code);
        let mut patches = Patches::default();
        assert!(patches.watch(&load, 0x2000, thunks));
        for (at, bytes) in &patches.all[1..] {
            let begin = (at - 0x1000) as usize;
            code[begin..begin + bytes.len()].copy_from_slice(bytes);
        }
        let new = decoded(0x1000, &code);
        assert_eq!(
            (new.mnemonic(), new.op0_register()),
            (Mnemonic::Lea, load.op0_register())
        );
        assert_eq!(new.ip_rel_memory_address(), 0x9000);
    }
}
