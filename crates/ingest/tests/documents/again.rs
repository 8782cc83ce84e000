//! The same text is read the same way every time: no order comes from a hash or an address.

use crate::support::read_file;

#[test]
fn two_readings_are_equal() {
    for (name, file) in [
        ("forms-2.0", "openapi.yaml"),
        ("pets-3.0", "openapi.yaml"),
        ("shapes-3.1", "openapi.json"),
        ("split", "openapi.yaml"),
        ("broken", "openapi.yaml"),
    ] {
        let (one, other) = (read_file(name, file), read_file(name, file));
        assert_eq!(format!("{one:?}"), format!("{other:?}"), "{name}");
    }
}
