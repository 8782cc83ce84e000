//! What a service answers.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(answer);
