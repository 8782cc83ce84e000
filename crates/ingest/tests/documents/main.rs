//! Whole documents, read and looked at.

mod again;
mod broken;
mod forms;
mod hostile;
mod pets;
mod shapes;
mod split;
mod support;
