//! How a comparison is decided, by what the processor does behind the call that told of it.
//!
//! The callbacks are told the two sides and not what is asked of them. At the lowest level of
//! optimisation the comparison follows at once: the sides are fetched again, compared, and a jump
//! or a set byte says how.

use iced_x86::{ConditionCode, Decoder, Instruction, Mnemonic, OpKind};

/// Instructions between the call and the comparison.
const MOST: usize = 14;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Condition {
    /// As the map has it.
    pub(crate) relation: &'static str,
    pub(crate) is_signed: bool,
}

impl Condition {
    /// What is known of a comparison that could not be read: whether the sides are the same.
    fn unread(bytes: u8) -> Self {
        Self {
            relation: "eq",
            is_signed: is_signed_by_habit(bytes),
        }
    }
}

/// Small numbers are mostly bytes and ports, larger ones mostly have a sign.
fn is_signed_by_habit(bytes: u8) -> bool {
    bytes >= 4
}

/// Reads the code behind a call.
pub(crate) fn read(decoder: &mut Decoder<'_>, bytes: u8, with_constant: bool) -> Condition {
    let unread = Condition::unread(bytes);
    let mut compared: Option<Instruction> = None;
    for instruction in decoder.iter().take(MOST) {
        if let Some(compare) = &compared {
            if is_harmless(&instruction) {
                continue;
            }
            let code = instruction.condition_code();
            return of_code(code, compare, with_constant, bytes).unwrap_or(unread);
        }
        match instruction.mnemonic() {
            Mnemonic::Cmp | Mnemonic::Test => compared = Some(instruction),
            _ if is_harmless(&instruction) => {}
            _ => return unread,
        }
    }
    unread
}

/// Moves leave the flags as they are.
fn is_harmless(instruction: &Instruction) -> bool {
    matches!(
        instruction.mnemonic(),
        Mnemonic::Mov
            | Mnemonic::Movzx
            | Mnemonic::Movsx
            | Mnemonic::Movsxd
            | Mnemonic::Lea
            | Mnemonic::Nop
    )
}

fn of_code(
    code: ConditionCode,
    compare: &Instruction,
    with_constant: bool,
    bytes: u8,
) -> Option<Condition> {
    let condition = |relation, is_signed| {
        Some(Condition {
            relation,
            is_signed,
        })
    };
    match code {
        ConditionCode::e | ConditionCode::ne => {
            return condition("eq", is_signed_by_habit(bytes));
        }
        _ => {}
    }
    // The probe has the constant on the right, as the processor has where it is a part of the
    // instruction. Elsewhere it may stand on either side, and nobody knows.
    let is_test = compare.mnemonic() == Mnemonic::Test;
    let is_immediate = !matches!(compare.op1_kind(), OpKind::Register | OpKind::Memory);
    if with_constant && !is_test && !is_immediate {
        return None;
    }
    match code {
        ConditionCode::l | ConditionCode::s => condition("lt", true),
        ConditionCode::ge | ConditionCode::ns => condition("ge", true),
        ConditionCode::le => condition("le", true),
        ConditionCode::g => condition("gt", true),
        ConditionCode::b => condition("lt", false),
        ConditionCode::ae => condition("ge", false),
        ConditionCode::be => condition("le", false),
        ConditionCode::a => condition("gt", false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iced_x86::DecoderOptions;

    fn of(code: &[u8], with_constant: bool) -> Condition {
        let mut decoder = Decoder::with_ip(64, code, 0x1000, DecoderOptions::NONE);
        read(&mut decoder, 8, with_constant)
    }

    #[test]
    fn the_jump_behind_the_comparison_says_how() {
        // mov rax, [rbp-32]; cmp rax, 1000; jg
        let greater = [0x48, 0x8b, 0x45, 0xe0, 0x48, 0x3d, 0xe8, 3, 0, 0, 0x7f, 5];
        let wanted = Condition {
            relation: "gt",
            is_signed: true,
        };
        assert_eq!(of(&greater, true), wanted);
        // cmp rax, 42; sete al
        let equal = [0x48, 0x83, 0xf8, 0x2a, 0x0f, 0x94, 0xc0];
        assert_eq!(of(&equal, true).relation, "eq");
        // cmp rax, rcx; jb
        let below = [0x48, 0x39, 0xc8, 0x72, 5];
        let wanted = Condition {
            relation: "lt",
            is_signed: false,
        };
        assert_eq!(of(&below, false), wanted);
    }

    #[test]
    fn what_cannot_be_read_is_only_equal_or_not() {
        // cmp rax, rcx; jb, where one of them is a constant.
        let below = [0x48, 0x39, 0xc8, 0x72, 5];
        assert_eq!(of(&below, true).relation, "eq");
        // call
        assert_eq!(of(&[0xe8, 0, 0, 0, 0], true).relation, "eq");
        assert_eq!(of(&[], true).relation, "eq");
    }
}
