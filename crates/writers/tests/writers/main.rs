//! Whole files: what the sample suites become in each framework.

mod golden;
mod hostile;
mod samples;
