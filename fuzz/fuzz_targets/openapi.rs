//! An API description of any kind.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(openapi);
