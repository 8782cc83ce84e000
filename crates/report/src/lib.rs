//! What a run is written as: JSON and JUnit for machines, text for people.
