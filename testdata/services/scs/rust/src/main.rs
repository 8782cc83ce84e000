//! The string case study as a REST service: `scs.rs` by paths, answered with bare texts.
//!
//! All of its answers are in its document, 400 too, which is for numbers that are none. `/api/regex`
//! is `/api/pat/{txt}` once more, with a parameter, as it is in the other languages.

mod scs;

use axum::Router;
use axum::extract::{Path, Query};
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use serde::Deserialize;

type Three = Path<(String, String, String)>;
type Two = Path<(String, String)>;
type NumberAndText = Path<(i32, String)>;

#[derive(Deserialize)]
struct Told {
    txt: String,
}

async fn calc(Path((op, arg1, arg2)): Path<(String, f64, f64)>) -> String {
    scs::calc(&op, arg1, arg2).to_string()
}

async fn cookie(Path((name, val, site)): Three) -> &'static str {
    scs::cookie(&name, &val, &site)
}

async fn costfuns(Path((i, s)): NumberAndText) -> String {
    scs::costfuns(i, &s)
}

async fn date_parse(Path((dayname, monthname)): Two) -> String {
    scs::date_parse(&dayname, &monthname)
}

async fn file_suffix(Path((directory, file)): Two) -> &'static str {
    scs::file_suffix(&directory, &file)
}

async fn noty_pevar(Path((i, s)): NumberAndText) -> String {
    scs::noty_pevar(i, &s)
}

async fn ordered4(Path((w, x, z, y)): Path<(String, String, String, String)>) -> &'static str {
    scs::ordered4(&w, &x, &z, &y)
}

async fn pat(Path((txt, pat)): Two) -> String {
    scs::pat(&txt, &pat)
}

async fn regex(Path(txt): Path<String>) -> &'static str {
    scs::regex(&txt)
}

async fn regex_of_parameter(Query(told): Query<Told>) -> &'static str {
    scs::regex(&told.txt)
}

async fn text2txt(Path((word1, word2, word3)): Three) -> &'static str {
    scs::text2txt(&word1, &word2, &word3)
}

async fn title(Path((sex, title)): Two) -> &'static str {
    scs::title(&sex, &title)
}

async fn document() -> ([(axum::http::HeaderName, &'static str); 1], &'static str) {
    (
        [(CONTENT_TYPE, "application/json")],
        include_str!("../openapi.json"),
    )
}

fn routes() -> Router {
    Router::new()
        .route("/openapi.json", get(document))
        .route("/api/calc/{op}/{arg1}/{arg2}", get(calc))
        .route("/api/cookie/{name}/{val}/{site}", get(cookie))
        .route("/api/costfuns/{i}/{s}", get(costfuns))
        .route("/api/dateparse/{dayname}/{monthname}", get(date_parse))
        .route("/api/filesuffix/{directory}/{file}", get(file_suffix))
        .route("/api/notypevar/{i}/{s}", get(noty_pevar))
        .route("/api/ordered4/{w}/{x}/{z}/{y}", get(ordered4))
        .route("/api/pat/{txt}/{pat}", get(pat))
        .route("/api/pat/{txt}", get(regex))
        .route("/api/regex", get(regex_of_parameter))
        .route("/api/text2txt/{word1}/{word2}/{word3}", get(text2txt))
        .route("/api/title/{sex}/{title}", get(title))
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let port = std::env::args().nth(1).expect("usage: scs PORT");
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    axum::serve(listener, routes()).await
}
