//! How long reading and writing take. Not a check: run it with `--release -- --ignored`.

use std::hint::black_box;
use std::time::Instant;

use fossick_query::{read, write, write_compact};

fn text() -> String {
    let mut text = String::from("query Shelf($first: Int!, $after: String = null) {\n");
    for at in 0..18 {
        text.push_str(&format!(
            "  shelf{at}: shelf(first: $first, after: \"cursor{at}\", wide: true) {{\n    id\n    name\n    \
             books {{\n      edges {{ node {{ title pages }} }}\n    }}\n  }}\n"
        ));
    }
    text.push('}');
    text
}

#[test]
#[ignore = "measures, and asserts nothing that depends on the machine"]
#[expect(
    clippy::print_stdout,
    reason = "a measurement is of use only if it is shown"
)]
fn reading_and_writing_are_quick() {
    const ROUNDS: u32 = 2000;
    let text = text();
    let document = read(&text, None).expect("it is GraphQL");
    let begun = Instant::now();
    for _ in 0..ROUNDS {
        black_box(read(black_box(&text), None)).expect("it is GraphQL");
    }
    let reading = begun.elapsed() / ROUNDS;
    let begun = Instant::now();
    for _ in 0..ROUNDS {
        black_box(write(black_box(&document)));
        black_box(write_compact(black_box(&document)));
    }
    let writing = begun.elapsed() / ROUNDS / 2;
    println!(
        "{} bytes: read {reading:?}, written {writing:?}",
        text.len()
    );
    assert_eq!(read(&write(&document), None).expect("reads"), document);
}
