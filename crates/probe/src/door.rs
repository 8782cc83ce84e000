//! Probes that come by a port of this machine, for runtimes without sockets in the file system.
//!
//! Anybody on the machine may knock there, so a probe says a secret first, and a line feed. Behind
//! the door its bytes run through a pair of sockets: who talks to it need not know how it came.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, copy_bidirectional};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;

/// Somebody else who knocks must not hold up those who wait behind.
const PATIENCE: Duration = Duration::from_secs(1);

/// Our end of the connection, if who came knows the secret.
pub(crate) async fn through_the_door(
    mut caller: TcpStream,
    secret: &str,
) -> io::Result<UnixStream> {
    let mut said = vec![0; secret.len() + 1];
    timeout(PATIENCE, caller.read_exact(&mut said)).await??;
    let (known, end) = (secret.as_bytes(), b'\n');
    if said != [known, &[end]].concat() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    caller.set_nodelay(true)?;
    let (ours, mut theirs) = UnixStream::pair()?;
    tokio::spawn(async move {
        // Where one side ends, the other does.
        let _ = copy_bidirectional(&mut caller, &mut theirs).await;
    });
    Ok(ours)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use tokio::io::AsyncWriteExt as _;
    use tokio::net::TcpListener;

    use super::*;

    async fn knock(words: &[u8]) -> (TcpStream, io::Result<UnixStream>) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.expect("a free port");
        let address = listener.local_addr().expect("a name");
        let mut caller = TcpStream::connect(address).await.expect("somebody listens");
        caller.write_all(words).await.expect("it is short");
        let (stream, _) = listener.accept().await.expect("somebody knocks");
        (caller, through_the_door(stream, "sesame").await)
    }

    #[tokio::test]
    async fn who_knows_the_secret_is_heard() {
        let (mut caller, door) = knock(b"sesame\nhi").await;
        let mut inside = door.expect("it opens");
        let mut heard = [0; 2];
        inside.read_exact(&mut heard).await.expect("words");
        assert_eq!(&heard, b"hi");
        inside.write_all(b"ho").await.expect("an answer");
        caller.read_exact(&mut heard).await.expect("the answer");
        assert_eq!(&heard, b"ho");
        drop(inside);
        assert_eq!(caller.read(&mut heard).await.expect("an end"), 0);
    }

    #[tokio::test]
    async fn who_does_not_is_left_outside() {
        for words in [&b"simsim\n"[..], b"sesamex", b"\0\0\0\0\0\0\0"] {
            assert!(knock(words).await.1.is_err());
        }
    }
}
