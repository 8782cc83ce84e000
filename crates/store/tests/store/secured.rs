//! A server behind TLS, with a certificate of an authority that only we know.

use fossick_store::{Access, Store};
use fossick_testkit::postgres::{Cluster, binaries};
use postgres::{Client, NoTls};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};

use crate::desk::{Folder, place, query, seen, total};

/// An authority's certificate, and a certificate with its key for `localhost`.
fn certificates() -> (String, String, String) {
    let mut params = CertificateParams::new(Vec::new()).expect("parameters");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().expect("a key");
    let authority = params.self_signed(&key).expect("an authority");
    let issuer = Issuer::new(params, key);
    let own = CertificateParams::new(vec!["localhost".to_owned()]).expect("parameters");
    let own_key = KeyPair::generate().expect("a key");
    let signed = own.signed_by(&own_key, &issuer).expect("a certificate");
    (authority.pem(), signed.pem(), own_key.serialize_pem())
}

/// The server writes its own files, so that they are its own.
fn switch_on(url: &str, certificate: &str, key: &str) {
    let mut client = Client::connect(url, NoTls).expect("a connection");
    for (name, text) in [("server.crt", certificate), ("server.key", key)] {
        let lines = text.lines().collect::<Vec<_>>().join("','");
        let write =
            format!("COPY (SELECT unnest(ARRAY['{lines}'])) TO PROGRAM 'umask 077; cat > {name}'");
        client.batch_execute(&write).expect("written");
    }
    client
        .batch_execute("ALTER SYSTEM SET ssl = on")
        .expect("set");
    client
        .batch_execute("SELECT pg_reload_conf()")
        .expect("read again");
}

#[test]
fn a_server_is_trusted_when_its_authority_is() {
    if binaries().is_none() {
        eprintln!("left out: there is no PostgreSQL");
        return;
    }
    let cluster = Cluster::start().expect("a server");
    let plain = cluster.url();
    let asked = place(&format!("{plain}?sslmode=require"));
    let told = Store::open(&asked, Access::Write)
        .expect_err("no TLS yet")
        .to_string();
    assert!(told.contains("sslmode=disable"), "{told}");

    let (authority, certificate, key) = certificates();
    switch_on(&plain, &certificate, &key);
    let folder = Folder::new();
    let file = folder.path("authority.pem");
    std::fs::write(&file, authority).expect("written");
    let named = plain.replace("127.0.0.1", "localhost");
    let unknown = place(&format!("{named}?sslmode=require"));
    let told = Store::open(&unknown, Access::Write)
        .expect_err("unknown")
        .to_string();
    assert!(
        told.contains("certificate") && told.contains("sslrootcert"),
        "{told}"
    );

    let roots = format!("sslmode=require&sslrootcert={}", file.display());
    let mut store =
        Store::open(&place(&format!("{named}?{roots}")), Access::Write).expect("a store");
    store.add(&[seen(query(1), 1)], &[]).expect("added");
    assert_eq!(total(&mut store), 1);
    let other_name = place(&format!("{plain}?{roots}"));
    let told = Store::open(&other_name, Access::Write)
        .expect_err("another name")
        .to_string();
    assert!(told.contains("certificate"), "{told}");
}
