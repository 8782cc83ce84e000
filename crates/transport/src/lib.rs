//! The HTTP client: connections, limits, rates and credentials.
