//! The search as a whole, on services that are functions from plans to scores.

mod landscape;
mod properties;
mod services;
