//! A regular expression inside a schema.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(pattern);
