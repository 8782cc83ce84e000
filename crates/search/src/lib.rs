//! Which plan comes next: propose and learn.
