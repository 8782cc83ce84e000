//! One call: from the client to the upstream and back.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;

use bytes::Bytes;
use hyper::body::{Body as _, Incoming};
use hyper::header::{CONTENT_TYPE, EXPECT, HeaderValue};
use hyper::http::request::Parts;
use hyper::upgrade::OnUpgrade;
use hyper::{Method, Request, Response, StatusCode, Version};
use tokio::time::timeout;

use super::address::Address;
use super::headers;
use super::pool::{Lane, Pool};
use super::relay::{Relay, Reply};
use super::trouble::Trouble;
use super::tunnel;
use super::upload::Upload;
use crate::Patience;
use crate::door::Presence;
use crate::figures::count;
use crate::record::{Note, Queue, Sent};

/// What one thread needs to serve calls.
pub(crate) struct Office {
    pub(crate) pool: Arc<Pool>,
    pub(crate) address: Arc<Address>,
    pub(crate) queue: Arc<Queue>,
    pub(crate) patience: Patience,
    pub(crate) copied: usize,
}

/// What becomes of a call that the upstream does not answer.
enum Failure {
    Unreachable(String),
    Late,
}

/// A call under way.
struct Call {
    note: Note,
    sent: Option<Arc<Sent>>,
    two: bool,
    /// Where the client wants the connection to become something else.
    upgrade: Option<OnUpgrade>,
    client_version: Version,
}

pub(crate) async fn forward(
    office: Arc<Office>,
    peer: SocketAddr,
    presence: Presence,
    request: Request<Incoming>,
) -> Result<Response<Reply>, Infallible> {
    if request.method() == Method::CONNECT {
        let text = "this is no way to other hosts: CONNECT is not served\n";
        return Ok(words(StatusCode::METHOD_NOT_ALLOWED, text.to_owned()));
    }
    let (request, mut call) = office.prepare(request, peer);
    Ok(match office.send(request, &call).await {
        Ok((response, lane)) => office.answer(response, lane, call, presence),
        Err(failure) => {
            call.note.dismiss();
            count(&office.queue.counters.failed, 1);
            refusal(failure)
        }
    })
}

impl Office {
    fn prepare(&self, request: Request<Incoming>, peer: SocketAddr) -> (Request<Upload>, Call) {
        let (mut head, body) = request.into_parts();
        let mut note = Note::of(&self.queue, &head, peer.ip(), self.copied);
        let (mut upload, sent) = Upload::new(body, &mut note, &self.queue, self.patience.stall);
        let wanted = headers::wants_upgrade(&head);
        // It must not travel on, whether it is used or not.
        let upgrade = head.extensions.remove::<OnUpgrade>().filter(|_| wanted);
        let client_version = head.version;
        headers::clean_request(&mut head.headers, upgrade.is_some());
        self.address.direct(&mut head, sent.is_some(), peer.ip());
        let leave = expects_leave(&head, client_version).then(|| upload.wait_for_leave());
        let mut request = Request::from_parts(head, upload);
        if let Some(leave) = leave {
            hyper::ext::on_informational(&mut request, move |answer| {
                if answer.status() == StatusCode::CONTINUE {
                    leave.notify_one();
                }
            });
        }
        let speaks_two = client_version == Version::HTTP_2;
        let two = self.pool.ways.prefers_two(speaks_two, upgrade.is_some());
        let call = Call {
            note,
            sent,
            two,
            upgrade,
            client_version,
        };
        (request, call)
    }

    /// Sends it, and once more on a fresh connection where the old one turned out to be closed: if
    /// nothing of it has left, or if it only reads and was met with silence.
    async fn send(
        &self,
        request: Request<Upload>,
        call: &Call,
    ) -> Result<(Response<Incoming>, Lane), Failure> {
        let mut lane = self.lane(call, false).await?;
        let repeatable = lane.is_reused() && call.sent.is_none() && request.method().is_safe();
        let spare = repeatable.then(|| copy_of(&request));
        let trouble = match self.send_once(&mut lane, request, call).await? {
            Ok(response) => return Ok((response, lane)),
            Err(trouble) => trouble,
        };
        let again = match (trouble, spare) {
            (Trouble::Unsent(request, _), _) if lane.is_reused() => *request,
            (Trouble::Silent(_), Some(spare)) => spare,
            (trouble, _) => return Err(Failure::Unreachable(trouble.why())),
        };
        let mut lane = self.lane(call, true).await?;
        match self.send_once(&mut lane, again, call).await? {
            Ok(response) => Ok((response, lane)),
            Err(trouble) => Err(Failure::Unreachable(trouble.why())),
        }
    }

    async fn lane(&self, call: &Call, fresh: bool) -> Result<Lane, Failure> {
        let taken = self.pool.take(call.two, fresh).await;
        let mut lane = taken.map_err(Failure::Unreachable)?;
        if let (Lane::One(line), true) = (&mut lane, call.upgrade.is_some()) {
            line.allow_upgrade();
        }
        Ok(lane)
    }

    /// The outer error is for good, the inner one may be tried again.
    async fn send_once(
        &self,
        lane: &mut Lane,
        request: Request<Upload>,
        call: &Call,
    ) -> Result<Result<Response<Incoming>, Trouble>, Failure> {
        let request = self.in_the_form_of(lane, request, call);
        let mut answer = pin!(lane.send(request));
        loop {
            match timeout(self.patience.answer, answer.as_mut()).await {
                Ok(outcome) => return Ok(outcome),
                // A long upload is not a late answer.
                Err(_) if call.sent.as_ref().is_some_and(|sent| !sent.has_ended()) => {}
                Err(_) => return Err(Failure::Late),
            }
        }
    }

    fn in_the_form_of(
        &self,
        lane: &Lane,
        request: Request<Upload>,
        call: &Call,
    ) -> Request<Upload> {
        if lane.is_two() == (request.version() == Version::HTTP_2) {
            return request;
        }
        let (mut head, upload) = request.into_parts();
        if lane.is_two() {
            self.address.make_two(&mut head);
        } else {
            self.address.make_one(&mut head, call.sent.is_some());
        }
        Request::from_parts(head, upload)
    }

    fn answer(
        &self,
        mut response: Response<Incoming>,
        mut lane: Lane,
        mut call: Call,
        presence: Presence,
    ) -> Response<Reply> {
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            let upstream = hyper::upgrade::on(&mut response);
            return self.switch(response, upstream, lane, call, presence);
        }
        let (mut head, body) = response.into_parts();
        let length = body.size_hint().lower();
        call.note
            .answered(head.status.as_u16(), &head.headers, length);
        headers::clean_answer(&mut head.headers, false);
        if call.client_version == Version::HTTP_2 {
            headers::clean_for_two(&mut head.headers);
        } else {
            head.version = Version::HTTP_11;
        }
        let unsent = call.sent.as_ref().is_some_and(|sent| !sent.has_ended());
        if let (Lane::One(line), true) = (&mut lane, unsent) {
            line.detach();
        }
        let relay = Relay::new(body, lane, &self.pool, call.note, self.patience.stall);
        Response::from_parts(head, Reply::Relay(relay))
    }

    /// The upstream agreed to speak something else.
    fn switch(
        &self,
        response: Response<Incoming>,
        upstream: OnUpgrade,
        lane: Lane,
        mut call: Call,
        presence: Presence,
    ) -> Response<Reply> {
        call.note.dismiss();
        let (Some(client), Lane::One(line)) = (call.upgrade, lane) else {
            count(&self.queue.counters.failed, 1);
            let why = "it switches protocols unasked".to_owned();
            return refusal(Failure::Unreachable(why));
        };
        count(&self.queue.counters.tunnels, 1);
        tunnel::open(client, upstream, line, presence);
        let (head, _) = response.into_parts();
        Response::from_parts(head, Reply::Words(None))
    }
}

fn expects_leave(head: &Parts, client: Version) -> bool {
    let expected = head.headers.get(EXPECT).map(HeaderValue::as_bytes);
    client == Version::HTTP_11
        && expected.is_some_and(|value| value.eq_ignore_ascii_case(b"100-continue"))
}

/// The same request again; it has no body.
fn copy_of(request: &Request<Upload>) -> Request<Upload> {
    let mut copy = Request::new(Upload::empty());
    *copy.method_mut() = request.method().clone();
    *copy.uri_mut() = request.uri().clone();
    *copy.version_mut() = request.version();
    *copy.headers_mut() = request.headers().clone();
    *copy.extensions_mut() = request.extensions().clone();
    copy
}

fn refusal(failure: Failure) -> Response<Reply> {
    match failure {
        Failure::Unreachable(why) => words(
            StatusCode::BAD_GATEWAY,
            format!("the upstream gave no answer: {why}\n"),
        ),
        Failure::Late => words(
            StatusCode::GATEWAY_TIMEOUT,
            "the upstream did not answer in time\n".to_owned(),
        ),
    }
}

fn words(status: StatusCode, text: String) -> Response<Reply> {
    let mut response = Response::new(Reply::Words(Some(Bytes::from(text))));
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, plain);
    response
}
