//! Tests written for jest out of hostile texts.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(write_jest);
