//! The sample as a suite for hurl.

use fossick_writers::hurl::write;

use crate::golden;

#[test]
fn the_sample_is_written_as_before() {
    golden::sample_is_written_as_before("hurl", write);
    golden::are_written_to_be_run("hurl", write);
}

#[test]
fn writing_is_steady_and_stays_in_its_folder() {
    golden::is_steady_and_stays_home(write);
}
