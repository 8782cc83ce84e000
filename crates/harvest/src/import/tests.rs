//! Every format, from a sample to what is seen in it.

use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn no_bytes_break_a_reader(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let settings = Settings::default();
        detect(&bytes, "x");
        for format in Format::ALL {
            let _ = read(format, &*bytes, &settings).count();
        }
    }
}
