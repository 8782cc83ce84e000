//! A program that was linked with the probe: silenced where it is not the user's own, and mapped.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use iced_x86::{
    Code, Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register,
};
use thiserror::Error;

use crate::callee;
use crate::condition;
use crate::image::{Function, Image, name};
use crate::map::{Map, Spot};
use crate::patch::{Patches, Thunks};
use crate::source::{Own, Place, Source};

#[derive(Debug, Error)]
pub enum MapError {
    #[error("the program can't be read: {0}")]
    Program(#[from] object::Error),
    #[error("the debug information can't be read: {0}")]
    Lines(#[from] addr2line::gimli::Error),
    #[error("the program has no symbols: something strips it")]
    Stripped,
    #[error("the program has no probe in it, or another one")]
    NoProbe,
    #[error("the compiler added no counters that fit together")]
    NoCounters,
    #[error("the map's path is too long")]
    LongPath,
    #[error("{0}: {1}")]
    File(String, std::io::Error),
}

/// The probe's room for a path.
const LONGEST_PATH: usize = 1023;

/// Maps a program, writes the map beside it, and silences in it what is not own source: what lies
/// in the folders of `packages` and not in `without`.
pub fn mapped(
    program: &Path,
    packages: &[(String, PathBuf)],
    without: &[PathBuf],
) -> Result<(), MapError> {
    let file = |error| MapError::File(name(program), error);
    let mut bytes = std::fs::read(program).map_err(file)?;
    let path = std::path::absolute(program.with_extension("fossick-map")).map_err(file)?;
    let own = Own {
        folders: packages.iter().map(|(_, folder)| folder.clone()).collect(),
        without: without.to_vec(),
    };
    let copy = bytes.clone();
    let image = Image::of(&copy)?;
    let (text, mut patches) = Work::begin(&image, own)?.done(packages);
    let anchor = image.symbol("FOSSICK_MAP").ok_or(MapError::NoProbe)?;
    let named = path.to_str().filter(|it| it.len() <= LONGEST_PATH);
    patches.put(anchor, named.ok_or(MapError::LongPath)?.as_bytes().to_vec());
    patches.apply(&image, &mut bytes);
    std::fs::write(&path, text).map_err(|error| MapError::File(name(&path), error))?;
    replace(program, &bytes).map_err(file)
}

/// The program may be running; what is written anew has a name of its own first.
fn replace(program: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let new = program.with_extension("fossick-new");
    std::fs::write(&new, bytes)?;
    std::fs::set_permissions(&new, std::fs::metadata(program)?.permissions())?;
    std::fs::rename(&new, program)
}

/// What the compiler put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Callback {
    Block,
    Compare { bytes: u8, with_constant: bool },
    Switch,
}

struct Work<'i, 'd> {
    image: &'i Image<'d>,
    source: Source<'d>,
    callbacks: HashMap<u64, Callback>,
    thunks: Thunks,
    anchor: u64,
    /// What a function that is called is worth.
    acts: HashMap<u64, Option<String>>,
    map: Map,
    patches: Patches,
}

const PREFIX: &str = "__sanitizer_cov_trace_";

fn callback(symbol: &str) -> Option<Callback> {
    let rest = symbol.strip_prefix(PREFIX)?;
    match rest {
        "pc_guard" => return Some(Callback::Block),
        "switch" => return Some(Callback::Switch),
        _ => {}
    }
    let (with_constant, bytes) = match rest.strip_prefix("const_cmp") {
        Some(bytes) => (true, bytes),
        None => (false, rest.strip_prefix("cmp")?),
    };
    Some(Callback::Compare {
        bytes: bytes.parse().ok()?,
        with_constant,
    })
}

impl<'i, 'd> Work<'i, 'd> {
    fn begin(image: &'i Image<'d>, own: Own) -> Result<Self, MapError> {
        let symbol = |name| image.symbol(name).ok_or(MapError::NoProbe);
        let known = image.symbols_of(PREFIX);
        let known = known.filter_map(|(name, address)| Some((address, callback(name)?)));
        let begin = symbol("FOSSICK_THUNKS")?;
        Self {
            callbacks: known.collect(),
            thunks: Thunks {
                begin,
                room: THUNK_ROOM,
                observe: symbol("FOSSICK_OBSERVE")?,
            },
            anchor: symbol("FOSSICK_MAP")?,
            source: Source::of(image, own)?,
            acts: HashMap::new(),
            map: Map::default(),
            patches: Patches::default(),
            image,
        }
        .checked()
    }

    fn checked(self) -> Result<Self, MapError> {
        let blocks = self.image.blocks().len() as u64;
        if blocks == 0 || blocks != self.image.guards() {
            return Err(MapError::NoCounters);
        }
        Ok(self)
    }

    fn done(mut self, packages: &[(String, PathBuf)]) -> (String, Patches) {
        let mut blocks: Vec<(u64, usize)> = self.image.blocks().into_iter().zip(0..).collect();
        blocks.sort_unstable();
        let mut begins = HashSet::new();
        let mut derived: HashMap<u64, bool> = HashMap::new();
        let mut functions = Vec::new();
        for (at, (address, guard)) in blocks.iter().enumerate() {
            let Some(function) = self.image.function_at(*address) else {
                continue;
            };
            if begins.insert(function.begin) {
                functions.push(function);
            }
            let next = blocks.get(at + 1).map_or(function.end, |(next, _)| *next);
            let end = next.min(function.end).max(address + 1);
            // What a macro derives has the lines of the type, and is nothing that anybody wrote.
            let is_derived = *derived.entry(function.begin).or_insert_with(|| {
                let places = self.source.places(function.begin, function.end);
                places
                    .first()
                    .is_some_and(|place| self.source.is_derived(*place))
            });
            if !is_derived {
                let places = self.source.places(*address, end);
                self.map.block(*guard, &places);
            }
        }
        for function in functions {
            let is_derived = derived.get(&function.begin).copied().unwrap_or_default();
            self.function(function, is_derived);
        }
        let map = self.map.finish(self.anchor, packages, &self.source.files);
        (map, self.patches)
    }

    /// Goes through the code of a function that has counters.
    fn function(&mut self, function: &Function, is_derived: bool) {
        let code = self.image.code(function.begin, function.end);
        let mut decoder = Decoder::with_ip(64, code, function.begin, DecoderOptions::NONE);
        let name = function.name();
        let mut walk = Walk {
            is_foreign: is_derived,
            ..Walk::default()
        };
        while decoder.can_decode() {
            let instruction = decoder.decode();
            let load = walk.load_of(&instruction);
            walk.see(&instruction);
            if let Some(load) = load {
                if let Some(callee) = self.loaded(&load) {
                    self.call(&load, instruction.next_ip(), callee, &name, &mut walk);
                }
                continue;
            }
            let Some(callee) = self.callee(&instruction) else {
                continue;
            };
            if let Some(callback) = self.callbacks.get(&callee).copied() {
                let behind = decoder.position();
                self.callback(&instruction, callback, &name, &mut walk, &code[behind..]);
            } else {
                let returns = instruction.next_ip();
                self.call(&instruction, returns, callee, &name, &mut walk);
            }
        }
    }

    /// What an instruction calls, where that is known.
    fn callee(&self, instruction: &Instruction) -> Option<u64> {
        if instruction.mnemonic() != Mnemonic::Call {
            return None;
        }
        if instruction.is_call_near() {
            return Some(instruction.near_branch_target());
        }
        // By way of a table that the loader fills.
        let is_table = instruction.code() == Code::Call_rm64
            && instruction.op0_kind() == OpKind::Memory
            && instruction.is_ip_rel_memory_operand();
        is_table.then(|| self.image.constant(instruction.ip_rel_memory_address()))?
    }

    /// What was loaded into a register to be called.
    fn loaded(&self, load: &Instruction) -> Option<u64> {
        let address = load.ip_rel_memory_address();
        if load.mnemonic() == Mnemonic::Lea {
            return Some(address);
        }
        self.image.constant(address)
    }

    fn callback(
        &mut self,
        call: &Instruction,
        callback: Callback,
        function: &str,
        walk: &mut Walk,
        behind: &[u8],
    ) {
        if callback == Callback::Block {
            walk.blocks += 1;
        }
        let place = self.source.place(call.ip());
        let Some(place) = place.filter(|_| !walk.is_foreign) else {
            self.patches.take_out(call);
            return;
        };
        let returns = call.next_ip();
        match callback {
            Callback::Block => {}
            Callback::Compare {
                bytes,
                with_constant,
            } => {
                let mut decoder = Decoder::with_ip(64, behind, returns, DecoderOptions::NONE);
                let condition = condition::read(&mut decoder, bytes, with_constant);
                let spot = walk.spot(returns, place, function);
                let label = self.source.label(spot.place);
                self.map.compare(spot, condition, bytes, &label);
            }
            Callback::Switch => {
                // A future goes on where it was; which states there are is the compiler's affair.
                let is_state = walk.blocks <= 1 && function.ends_with('}');
                match walk.table.and_then(|at| self.cases(at)) {
                    Some((bytes, cases)) if !is_state => {
                        let spot = walk.spot(returns, place, function);
                        self.map.switch(spot, bytes, &cases);
                    }
                    _ => self.patches.take_out(call),
                }
            }
        }
    }

    /// How many, how many bits, and the values.
    fn cases(&self, table: u64) -> Option<(u8, Vec<u64>)> {
        const MOST: u64 = 4096;
        let word = |nth: u64| self.image.pointer(table + nth * 8);
        let (count, bits) = (word(0)?, word(1)?);
        let cases = (0..count.min(MOST)).map(|nth| word(nth + 2));
        let bytes = u8::try_from(bits / 8)
            .ok()
            .filter(|it| matches!(it, 1 | 2 | 4 | 8))?;
        Some((bytes, cases.collect::<Option<_>>()?))
    }

    /// A call of something that may be worth a look; `call` is the instruction that says what.
    fn call(
        &mut self,
        call: &Instruction,
        returns: u64,
        callee: u64,
        function: &str,
        walk: &mut Walk,
    ) {
        let image = self.image;
        let act = self.acts.entry(callee).or_insert_with(|| {
            let function = image.function_at(callee)?;
            (function.begin == callee).then(|| callee::act(&function.name()))?
        });
        let Some(act) = act.clone().filter(|_| !walk.is_foreign) else {
            return;
        };
        let Some(place) = self.source.place(returns - 1) else {
            return;
        };
        if self.patches.watch(call, callee, self.thunks) {
            let spot = walk.spot(returns, place, function);
            let label = self.source.label(spot.place);
            self.map.observe(spot, &act, callee, &label);
        }
    }
}

/// As the probe has it.
const THUNK_ROOM: u64 = 2048 * 16;

/// What is known on the way through a function.
#[derive(Debug, Default)]
struct Walk {
    /// Nothing in it counts.
    is_foreign: bool,
    blocks: u32,
    /// The last address that was loaded where a second argument goes.
    table: Option<u64>,
    /// Addresses that are in registers, by the instruction that loaded them.
    loads: HashMap<Register, Instruction>,
    on_line: HashMap<Place, u32>,
}

impl Walk {
    /// The instruction that loaded what is called by register.
    fn load_of(&self, instruction: &Instruction) -> Option<Instruction> {
        let is_register =
            instruction.mnemonic() == Mnemonic::Call && instruction.op0_kind() == OpKind::Register;
        is_register.then(|| self.loads.get(&instruction.op0_register()).copied())?
    }

    fn see(&mut self, instruction: &Instruction) {
        if instruction.flow_control() != FlowControl::Next {
            // A call leaves nothing in registers, and who jumps here is not known.
            self.loads.clear();
            return;
        }
        if instruction.op0_kind() != OpKind::Register {
            return;
        }
        let register = instruction.op0_register().full_register();
        self.loads.remove(&register);
        let is_address = matches!(instruction.mnemonic(), Mnemonic::Mov | Mnemonic::Lea)
            && instruction.is_ip_rel_memory_operand();
        if is_address && register == instruction.op0_register() {
            self.loads.insert(register, *instruction);
            if register == Register::RSI && instruction.mnemonic() == Mnemonic::Lea {
                self.table = Some(instruction.ip_rel_memory_address());
            }
        }
    }

    fn spot<'f>(&mut self, returns: u64, place: Place, function: &'f str) -> Spot<'f> {
        let next = self.on_line.entry(place).or_default();
        let nth = *next;
        *next += 1;
        Spot {
            returns,
            place,
            function,
            nth,
        }
    }
}
