//! What the compiler and the linker's aftermath call.
//!
//! A comparison does not say where it is, so its callback takes the address that it returns to;
//! stable Rust has no other way to that than a few lines of assembler. As long as [`FOSSICK_ON`] is not
//! set they return at once, and a call that is watched goes on to where it was meant to go.

use std::arch::global_asm;
use std::sync::atomic::AtomicBool;

use crate::{observe, record, server};

/// Whether anybody wants to know.
#[no_mangle]
pub static FOSSICK_ON: AtomicBool = AtomicBool::new(false);

/// How many thunks there is room for.
const THUNKS: usize = 2048;

/// The path of the map, which is written here when the program has been linked.
const LONGEST_PATH: usize = 1024;
#[no_mangle]
static FOSSICK_MAP: [u8; LONGEST_PATH] = [0; LONGEST_PATH];

/// A path to the map, and where it stands.
pub fn map_path() -> Option<(String, usize)> {
    let at = &raw const FOSSICK_MAP;
    // SAFETY: it is a static of ours; the compiler must not know what is in it.
    let bytes = unsafe { std::ptr::read_volatile(at) };
    let end = bytes.iter().position(|byte| *byte == 0)?;
    let path = std::str::from_utf8(&bytes[..end]).ok()?;
    (!path.is_empty()).then(|| (path.to_owned(), at as usize))
}

macro_rules! comparisons {
    ($($name:literal $bytes:literal)*) => {
        $(global_asm!(
            concat!(".globl ", $name),
            concat!(".type ", $name, ", @function"),
            concat!($name, ":"),
            "cmp byte ptr [rip + {on}], 0",
            "je 1f",
            "mov rdx, [rsp]",
            concat!("mov ecx, ", $bytes),
            "jmp {compared}",
            "1: ret",
            on = sym FOSSICK_ON,
            compared = sym fossick_compared,
        );)*
    };
}

// Of those with a constant, the constant comes first; `fossick_compared` is told by the high bit.
comparisons! {
    "__sanitizer_cov_trace_cmp1" "1"
    "__sanitizer_cov_trace_cmp2" "2"
    "__sanitizer_cov_trace_cmp4" "4"
    "__sanitizer_cov_trace_cmp8" "8"
    "__sanitizer_cov_trace_const_cmp1" "0x81"
    "__sanitizer_cov_trace_const_cmp2" "0x82"
    "__sanitizer_cov_trace_const_cmp4" "0x84"
    "__sanitizer_cov_trace_const_cmp8" "0x88"
}

global_asm!(
    ".globl __sanitizer_cov_trace_switch",
    ".type __sanitizer_cov_trace_switch, @function",
    "__sanitizer_cov_trace_switch:",
    "cmp byte ptr [rip + {on}], 0",
    "je 1f",
    "mov rsi, [rsp]",
    "jmp {switched}",
    "1: ret",
    on = sym FOSSICK_ON,
    switched = sym fossick_switched,
);

// A call that is watched goes to a thunk, which is made when the program has been linked: it puts
// the function that is meant into r11, which nobody keeps over a call, and comes here. All that may
// hold an argument is as it was when the function is entered, and nothing is left on the stack.
global_asm!(
    ".globl FOSSICK_OBSERVE",
    ".type FOSSICK_OBSERVE, @function",
    "FOSSICK_OBSERVE:",
    "cmp byte ptr [rip + {on}], 0",
    "je 1f",
    "push rdi",
    "push rsi",
    "push rdx",
    "push rcx",
    "push r8",
    "push r9",
    "push rax",
    "push r10",
    "push r11",
    "sub rsp, 128",
    "movups [rsp], xmm0",
    "movups [rsp + 16], xmm1",
    "movups [rsp + 32], xmm2",
    "movups [rsp + 48], xmm3",
    "movups [rsp + 64], xmm4",
    "movups [rsp + 80], xmm5",
    "movups [rsp + 96], xmm6",
    "movups [rsp + 112], xmm7",
    // rdi was pushed first, so it lies highest; the return address is above it.
    "lea rdi, [rsp + 128]",
    "mov rsi, [rsp + 200]",
    "call {observed}",
    "movups xmm0, [rsp]",
    "movups xmm1, [rsp + 16]",
    "movups xmm2, [rsp + 32]",
    "movups xmm3, [rsp + 48]",
    "movups xmm4, [rsp + 64]",
    "movups xmm5, [rsp + 80]",
    "movups xmm6, [rsp + 96]",
    "movups xmm7, [rsp + 112]",
    "add rsp, 128",
    "pop r11",
    "pop r10",
    "pop rax",
    "pop r9",
    "pop r8",
    "pop rcx",
    "pop rdx",
    "pop rsi",
    "pop rdi",
    "1: jmp r11",
    ".globl FOSSICK_THUNKS",
    ".type FOSSICK_THUNKS, @object",
    ".size FOSSICK_THUNKS, {room}",
    ".p2align 4",
    "FOSSICK_THUNKS:",
    ".fill {room}, 1, 0xcc",
    on = sym FOSSICK_ON,
    observed = sym fossick_observed,
    room = const THUNKS * 16,
);

extern "C" {
    #[link_name = "FOSSICK_OBSERVE"]
    fn observe_stub();
    #[link_name = "FOSSICK_THUNKS"]
    static THUNKS_BEGIN: u8;
}

/// A linker takes out what nobody names.
pub fn keep() {
    std::hint::black_box(observe_stub as *const () as usize);
    std::hint::black_box(&raw const THUNKS_BEGIN as usize);
}

/// Each module brings its own call of this, all for the same row.
///
/// # Safety
/// The compiler calls it with the ends of a row of guards.
#[no_mangle]
unsafe extern "C" fn __sanitizer_cov_trace_pc_guard_init(start: *mut u32, stop: *mut u32) {
    if start == stop {
        return;
    }
    let count = (stop as usize - start as usize) / size_of::<u32>();
    // A panic must not leave a function of C.
    let _ = std::panic::catch_unwind(|| {
        keep();
        let Some(blocks) = server::begin() else {
            return;
        };
        for number in blocks.filter(|number| *number < count) {
            // SAFETY: it lies in the row, which nobody else writes to.
            unsafe { start.add(number).write(number as u32 + 1) };
        }
    });
}

/// # Safety
/// The compiler calls it with a guard.
#[no_mangle]
unsafe extern "C" fn __sanitizer_cov_trace_pc_guard(guard: *mut u32) {
    // SAFETY: it is written only before the program begins.
    let number = unsafe { *guard };
    if number != 0 {
        record::ran(number);
    }
}

/// Where blocks are is in the map.
#[no_mangle]
extern "C" fn __sanitizer_cov_pcs_init(_start: *const usize, _stop: *const usize) {}

extern "C" fn fossick_compared(left: u64, right: u64, returns: usize, kind: u32) {
    let (left, right) = if kind & 0x80 == 0 {
        (left, right)
    } else {
        (right, left)
    };
    let _ = std::panic::catch_unwind(|| record::compared(returns, left, right));
}

extern "C" fn fossick_switched(value: u64, returns: usize) {
    let _ = std::panic::catch_unwind(|| record::switched(returns, value));
}

/// # Safety
/// The stub above calls it with nine registers that it saved.
unsafe extern "C" fn fossick_observed(saved: *const u64, returns: usize) {
    // r11, r10, rax, r9, r8, rcx, rdx, rsi, rdi: those of arguments, the first of them last.
    // SAFETY: the stub has just pushed them.
    let saved = unsafe { &*saved.cast::<[u64; 9]>() };
    let arguments = [saved[8], saved[7], saved[6], saved[5], saved[4], saved[3]];
    let _ = std::panic::catch_unwind(|| observe::called(returns, &arguments));
}
