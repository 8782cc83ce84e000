//! The store against real engines.

mod adding;
mod cut_off;
mod database;
mod desk;
mod killed;
mod opening;
mod reading;
mod secured;
mod together;
mod writing;
