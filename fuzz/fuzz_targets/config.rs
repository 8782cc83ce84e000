//! A fossick.toml.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(config);
