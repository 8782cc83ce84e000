//! A suite, written for JUnit.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(suite_junit);
