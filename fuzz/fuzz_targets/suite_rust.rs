//! A suite, written for rust.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(suite_rust);
