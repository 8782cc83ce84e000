//! Fake services, builders and golden helpers for tests.
