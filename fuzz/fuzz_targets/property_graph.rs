//! A stored property graph, as it is read and drawn.

#![cfg_attr(fuzzing, no_main)]

fossick_fuzz::target!(property_graph);
