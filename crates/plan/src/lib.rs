//! Plans: steps made of genes, and how they are written as calls.
