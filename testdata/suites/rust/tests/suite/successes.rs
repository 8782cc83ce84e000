//! Shed: what works.
//! Made by fossick: fossick test openapi.json --seed 1

use crate::support::*;

#[tokio::test]
async fn tool_is_made_and_read_back() {
    let alice = alice().await;
    let mark = fresh("Ab-9z9Z9");
    let code = fresh("ZZ-1234");

    // Makes a tool.
    let body = json!({
        "name": format!("Spirit level {}", text(&mark)),
        "code": code,
        "deposit": 900,
        "boughtOn": null,
        "tags": ["level", format!("{}!", text(&mark)), "blue"],
        "maker": {"name": "O'Brien & \"Sons\"", "towns": []},
    });
    let answer = send(alice.post("/tools").json(&body)).await;
    assert_eq!(answer.status(), 201, "{answer}");
    assert_eq!(answer.media_type(), "application/json", "{answer}");
    assert_eq!(answer.kind("/id"), "integer", "{answer}");
    assert_eq!(answer.kind("/name"), "string", "{answer}");
    assert_eq!(answer.at("/code"), code, "{answer}");
    assert_eq!(answer.at("/deposit"), 900, "{answer}");
    assert_eq!(answer.at("/boughtOn"), json!(null), "{answer}");
    assert_eq!(answer.size("/tags"), Some(3), "{answer}");
    assert_eq!(answer.at("/tags/0"), "level", "{answer}");
    assert_eq!(answer.at("/tags/2"), "blue", "{answer}");
    assert!(answer.lacks("/tags/3"), "{answer}");
    assert_eq!(answer.kind("/maker"), "object", "{answer}");
    assert_eq!(answer.at("/maker/name"), "O'Brien & \"Sons\"", "{answer}");
    assert_eq!(answer.size("/maker/towns"), Some(0), "{answer}");
    assert!(answer.lacks("/pin"), "{answer}");
    assert_eq!(answer.misfits("tool"), "", "{answer}");
    let tool_id = answer.location();
    let tag = answer.header("ETag");
    let number = answer.at("/id");
    let tags = answer.at("/tags");

    // Reads it back.
    let path = format!("/tools/{}", segment(&tool_id));
    let answer = send(alice.get(&path)).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.media_type(), "application/json", "{answer}");
    assert_eq!(answer.at("/id"), number, "{answer}");
    assert_eq!(answer.at("/tags"), tags, "{answer}");
    assert_eq!(answer.misfits("tool"), "", "{answer}");

    // Asks whether it has changed.
    let path = format!("/tools/{}", segment(&tool_id));
    let request = alice
        .get(&path)
        .header("If-None-Match", text(&tag).into_bytes())
        .header("Accept", "application/json");
    let answer = send(request).await;
    assert_eq!(answer.status(), 304, "{answer}");
    assert_eq!(answer.text(), "", "{answer}");

    let path = format!("/tools/{}", segment(&tool_id));
    let answer = send(alice.head(&path)).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.media_type(), "application/json", "{answer}");
    assert_eq!(answer.text(), "", "{answer}");
}

/// The name has a slash, a space, an apostrophe and letters beyond ASCII.
#[tokio::test]
async fn tool_is_found_by_a_name_that_needs_escapes() {
    let alice = alice().await;
    let bob = bob().await;
    let name = fresh("Zoë's 1/2 saw & 100% \"x6fch\"");

    // Makes a tool.
    let body = json!({"name": name, "code": "ME-0042", "tags": ["level", "blue"]});
    let answer = send(alice.post("/tools").json(&body)).await;
    assert_eq!(answer.status(), 201, "{answer}");
    assert_eq!(answer.media_type(), "application/json", "{answer}");
    let number = answer.at("/id");

    let path = format!("/tools?sort=id&name={}", segment(&name));
    let answer = send(bob.get(&path)).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.size(""), Some(1), "{answer}");
    assert_eq!(answer.at("/0/id"), number, "{answer}");
    assert_eq!(answer.at("/0/name"), name, "{answer}");

    // Has moved; nobody follows.
    let path = format!("/former/{}", segment(&name));
    let answer = send(bob.get(&path)).await;
    assert_eq!(answer.status(), 301, "{answer}");
    assert_eq!(answer.text(), "", "{answer}");
    let there = answer.location();

    let path = format!("/named/{}", segment(&there));
    let answer = send(bob.get(&path)).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.media_type(), "application/json", "{answer}");
    assert_eq!(answer.at("/name"), name, "{answer}");
    assert_eq!(answer.at("/name"), there, "{answer}");

    // Asks GraphQL for it.
    let body = json!({
        "query": "query Tool($name: String!) {\n  tool(name: $name) {\n    id\n    name\n  }\n}",
        "variables": {"name": name},
        "operationName": "Tool",
    });
    let answer = send(bob.post("/graphql").json(&body)).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.media_type(), "application/json", "{answer}");
    assert!(answer.lacks("/errors"), "{answer}");
    assert_eq!(answer.at("/data/tool/id"), number, "{answer}");
    assert_eq!(answer.at("/data/tool/name"), name, "{answer}");
}

/// Where it stands in the lists is a matter of what others made.
#[tokio::test]
async fn tool_is_listed_among_those_of_others() {
    let alice = alice().await;
    let bob = bob().await;
    let name = fresh("plane-k3x9q");

    // Makes a tool.
    let body = json!({
        "name": name,
        "code": "LI-0007",
        "tags": ["level", "blue"],
        "boughtOn": null,
    });
    let answer = send(alice.post("/tools").json(&body)).await;
    assert_eq!(answer.status(), 201, "{answer}");
    assert_eq!(answer.kind("/id"), "integer", "{answer}");
    let tool_id = answer.at("/id");

    let answer = send(alice.get("/tools")).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.kind(""), "array", "{answer}");
    let item = answer.item("", "/id", &tool_id);
    assert_eq!(item.kind(""), "object", "{item}");
    assert_eq!(item.at("/id"), tool_id, "{item}");
    assert_eq!(item.at("/code"), "LI-0007", "{item}");
    assert_eq!(item.at("/boughtOn"), json!(null), "{item}");
    assert_eq!(item.size("/tags"), Some(2), "{item}");
    assert_eq!(item.at("/tags/1"), "blue", "{item}");
    assert!(item.lacks("/pin"), "{item}");

    // Asks for pages.
    let answer = send(bob.get("/catalogue")).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.kind("/catalogue/edges"), "array", "{answer}");
    let item = answer.item("/catalogue/edges", "/node/id", &tool_id);
    assert_eq!(item.at("/node/name"), name, "{item}");
    let item = answer.item("/catalogue/edges", "/node/name", &name);
    assert_eq!(item.at("/node/id"), tool_id, "{item}");
    assert!(item.is_number("/node/id"), "{item}");
    let item = answer.item("/catalogue/names", "", &name);
    assert_eq!(item.at(""), name, "{item}");
    assert!(
        answer.lacks_item("/catalogue/edges", "/id", &tool_id),
        "{answer}"
    );

    // Looks where it is not.
    let answer = send(alice.get("/tools?name=nobody")).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert!(answer.lacks_item("", "/id", &tool_id), "{answer}");
}

/// Nothing in an answer may break a test: not ''' nor """ nor * / nor ? > nor -- > nor \u002a/ nor
/// ${x} nor {{x}}.
#[tokio::test]
async fn odd_texts_come_as_they_are() {
    let nobody = nobody().await;

    let answer = send(nobody.get("/odd")).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.media_type(), "application/json", "{answer}");
    assert_eq!(
        answer.at("/it's \"quoted\""),
        "'; DROP TABLE tools; -- \" \\ `",
        "{answer}"
    );
    assert_eq!(
        answer.at("/a~1b~0c.d"),
        "${HOME} $HOME $(id) `id` #{x} {{x}} {x} %s %(x)s",
        "{answer}"
    );
    assert_eq!(
        answer.at("/$ref"),
        "*/ // ?> --> <!-- ]]> </script> <?php",
        "{answer}"
    );
    assert_eq!(
        answer.at("/"),
        "line one\nline two\r\n\ttab\u{c}\u{8}\u{1}\u{7f}\u{85}\u{2028}\u{2029}end",
        "{answer}"
    );
    assert_eq!(
        answer.at("/0"),
        "\\u0022 \\x22 \\n \\' \\\" \\\\ \\",
        "{answer}"
    );
    assert_eq!(
        answer.at("/unicode"),
        "Zoë 木 \u{1f6e0} \u{202e}\u{feff} e\u{301}",
        "{answer}"
    );
    assert_eq!(
        answer.at("/long"),
        "A long sentence that no formatter can put on one line, A long sentence that no formatter can put on one line, A long sentence that no formatter can put on one line, A long sentence that no formatter can put on one line, ",
        "{answer}"
    );
    assert_eq!(answer.size("/numbers"), Some(7), "{answer}");
    assert_eq!(answer.at("/numbers/0"), 0, "{answer}");
    assert_eq!(answer.at("/numbers/1"), -1, "{answer}");
    assert_eq!(answer.at("/numbers/2"), 2.5, "{answer}");
    assert_eq!(answer.at("/numbers/3"), 1e-7, "{answer}");
    assert_eq!(answer.at("/numbers/4"), 1e300, "{answer}");
    assert_eq!(answer.at("/numbers/5"), 9007199254740993_i64, "{answer}");
    assert_eq!(
        answer.at("/numbers/6"),
        18446744073709551615_u64,
        "{answer}"
    );
    assert_eq!(answer.size("/scalars"), Some(6), "{answer}");
    assert_eq!(answer.at("/scalars/0"), true, "{answer}");
    assert_eq!(answer.at("/scalars/1"), false, "{answer}");
    assert_eq!(answer.at("/scalars/2"), json!(null), "{answer}");
    assert_eq!(answer.at("/scalars/3"), "", "{answer}");
    assert_eq!(answer.kind("/scalars/4"), "object", "{answer}");
    assert_eq!(answer.size("/scalars/5"), Some(0), "{answer}");
    assert_eq!(answer.size("/deep"), Some(1), "{answer}");
    assert_eq!(answer.size("/deep/0"), Some(1), "{answer}");
    assert_eq!(answer.size("/deep/0/0/deeper"), Some(1), "{answer}");
    assert_eq!(answer.at("/deep/0/0/deeper/0/deepest"), "here", "{answer}");
    assert_eq!(answer.kind("/numbers/0"), "integer", "{answer}");
    assert!(answer.is_number("/numbers/0"), "{answer}");
    assert!(answer.is_number("/numbers/2"), "{answer}");
    assert_eq!(answer.kind("/scalars/0"), "boolean", "{answer}");
    assert_eq!(answer.kind("/scalars/2"), "null", "{answer}");
    assert_eq!(answer.kind("/scalars/5"), "array", "{answer}");
    assert!(answer.lacks("/scalars/6"), "{answer}");
    assert!(answer.lacks("/deep/0/0/shallow"), "{answer}");
    assert_eq!(answer.kind(""), "object", "{answer}");
    assert_eq!(answer.misfits("odd_thing"), "", "{answer}");
}

#[tokio::test]
async fn bodies_go_out_as_they_are() {
    let nobody = nobody().await;
    let mark = fresh("a1B2c3");

    let request = nobody
        .post("/echo")
        .header("Content-Type", "text/plain")
        .body("line one\nit's \"two\" \\ ${HOME} {{x}} `id` $(id) %s\r\n\tend é ");
    let answer = send(request).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.media_type(), "text/plain", "{answer}");
    assert_eq!(
        answer.text(),
        "line one\nit's \"two\" \\ ${HOME} {{x}} `id` $(id) %s\r\n\tend é ",
        "{answer}"
    );

    let request = nobody
        .post("/measure")
        .header("X-Note", format!("mark is '{}'", text(&mark)).into_bytes())
        .header("Content-Type", "application/x-www-form-urlencoded")
        .body(format!("mark={}&more=%20", text(&mark)));
    let answer = send(request).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.at("/method"), "POST", "{answer}");
    assert_eq!(
        answer.at("/media_type"),
        "application/x-www-form-urlencoded",
        "{answer}"
    );
    assert_eq!(answer.at("/size"), 20, "{answer}");
    assert_eq!(answer.kind("/note"), "string", "{answer}");

    let request = nobody
        .put("/measure")
        .header("Content-Type", "application/octet-stream")
        .body(b"\x00\xff\xfe{}'\"\\\n\r$".as_slice());
    let answer = send(request).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(
        answer.at("/media_type"),
        "application/octet-stream",
        "{answer}"
    );
    assert_eq!(answer.at("/hex"), "00fffe7b7d27225c0a0d24", "{answer}");

    let body = json!({"a": 1, "b": [true, null], "c": "\u{2028}"});
    let request = nobody
        .patch("/measure")
        .header("Content-Type", "application/merge-patch+json")
        .json(&body);
    let answer = send(request).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(
        answer.at("/media_type"),
        "application/merge-patch+json",
        "{answer}"
    );

    let answer = send(nobody.post("/measure")).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.at("/media_type"), "", "{answer}");
    assert_eq!(answer.at("/size"), 0, "{answer}");
    assert_eq!(answer.at("/note"), json!(null), "{answer}");
}

#[tokio::test]
async fn list_and_number_stand_alone() {
    let nobody = nobody().await;

    let answer = send(nobody.get("/categories")).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.kind(""), "array", "{answer}");
    assert_eq!(answer.size(""), Some(2), "{answer}");
    assert_eq!(answer.at("/0"), "hand", "{answer}");
    assert_eq!(answer.kind("/1"), "string", "{answer}");
    assert!(answer.lacks("/2"), "{answer}");

    let answer = send(nobody.get("/count")).await;
    assert_eq!(answer.status(), 200, "{answer}");
    assert_eq!(answer.at(""), 3, "{answer}");
    assert_eq!(answer.kind(""), "integer", "{answer}");
    assert!(answer.is_number(""), "{answer}");
}
