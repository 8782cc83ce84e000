//! A connection that became something else, such as a WebSocket: bytes are copied both ways.

use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::io::copy_bidirectional;

use super::line::Line;
use crate::door::Presence;

/// Copies until both sides have ended. It is cut when the door closes and its time is up.
pub(crate) fn open(client: OnUpgrade, upstream: OnUpgrade, line: Box<Line>, presence: Presence) {
    tokio::spawn(async move {
        // The line's task hands the bare connection over, so it must live until then.
        let (Ok(client), Ok(upstream)) = tokio::join!(client, upstream) else {
            return;
        };
        let (mut client, mut upstream) = (TokioIo::new(client), TokioIo::new(upstream));
        // How it ends is between the two.
        let _ = copy_bidirectional(&mut client, &mut upstream).await;
        drop((line, presence));
    });
}
