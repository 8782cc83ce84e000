//! A suite, written for phpunit.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(suite_phpunit);
