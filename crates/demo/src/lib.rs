//! A small faulty service to try fossick on, and its corrected twin.
