//! Users who must log in first.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use fossick_contract::Method;
use fossick_trace::Request;
use fossick_transport::{Client, Credentials, Login, LoginError, Settings, TokenSource, User};

use crate::stub::{Act, Seen, Stub, json};
use crate::{answered, get, settings};

const BEARER: &str = "Authorization: Bearer {token}";

fn login(token: TokenSource, send: &str) -> Login {
    Login {
        method: Method::Post,
        target: "/login".into(),
        headers: vec![],
        body: Bytes::from_static(br#"{"user":"ann","password":"annspassword"}"#),
        media_type: "application/json".into(),
        token,
        send: send.into(),
        expires: None,
    }
}

fn by_pointer() -> Login {
    login(TokenSource::Pointer("/data/token".into()), BEARER)
}

fn client(stub: &Stub, login: Login) -> Client {
    let ann = User {
        name: "ann".into(),
        credentials: Credentials::Login(login),
    };
    Client::new(Settings {
        users: vec![ann],
        connections: 32,
        ..settings(&stub.url)
    })
    .expect("good settings")
}

fn is_login(seen: &Seen) -> bool {
    seen.first_line().contains("/login")
}

/// Gives out `token-N`, always newer, and knows only the newest; `revoked` makes it forget.
struct Gate {
    issued: AtomicUsize,
    revoked: AtomicUsize,
}

impl Gate {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            issued: AtomicUsize::new(0),
            revoked: AtomicUsize::new(0),
        })
    }

    fn issue(&self) -> Act {
        let number = self.issued.fetch_add(1, Ordering::SeqCst) + 1;
        let cookie =
            format!("x-token: token-{number}\r\nset-cookie: sid=token-{number}; Path=/\r\n");
        json(
            200,
            &cookie,
            &format!(r#"{{"data":{{"token":"token-{number}"}}}}"#),
        )
    }

    fn act(&self, seen: &Seen) -> Act {
        if is_login(seen) {
            return self.issue();
        }
        let newest = self.issued.load(Ordering::SeqCst);
        let good = newest > self.revoked.load(Ordering::SeqCst)
            && seen.text.contains(&format!("token-{newest}\r\n"));
        json(if good { 200 } else { 401 }, "", "{}")
    }

    fn revoke(&self) {
        self.revoked
            .store(self.issued.load(Ordering::SeqCst), Ordering::SeqCst);
    }

    fn logins(&self) -> usize {
        self.issued.load(Ordering::SeqCst)
    }
}

async fn guarded() -> (Arc<Gate>, Stub) {
    let gate = Gate::new();
    let keeper = Arc::clone(&gate);
    let stub = Stub::start(move |seen| keeper.act(seen)).await;
    (gate, stub)
}

#[tokio::test]
async fn a_token_is_taken_from_body_header_or_cookie() {
    for (source, send, sent) in [
        (
            TokenSource::Pointer("/data/token".into()),
            BEARER,
            "authorization: Bearer token-1\r\n",
        ),
        (
            TokenSource::Header("X-Token".into()),
            "X-Auth: {token}",
            "x-auth: token-1\r\n",
        ),
        (
            TokenSource::Cookie("sid".into()),
            "Cookie: sid={token}",
            "cookie: sid=token-1\r\n",
        ),
    ] {
        let (gate, stub) = guarded().await;
        let client = client(&stub, login(source, send));
        assert!(client.can_log_in(None) && client.can_log_in(Some("ann")));
        assert_eq!(answered(client.send(&get("/me")).await).status, 200);
        assert_eq!(answered(client.send(&get("/me")).await).status, 200);
        let seen = stub.requests();
        assert!(seen[0].starts_with("POST /login ") && seen[0].contains("annspassword"));
        assert!(seen[1].contains(sent), "{}", seen[1]);
        assert_eq!((gate.logins(), client.requests()), (1, 3));
        assert!(client.secrets().contains(&"token-1".to_owned()));
        assert!(client.secrets().contains(&"annspassword".to_owned()));
    }
}

async fn send_many(client: &Client, number: usize) -> Vec<u16> {
    let tasks: Vec<_> = (0..number)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { answered(client.send(&get("/me")).await).status })
        })
        .collect();
    let mut statuses = Vec::new();
    for task in tasks {
        statuses.push(task.await.expect("an answer"));
    }
    statuses
}

#[tokio::test]
async fn many_requests_at_once_log_in_once() {
    let (gate, stub) = guarded().await;
    let client = client(&stub, by_pointer());
    assert_eq!(send_many(&client, 20).await, [200; 20]);
    assert_eq!(gate.logins(), 1);
    gate.revoke();
    assert_eq!(send_many(&client, 20).await, [200; 20]);
    assert_eq!(gate.logins(), 2, "one renewal for a burst of refusals");
}

#[tokio::test]
async fn a_token_is_renewed_when_it_is_too_old() {
    let (gate, stub) = guarded().await;
    let short = Login {
        expires: Some(Duration::ZERO),
        ..by_pointer()
    };
    let client = client(&stub, short);
    for _ in 0..3 {
        assert_eq!(answered(client.send(&get("/me")).await).status, 200);
    }
    assert_eq!(gate.logins(), 3);
}

#[tokio::test]
async fn a_refusal_that_no_login_heals_does_not_cost_a_login_each_time() {
    let gate = Gate::new();
    let keeper = Arc::clone(&gate);
    let stub = Stub::start(move |seen| {
        if is_login(seen) {
            return keeper.issue();
        }
        json(401, "", "{}")
    })
    .await;
    let client = client(&stub, by_pointer());
    for _ in 0..30 {
        assert_eq!(answered(client.send(&get("/forbidden")).await).status, 401);
    }
    assert!(gate.logins() <= 6, "{}", gate.logins());
}

#[tokio::test]
async fn a_login_that_always_fails_is_not_tried_each_time() {
    let stub = Stub::start(|_| json(401, "", "{}")).await;
    let client = client(&stub, by_pointer());
    for _ in 0..30 {
        assert_eq!(answered(client.send(&get("/me")).await).status, 401);
    }
    let logins = stub
        .requests()
        .iter()
        .filter(|seen| seen.contains("/login"))
        .count();
    assert!(logins <= 6, "{logins}");
}

#[tokio::test]
async fn spoilt_and_missing_credentials_do_not_log_in_again() {
    let (gate, stub) = guarded().await;
    let client = client(&stub, by_pointer());
    answered(client.send(&get("/me")).await);
    let spoilt = Request {
        headers: vec![("authorization".into(), "Bearer wrong".into())],
        ..get("/me")
    };
    assert_eq!(answered(client.send(&spoilt).await).status, 401);
    let anonymous = Request {
        anonymous: true,
        ..get("/me")
    };
    assert_eq!(answered(client.send(&anonymous).await).status, 401);
    let last = stub.requests().pop().unwrap_or_default();
    assert!(
        !last.contains("token") && !last.contains("cookie"),
        "{last}"
    );
    assert_eq!(gate.logins(), 1);
}

#[tokio::test]
async fn a_failed_login_is_told_and_the_request_is_sent_without_it() {
    let stub = Stub::start(|seen| {
        if is_login(seen) {
            return json(403, "", r#"{"no":"annspassword"}"#);
        }
        json(200, "", "{}")
    })
    .await;
    let client = client(&stub, by_pointer());
    assert_eq!(client.login_problem(), None);
    assert_eq!(answered(client.send(&get("/public")).await).status, 200);
    assert_eq!(answered(client.send(&get("/public")).await).status, 200);
    assert_eq!(stub.requests().len(), 3, "one attempt to log in");
    let problem = client.login_problem().expect("a problem");
    assert!(
        problem.contains("`ann`") && problem.contains("403"),
        "{problem}"
    );
    assert!(!problem.contains("annspassword"), "{problem}");
    let refused = client.log_in(None).await;
    assert!(matches!(
        refused,
        Err(LoginError::Refused { status: 403, .. })
    ));
    let unknown = client.log_in(Some("eve")).await;
    assert_eq!(unknown, Err(LoginError::UnknownUser("eve".into())));
}

#[tokio::test]
async fn a_forced_login_gets_a_new_token() {
    let (gate, stub) = guarded().await;
    let client = client(&stub, by_pointer());
    for expected in 1..=2 {
        assert_eq!(client.log_in(Some("ann")).await, Ok(()));
        assert_eq!(gate.logins(), expected);
    }
    assert_eq!(answered(client.send(&get("/me")).await).status, 200);
    assert_eq!(gate.logins(), 2);
}

#[tokio::test]
async fn cookies_set_later_are_sent_back() {
    let stub = Stub::start(|seen| {
        if is_login(seen) {
            return json(200, "", r#"{"data":{"token":"t-1"}}"#);
        }
        match seen.header("cookie") {
            None => json(200, "set-cookie: step=one; Path=/\r\n", "{}"),
            Some("step=one") => json(200, "set-cookie: step=; Max-Age=0; Path=/\r\n", "{}"),
            Some(other) => panic!("unexpected cookie {other}"),
        }
    })
    .await;
    let client = client(&stub, by_pointer());
    for _ in 0..3 {
        assert_eq!(answered(client.send(&get("/me")).await).status, 200);
    }
    let cookies: Vec<bool> = stub
        .requests()
        .iter()
        .skip(1)
        .map(|seen| seen.contains("cookie: step=one"))
        .collect();
    assert_eq!(cookies, [false, true, false]);
}
