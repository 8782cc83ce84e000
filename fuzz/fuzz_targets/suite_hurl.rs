//! A suite, written for hurl.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(suite_hurl);
