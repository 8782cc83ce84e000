//! A program as its linker wrote it: functions by address, and what stands where.

use std::collections::HashMap;
use std::path::Path;

use object::read::elf::ElfFile64;
use object::{Endianness, Object as _, ObjectSection as _, ObjectSegment as _, ObjectSymbol as _};
use object::{RelocationTarget, SymbolKind};

use crate::mapped::MapError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) begin: u64,
    pub(crate) end: u64,
    /// As the linker knows it.
    pub(crate) symbol: String,
}

impl Function {
    /// As people write it, without the hashes of crates.
    pub(crate) fn name(&self) -> String {
        format!("{:#}", rustc_demangle::demangle(&self.symbol))
    }
}

#[derive(Debug)]
pub(crate) struct Image<'d> {
    pub(crate) file: ElfFile64<'d, Endianness>,
    bytes: &'d [u8],
    /// By address, each address once.
    pub(crate) functions: Vec<Function>,
    symbols: HashMap<String, u64>,
    /// What the loader writes where.
    relocated: HashMap<u64, u64>,
    /// Addresses in memory, how many, and where they are in the file.
    segments: Vec<(u64, u64, u64)>,
}

impl<'d> Image<'d> {
    pub(crate) fn of(bytes: &'d [u8]) -> Result<Self, MapError> {
        let file = ElfFile64::parse(bytes)?;
        let mut functions = Vec::new();
        let mut symbols = HashMap::new();
        for symbol in file.symbols() {
            let Ok(name) = symbol.name() else { continue };
            if symbol.is_definition() {
                symbols.insert(name.to_owned(), symbol.address());
            }
            if symbol.kind() == SymbolKind::Text && symbol.size() > 0 {
                functions.push(Function {
                    begin: symbol.address(),
                    end: symbol.address() + symbol.size(),
                    symbol: name.to_owned(),
                });
            }
        }
        if functions.is_empty() {
            return Err(MapError::Stripped);
        }
        functions.sort_by(|a, b| (a.begin, &a.symbol).cmp(&(b.begin, &b.symbol)));
        functions.dedup_by_key(|function| function.begin);
        Ok(Self {
            relocated: relocated(&file),
            segments: file
                .segments()
                .map(|it| (it.address(), it.file_range().1, it.file_range().0))
                .collect(),
            file,
            bytes,
            functions,
            symbols,
        })
    }

    pub(crate) fn symbol(&self, name: &str) -> Option<u64> {
        self.symbols.get(name).copied()
    }

    /// All symbols whose names begin so.
    pub(crate) fn symbols_of<'s>(&'s self, begin: &'s str) -> impl Iterator<Item = (&'s str, u64)> {
        let all = self.symbols.iter();
        all.filter(move |(name, _)| name.starts_with(begin))
            .map(|(name, address)| (name.as_str(), *address))
    }

    /// The function that an address lies in.
    pub(crate) fn function_at(&self, address: u64) -> Option<&Function> {
        let behind = self.functions.partition_point(|it| it.begin <= address);
        let function = self.functions.get(behind.checked_sub(1)?)?;
        (address < function.end).then_some(function)
    }

    /// Where in the file an address is.
    pub(crate) fn offset(&self, address: u64) -> Option<usize> {
        let holds = |(begin, size, _): &&(u64, u64, u64)| (*begin..begin + size).contains(&address);
        let (begin, _, offset) = self.segments.iter().find(holds)?;
        usize::try_from(address - begin + offset).ok()
    }

    pub(crate) fn code(&self, begin: u64, end: u64) -> &'d [u8] {
        let range = self.offset(begin).zip(usize::try_from(end - begin).ok());
        let code = range.and_then(|(offset, length)| self.bytes.get(offset..offset + length));
        code.unwrap_or_default()
    }

    /// The address that stands at an address once the program is loaded.
    pub(crate) fn pointer(&self, at: u64) -> Option<u64> {
        if let Some(address) = self.relocated.get(&at) {
            return Some(*address);
        }
        let bytes = self.code(at, at + 8);
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    }

    /// The address that stands at an address and stays there.
    pub(crate) fn constant(&self, at: u64) -> Option<u64> {
        const NAMES: [&str; 3] = [".got", ".got.plt", ".data.rel.ro"];
        let sections = NAMES
            .iter()
            .filter_map(|name| self.file.section_by_name(name));
        let mut ranges = sections.map(|it| it.address()..it.address() + it.size());
        ranges
            .any(|range| range.contains(&at))
            .then(|| self.pointer(at))?
    }

    /// Where the blocks are whose guards are numbered from 0.
    pub(crate) fn blocks(&self) -> Vec<u64> {
        // Each is an address and a word of flags.
        const SIZE: u64 = 16;
        let Some(section) = self.file.section_by_name("__sancov_pcs") else {
            return Vec::new();
        };
        let (begin, size) = (section.address(), section.size());
        let places = (begin..begin + size).step_by(SIZE as usize);
        places.filter_map(|at| self.pointer(at)).collect()
    }

    pub(crate) fn guards(&self) -> u64 {
        let section = self.file.section_by_name("__sancov_guards");
        section.map_or(0, |section| section.size() / 4)
    }
}

fn relocated(file: &ElfFile64<'_, Endianness>) -> HashMap<u64, u64> {
    let all = file.dynamic_relocations().into_iter().flatten();
    let relative = all.filter(|(_, it)| it.target() == RelocationTarget::Absolute);
    relative
        .map(|(at, it)| (at, it.addend().cast_unsigned()))
        .collect()
}

/// What a file is called in a message.
pub(crate) fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
