//! Gates of every kind as a REST service; what opens them is in `gates.rs`.
//!
//! The document tells plain types, and nothing of the header, parameter and fields that are looked
//! at beside. POST /__reset forgets what earlier calls have left.

mod gates;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::{get, post, put};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use gates::Memory;

const DOCUMENT: &str = include_str!("../openapi.json");

type Shared = Arc<Mutex<Memory>>;

#[derive(Serialize)]
struct Gate {
    gate: &'static str,
    open: bool,
}

fn gate(gate: &'static str, open: bool) -> Json<Gate> {
    Json(Gate { gate, open })
}

fn memory(shared: &Shared) -> MutexGuard<'_, Memory> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Deserialize)]
struct Word {
    word: String,
}

async fn words(Query(told): Query<Word>) -> Json<Gate> {
    gate("text-equal", gates::text_equal(&told.word))
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

async fn animals(Query(told): Query<Name>) -> Json<Gate> {
    gate("text-folded", gates::text_folded(&told.name))
}

#[derive(Deserialize)]
struct Plate {
    plate: String,
}

async fn plates(Query(told): Query<Plate>) -> Json<Gate> {
    gate("prefix-suffix", gates::prefix_suffix(&told.plate))
}

#[derive(Deserialize)]
struct Note {
    text: String,
}

async fn notes(Query(told): Query<Note>) -> Json<Gate> {
    gate("contains", gates::contains(&told.text))
}

#[derive(Deserialize)]
struct Serial {
    serial: String,
}

async fn serials(Query(told): Query<Serial>) -> Json<Gate> {
    gate("regex-whole", gates::regex_whole(&told.serial))
}

#[derive(Deserialize)]
struct Version {
    version: String,
}

async fn versions(Query(told): Query<Version>) -> Json<Gate> {
    gate("regex-groups", gates::regex_groups(&told.version))
}

#[derive(Deserialize)]
struct Paint {
    paint: String,
}

async fn paints(Query(told): Query<Paint>) -> Json<Gate> {
    gate("regex-alternatives", gates::regex_alternatives(&told.paint))
}

async fn codes(Path(code): Path<String>) -> Json<Gate> {
    gate("slice", gates::slice_of_text(&code))
}

async fn routes(Path(route): Path<String>) -> Json<Gate> {
    gate("split", gates::split(&route))
}

#[derive(Deserialize)]
struct Birthday {
    day: String,
}

async fn birthdays(Query(told): Query<Birthday>) -> Json<Gate> {
    gate("leap-day", gates::leap_day(&told.day))
}

#[derive(Deserialize)]
struct Appointment {
    at: String,
}

async fn appointments(Query(told): Query<Appointment>) -> Json<Gate> {
    gate("weekday", gates::weekday(&told.at))
}

#[derive(Deserialize)]
struct Stay {
    arrival: String,
    departure: String,
}

async fn stays(Query(told): Query<Stay>) -> Json<Gate> {
    gate(
        "date-after",
        gates::date_after(&told.arrival, &told.departure),
    )
}

async fn numbers(Path(number): Path<i64>) -> Json<Gate> {
    gate("big-integer", gates::big_integer(number))
}

#[derive(Deserialize)]
struct Rectangle {
    width: i64,
    height: i64,
}

async fn rectangles(Query(told): Query<Rectangle>) -> Json<Gate> {
    gate("sum-product", gates::sum_product(told.width, told.height))
}

async fn cards(Path(card): Path<String>) -> Json<Gate> {
    gate("checksum", gates::checksum(&card))
}

#[derive(Deserialize)]
struct Temperature {
    celsius: f64,
}

async fn temperatures(Query(told): Query<Temperature>) -> Json<Gate> {
    gate("float-range", gates::float_range(told.celsius))
}

#[derive(Deserialize)]
struct Parcel {
    country: String,
    weight: i64,
}

async fn fees(Query(told): Query<Parcel>) -> Json<Gate> {
    gate("table-code", gates::table_code(&told.country, told.weight))
}

async fn airports(Path(airport): Path<String>) -> Json<Gate> {
    gate("member", gates::member(&airport))
}

#[derive(Deserialize)]
struct Sized {
    size: String,
}

async fn sizes(Query(told): Query<Sized>) -> Json<Gate> {
    gate("enum-name", gates::enum_name(&told.size))
}

#[derive(Deserialize)]
struct Command {
    command: String,
    argument: i64,
}

async fn commands(Query(told): Query<Command>) -> Json<Gate> {
    gate("cases", gates::cases(&told.command, told.argument))
}

#[derive(Deserialize)]
struct Passwords {
    password: String,
    repeated: String,
}

async fn passwords(Json(told): Json<Passwords>) -> Json<Gate> {
    gate(
        "inputs-equal",
        gates::inputs_equal(&told.password, &told.repeated),
    )
}

#[derive(Deserialize)]
struct Mirror {
    left: String,
    right: String,
}

async fn mirrors(Query(told): Query<Mirror>) -> Json<Gate> {
    gate(
        "inputs-reversed",
        gates::inputs_reversed(&told.left, &told.right),
    )
}

#[derive(Deserialize)]
struct Label {
    name: String,
    label: String,
}

async fn labels(Query(told): Query<Label>) -> Json<Gate> {
    gate("inputs-upper", gates::inputs_upper(&told.name, &told.label))
}

#[derive(Deserialize)]
struct Token {
    token: String,
}

async fn tokens(Query(told): Query<Token>) -> Json<Gate> {
    gate("base64-json", gates::base64_json(&told.token))
}

#[derive(Deserialize)]
struct Import {
    document: String,
}

async fn imports(Json(told): Json<Import>) -> Json<Gate> {
    gate("json-text", gates::json_text(&told.document))
}

async fn devices(Path(device): Path<String>) -> Json<Gate> {
    gate("uuid-version", gates::uuid_version(&device))
}

#[derive(Deserialize)]
struct Basket {
    items: Vec<String>,
}

async fn baskets(Json(told): Json<Basket>) -> Json<Gate> {
    gate("array", gates::array(&told.items))
}

#[derive(Deserialize)]
struct Loan {
    amount: i64,
    months: i64,
    purpose: String,
    grade: String,
}

async fn loans(Query(told): Query<Loan>) -> Json<Gate> {
    let opens = gates::four_conditions(told.amount, told.months, &told.purpose, &told.grade);
    gate("four-conditions", opens)
}

async fn reports(headers: HeaderMap) -> Json<Gate> {
    let mode = headers
        .get("x-audit-mode")
        .and_then(|mode| mode.to_str().ok());
    if mode == Some("full") {
        return gate("header", true); // gate: header
    }
    gate("header", false)
}

#[derive(Deserialize)]
struct Page {
    #[serde(rename = "page")]
    _page: i64,
}

async fn listings(_: Query<Page>, Query(told): Query<HashMap<String, String>>) -> Json<Gate> {
    if told.get("debug").is_some_and(|debug| debug == "timing") {
        return gate("query", true); // gate: query
    }
    gate("query", false)
}

type Answer = Result<Json<Gate>, StatusCode>;

async fn orders(Json(told): Json<Value>) -> Answer {
    if !told.get("item").is_some_and(Value::is_string) {
        return Err(StatusCode::UNPROCESSABLE_ENTITY);
    }
    if told.get("voucher").and_then(Value::as_str) == Some("SPRING-11") {
        return Ok(gate("field", true)); // gate: field
    }
    Ok(gate("field", false))
}

async fn profiles(Json(told): Json<Value>) -> Answer {
    if !told.get("name").is_some_and(Value::is_string) {
        return Err(StatusCode::UNPROCESSABLE_ENTITY);
    }
    let theme = told
        .get("settings")
        .and_then(|settings| settings.get("theme"));
    let accent = theme.and_then(|theme| theme.get("accent"));
    if accent.and_then(Value::as_str) == Some("teal") {
        return Ok(gate("nested-field", true)); // gate: nested-field
    }
    Ok(gate("nested-field", false))
}

#[derive(Deserialize)]
struct Transfer {
    account: String,
    #[serde(rename = "amount")]
    _amount: i64,
}

async fn transfers(headers: HeaderMap, Json(told): Json<Transfer>) -> Json<Gate> {
    let account = headers.get("x-account").and_then(|it| it.to_str().ok());
    if told.account.len() >= 6 && account == Some(told.account.as_str()) {
        return gate("header-body", true); // gate: header-body
    }
    gate("header-body", false)
}

#[derive(Serialize)]
struct Ticket {
    ticket: i64,
    number: i64,
}

async fn draw_ticket(State(shared): State<Shared>) -> Json<Ticket> {
    let (ticket, number) = memory(&shared).draw();
    Json(Ticket { ticket, number })
}

#[derive(Deserialize)]
struct Raffle {
    first: i64,
    second: i64,
    total: i64,
}

async fn raffle(State(shared): State<Shared>, Query(told): Query<Raffle>) -> Json<Gate> {
    let opens = memory(&shared).sum_of_answers(told.first, told.second, told.total);
    gate("sum-of-answers", opens)
}

#[derive(Deserialize)]
struct Entry {
    amount: i64,
}

async fn add_entry(
    State(shared): State<Shared>,
    Path(ledger): Path<String>,
    Json(told): Json<Entry>,
) -> Json<Gate> {
    memory(&shared).enter(ledger, told.amount);
    gate("stored-sum", false)
}

#[derive(Deserialize)]
struct Closing {
    total: i64,
}

async fn close_ledger(
    State(shared): State<Shared>,
    Path(ledger): Path<String>,
    Json(told): Json<Closing>,
) -> Json<Gate> {
    gate(
        "stored-sum",
        memory(&shared).stored_sum(&ledger, told.total),
    )
}

#[derive(Deserialize)]
struct Valve {
    position: String,
}

async fn turn_valve(
    State(shared): State<Shared>,
    Path(valve): Path<String>,
    Json(told): Json<Valve>,
) -> Json<Gate> {
    memory(&shared).turn(valve, told.position);
    gate("state", false)
}

async fn valve_flow(State(shared): State<Shared>, Path(valve): Path<String>) -> Json<Gate> {
    gate("state", memory(&shared).state(&valve))
}

async fn ring_bell(State(shared): State<Shared>, Path(bell): Path<String>) -> Json<Gate> {
    gate("counter", memory(&shared).counter(&bell))
}

async fn reset(State(shared): State<Shared>) {
    *memory(&shared) = Memory::default();
}

async fn document() -> ([(header::HeaderName, &'static str); 1], &'static str) {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT)
}

#[tokio::main]
async fn main() {
    let port = std::env::args()
        .last()
        .and_then(|port| port.parse::<u16>().ok());
    let address = ("127.0.0.1", port.expect("usage: gates PORT"));
    let app = Router::new()
        .route("/openapi.json", get(document))
        .route("/words", get(words))
        .route("/animals", get(animals))
        .route("/plates", get(plates))
        .route("/notes", get(notes))
        .route("/serials", get(serials))
        .route("/versions", get(versions))
        .route("/paints", get(paints))
        .route("/codes/{code}", get(codes))
        .route("/routes/{route}", get(routes))
        .route("/birthdays", get(birthdays))
        .route("/appointments", get(appointments))
        .route("/stays", get(stays))
        .route("/numbers/{number}", get(numbers))
        .route("/rectangles", get(rectangles))
        .route("/cards/{card}", get(cards))
        .route("/temperatures", get(temperatures))
        .route("/fees", get(fees))
        .route("/airports/{airport}", get(airports))
        .route("/sizes", get(sizes))
        .route("/commands", get(commands))
        .route("/passwords", post(passwords))
        .route("/mirrors", get(mirrors))
        .route("/labels", get(labels))
        .route("/tokens", get(tokens))
        .route("/imports", post(imports))
        .route("/devices/{device}", get(devices))
        .route("/baskets", post(baskets))
        .route("/loans", get(loans))
        .route("/reports", get(reports))
        .route("/listings", get(listings))
        .route("/orders", post(orders))
        .route("/profiles", post(profiles))
        .route("/transfers", post(transfers))
        .route("/tickets", post(draw_ticket))
        .route("/raffle", get(raffle))
        .route("/ledgers/{ledger}/entries", post(add_entry))
        .route("/ledgers/{ledger}/closing", post(close_ledger))
        .route("/valves/{valve}", put(turn_valve))
        .route("/valves/{valve}/flow", get(valve_flow))
        .route("/bells/{bell}/rings", post(ring_bell))
        .route("/__reset", post(reset))
        .with_state(Shared::default());
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .expect("the port is free");
    axum::serve(listener, app).await.expect("it serves");
}
