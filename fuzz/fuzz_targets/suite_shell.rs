//! A suite, written for shell.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(suite_shell);
