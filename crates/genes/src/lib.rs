//! Values with their shapes: sampled, mutated, shrunk and written.
