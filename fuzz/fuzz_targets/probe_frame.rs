//! What a probe says over its socket.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(probe_frame);
