//! Files about traffic.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(harvest_import);
