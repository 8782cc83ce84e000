//! Turns the text of an API description into a contract, forgivingly.
