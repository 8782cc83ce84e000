//! What is wrong with an episode: one file an oracle, one table of them all.
