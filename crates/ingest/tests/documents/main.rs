//! Whole documents, read and looked at.

mod again;
mod broken;
mod forms;
mod graphql;
mod graphql_hostile;
mod hostile;
mod pets;
mod shapes;
mod split;
mod support;
