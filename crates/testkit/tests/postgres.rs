//! A PostgreSQL of one's own.

use std::net::TcpStream;

use fossick_testkit::postgres::{Cluster, binaries};

#[test]
fn a_server_starts_is_killed_starts_again_and_leaves_nothing() {
    if binaries().is_none() {
        eprintln!("left out: there is no PostgreSQL");
        return;
    }
    let mut cluster = Cluster::start().expect("it starts");
    let url = cluster.url();
    let address = url
        .split(['@', '/'])
        .find(|part| part.contains("127.0.0.1:"));
    let listens = || TcpStream::connect(address.expect("an address")).is_ok();
    assert!(listens());
    cluster.kill().expect("it is killed");
    assert!(!still(&listens));
    cluster.restart().expect("it starts again");
    assert!(listens());
    let folder = cluster.folder().to_owned();
    assert!(folder.exists());
    drop(cluster);
    assert!(!still(&listens));
    assert!(!folder.exists());
}

/// Whether somebody listens and goes on: processes of a server that is killed end one by one.
fn still(listens: &dyn Fn() -> bool) -> bool {
    let mut looks = 0..100;
    looks.all(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        listens()
    })
}
