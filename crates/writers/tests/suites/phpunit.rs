//! The sample as a suite for phpunit.

use fossick_writers::phpunit::write;

use crate::golden;

#[test]
fn the_sample_is_written_as_before() {
    golden::sample_is_written_as_before("phpunit", write);
    golden::are_written_to_be_run("phpunit", write);
}

#[test]
fn writing_is_steady_and_stays_in_its_folder() {
    golden::is_steady_and_stays_home(write);
}
