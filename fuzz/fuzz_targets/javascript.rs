//! A source of JavaScript that is rewritten.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(javascript);
