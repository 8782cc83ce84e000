//! Calls that were recorded, and what is made of them.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(harvested);
