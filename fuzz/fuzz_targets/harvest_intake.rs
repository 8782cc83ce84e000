//! A call that went by.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(harvest_intake);
