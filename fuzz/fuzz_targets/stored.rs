//! A stored finding, as replay reads it.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(stored);
