//! Questions of the probe on standard input, one a line, answers on standard output: what
//! `fossick instrument` does, without the rest of fossick.

use std::io::{BufRead as _, Write as _, stdin, stdout};

fn main() -> std::io::Result<()> {
    // The tree of a long program is deep.
    let walker = std::thread::Builder::new().stack_size(256 << 20);
    let walk = walker.spawn(|| -> std::io::Result<()> {
        for question in stdin().lock().lines() {
            writeln!(stdout(), "{}", fossick_instrument::answer(&question?))?;
        }
        Ok(())
    })?;
    walk.join().expect("the walk returns its errors")
}
