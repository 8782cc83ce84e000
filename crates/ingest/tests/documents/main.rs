//! Whole documents, read and looked at.

mod broken;
mod forms;
mod hostile;
mod pets;
mod shapes;
mod split;
mod support;
