//! F501 to F507, and F106: answers that do not go together.

use std::time::Duration;

use fossick_trace::{Exchange, Outcome};
use serde_json::{Value, json};

use crate::story::{Story, World, desk, edge};

/// Rooms with every handle that a list may have, and bookings below them.
fn house() -> World {
    house_with(&[
        "limit", "offset", "page", "cursor", "sort", "status", "minPrice", "name",
    ])
}

/// Rooms whose list takes these parameters.
fn house_with(parameters: &[&str]) -> World {
    let any = json!({"description": "", "content": {"application/json": {}}});
    let operation = || json!({"responses": {"default": any}});
    let query = |name: &str| json!({"name": name, "in": "query", "schema": {}});
    let hole = |name: &str| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}});
    let mut rooms = operation();
    rooms["parameters"] = parameters.iter().map(|name| query(name)).collect();
    World::of(json!({
        "/rooms": {"get": rooms, "post": operation()},
        "/rooms/{id}": {"parameters": [hole("id")], "get": operation(), "patch": operation()},
        "/rooms/{id}/bookings": {"parameters": [hole("id")], "get": operation()},
    }))
}

fn room(id: u32) -> Value {
    let status = if id.is_multiple_of(2) { "open" } else { "shut" };
    json!({"id": id, "status": status, "price": id * 100, "name": format!("room {id}")})
}

fn rooms(ids: &[u32]) -> Value {
    let items: Vec<Value> = ids.iter().copied().map(room).collect();
    json!({"items": items, "total": ids.len()})
}

/// A page: the total is that of the whole list.
fn page(ids: &[u32], next: Option<&str>) -> Value {
    let mut body = rooms(ids);
    body["total"] = json!(4);
    body["nextCursor"] = json!(next);
    body
}

/// The whole, something in between, the whole again.
fn between<'w>(
    world: &'w World,
    whole: &[u32],
    inner: impl FnOnce(Story<'w>) -> Story<'w>,
    again: &[u32],
) -> Story<'w> {
    let target = "/rooms?limit=100";
    let story = world.story().get(target, 200, rooms(whole));
    inner(story).get(target, 200, rooms(again))
}

const ALL: [u32; 4] = [1, 2, 3, 4];

#[test]
fn an_item_on_two_pages_is_told() {
    let world = house();
    let found = between(
        &world,
        &ALL,
        |story| {
            story.get("/rooms?limit=2", 200, page(&[1, 2], None)).get(
                "/rooms?limit=2&offset=2",
                200,
                page(&[2, 3], None),
            )
        },
        &ALL,
    )
    .one("F501");
    assert_eq!(found.title, "2 is on two pages");
    assert_eq!(found.call, 2);
}

#[test]
fn an_item_on_no_page_is_told_by_cursors_too() {
    let world = house();
    let found = between(
        &world,
        &ALL,
        |story| {
            story
                .get("/rooms?limit=2", 200, page(&[1, 2], Some("c2")))
                .get("/rooms?limit=2&cursor=c2", 200, page(&[4], None))
        },
        &ALL,
    )
    .one("F501");
    assert_eq!(found.title, "3 on no page");
}

#[test]
fn pages_that_are_right_or_may_have_moved_are_not_told() {
    let world = house();
    let two = |whole: &[u32], first: &[u32], second: &[u32], again: &[u32]| {
        between(
            &world,
            whole,
            |story| {
                story.get("/rooms?limit=2", 200, page(first, None)).get(
                    "/rooms?limit=2&offset=2",
                    200,
                    page(second, None),
                )
            },
            again,
        )
        .silent("F501");
    };
    two(&ALL, &[1, 2], &[3, 4], &ALL);
    // Somebody made a room meanwhile, and it came first.
    two(&ALL, &[1, 2], &[2, 3], &[5, 1, 2, 3, 4]);
    // Somebody removed one.
    two(&ALL, &[1, 2], &[4], &[2, 3, 4]);
    // Another order than that of the whole says nothing of what is lost.
    two(&ALL, &[4, 3], &[1], &ALL);
    // Behind the pages the list may grow.
    two(&ALL, &[1, 2], &[3, 4], &[1, 2, 3, 4, 5]);
}

#[test]
fn pages_of_other_filters_or_after_writes_are_not_compared() {
    let world = house();
    between(
        &world,
        &ALL,
        |story| {
            story.get("/rooms?limit=1", 200, page(&[1], None)).get(
                "/rooms?limit=1&offset=1&status=shut",
                200,
                page(&[1], None),
            )
        },
        &ALL,
    )
    .silent("F501");
    between(
        &world,
        &ALL,
        |story| {
            story
                .get("/rooms?limit=2", 200, page(&[1, 2], None))
                .call("POST", "/rooms", json!({}), 201, room(9))
                .get("/rooms?limit=2&offset=2", 200, page(&[2, 3], None))
        },
        &ALL,
    )
    .silent("F501");
}

#[test]
fn a_larger_limit_begins_with_the_smaller_ones_items() {
    let world = house();
    let small = |ids: &[u32]| {
        let ids = page(ids, None);
        between(
            &world,
            &[3, 1, 2, 4],
            |story| story.get("/rooms?limit=2", 200, ids),
            &[3, 1, 2, 4],
        )
    };
    let found = small(&[1, 2]).one("F502");
    assert!(found.why.contains("begins with 3, 1"), "{}", found.why);
    small(&[3, 1]).silent("F502");
}

/// A page of two shut rooms, between two looks at all of them.
fn shut<'w>(world: &'w World, part: &[u32], again: &[u32]) -> Story<'w> {
    let target = |limit: u32| format!("/rooms?limit={limit}&status=shut");
    world
        .story()
        .get(&target(9), 200, page(&[2, 4, 6], None))
        .get(&target(2), 200, page(part, None))
        .get(&target(9), 200, page(again, None))
}

/// A service that cuts the page first and filters it then.
#[test]
fn a_page_is_full_as_long_as_there_is_more() {
    let plain = house_with(&["limit", "offset", "status"]);
    let filtered = |part: &[u32], again: &[u32]| shut(&plain, part, again);
    let found = filtered(&[], &[2, 4, 6]).one("F502");
    assert!(found.title.contains("shows 0"), "{}", found.title);
    filtered(&[2], &[2, 4, 6, 8]).one("F502");
    filtered(&[2, 4], &[2, 4, 6]).silent("F502");
    // Somebody changed what the page would have shown.
    filtered(&[2], &[2, 6]).silent("F502");
    // Where a cursor leads on, pages may be short.
    shut(&house(), &[2], &[2, 4, 6]).silent("F502");
}

#[test]
fn a_random_order_is_no_wrong_beginning() {
    let world = house();
    between(
        &world,
        &[3, 1, 2, 4],
        |story| story.get("/rooms?limit=2", 200, page(&[1, 2], None)),
        &[4, 2, 1, 3],
    )
    .silent("F502");
}

/// A service that cuts the page first and sorts it then.
#[test]
fn a_larger_limit_in_the_same_order_begins_with_the_same() {
    let world = house();
    let sorted = |sort: &str, whole: &Value, part: Value| {
        let target = |limit: u32| format!("/rooms?limit={limit}&sort={sort}");
        world
            .story()
            .get(&target(9), 200, whole.clone())
            .get(&target(2), 200, part)
            .get(&target(9), 200, whole.clone())
    };
    let whole = rooms(&[4, 3, 2, 1]);
    let found = sorted("-price", &whole, rooms(&[2, 1])).one("F502");
    assert!(found.why.contains("begins with 4, 3"), "{}", found.why);
    sorted("-price", &whole, rooms(&[4, 3])).silent("F502");
    // By what nobody can see, anything may come first.
    sorted("popularity", &whole, rooms(&[2, 1])).silent("F502");
}

#[test]
fn equals_may_stand_in_any_order() {
    let world = house();
    let free = |ids: &[u32]| {
        let mut all = rooms(ids);
        for item in all["items"].as_array_mut().expect("items") {
            item["price"] = json!(0);
        }
        all
    };
    let target = |cut: &str| format!("/rooms?sort=price&limit={cut}");
    world
        .story()
        .get(&target("9"), 200, free(&[1, 2, 3, 4, 5]))
        .get(&target("2"), 200, free(&[1, 3]))
        .get(&target("2&offset=2"), 200, free(&[4, 5]))
        .get(&target("9"), 200, free(&[1, 2, 3, 4, 5]))
        .silent("F502");
    // The one that is missing may be on the next page.
    world
        .story()
        .get(&target("9"), 200, free(&[1, 2, 3, 4, 5]))
        .get(&target("2"), 200, free(&[1, 3]))
        .get(&target("2&offset=2"), 200, free(&[4, 5]))
        .get(&target("9"), 200, free(&[1, 2, 3, 4, 5]))
        .silent("F501");
}

#[test]
fn what_sorted_pages_pass_over_is_told() {
    let world = house();
    let target = |cut: &str| format!("/rooms?sort=price&limit={cut}");
    let found = world
        .story()
        .get(&target("9"), 200, rooms(&[1, 2, 3, 4, 5]))
        .get(&target("2"), 200, rooms(&[1, 2]))
        .get(&target("2&offset=2"), 200, rooms(&[4, 5]))
        .get(&target("9"), 200, rooms(&[1, 2, 3, 4, 5]))
        .one("F501");
    assert_eq!(found.title, "3 on no page");
}

#[test]
fn a_filter_that_lets_others_through_is_told() {
    let world = house();
    let found = world
        .story()
        .get("/rooms?limit=100&status=open", 200, rooms(&[1, 2]))
        .one("F503");
    assert_eq!(
        found.title,
        "status = \"open\" shows an item with status \"shut\""
    );
    let found = world
        .story()
        .get("/rooms?minPrice=300", 200, rooms(&[2, 3]))
        .one("F503");
    assert!(found.title.contains("price 200"), "{}", found.title);
}

#[test]
fn a_filter_that_keeps_back_what_fits_is_told() {
    let world = house();
    let found = between(
        &world,
        &ALL,
        |story| story.get("/rooms?limit=100&minPrice=150", 200, rooms(&[2, 3])),
        &ALL,
    )
    .one("F503");
    assert_eq!(found.title, "minPrice = \"150\" lacks 4, which fits");
}

#[test]
fn filters_that_are_right_or_loose_are_not_told() {
    let world = house();
    let filtered = |target: &str, shown: &[u32], again: &[u32]| {
        let (target, shown) = (target.to_owned(), rooms(shown));
        between(&world, &ALL, |story| story.get(&target, 200, shown), again).silent("F503");
    };
    filtered("/rooms?limit=100&status=open", &[2, 4], &ALL);
    filtered("/rooms?limit=100&status=OPEN", &[2, 4], &ALL);
    filtered("/rooms?limit=100&status=open,shut", &ALL, &ALL);
    filtered("/rooms?limit=100&minPrice=200", &[2, 3, 4], &ALL);
    // A bound may or may not be among what it bounds.
    filtered("/rooms?limit=100&minPrice=200", &[3, 4], &ALL);
    // Names are searched by their beginnings, by sound, by anything.
    filtered("/rooms?limit=100&name=roem+1", &[1, 2], &ALL);
    // Somebody changed the list meanwhile.
    filtered("/rooms?limit=100&status=open", &[2], &[1, 2, 3]);
    // A page need not have everything.
    filtered("/rooms?limit=1&status=open", &[2], &ALL);
}

#[test]
fn sorting_that_drops_something_is_told() {
    let world = house();
    let found = between(
        &world,
        &ALL,
        |story| story.get("/rooms?limit=100&sort=-price", 200, rooms(&[4, 2])),
        &ALL,
    )
    .one("F504");
    assert_eq!(found.title, "sorting by -price drops 1, 3");
}

#[test]
fn a_sorted_list_that_is_not_in_order_is_told() {
    let world = house();
    for (sort, ids) in [
        ("price", [2, 1, 3]),
        ("-price", [1, 2, 3]),
        ("price:desc", [3, 1, 2]),
    ] {
        let target = format!("/rooms?limit=100&sort={sort}");
        world.story().get(&target, 200, rooms(&ids)).one("F504");
    }
}

#[test]
fn orders_that_are_right_or_unknown_are_not_told() {
    let world = house();
    for (sort, ids) in [
        ("price", [1, 2, 3]),
        ("-price", [3, 2, 1]),
        // Which way is not said.
        ("price", [3, 2, 1]),
        ("relevance", [2, 1, 3]),
        // Texts with numbers in them have more than one order.
        ("name", [2, 1, 3]),
    ] {
        let target = format!("/rooms?limit=100&sort={sort}");
        world.story().get(&target, 200, rooms(&ids)).silent("F504");
    }
    // A page of a sorted list drops nothing.
    between(
        &world,
        &ALL,
        |story| story.get("/rooms?limit=2&sort=-price", 200, rooms(&[4, 3])),
        &ALL,
    )
    .silent("F504");
}

#[test]
fn a_total_that_does_not_heed_the_filter_is_told() {
    let world = house();
    let mut filtered = rooms(&[2, 4]);
    filtered["total"] = json!(4);
    let found = world
        .story()
        .get("/rooms?limit=100", 200, rooms(&ALL))
        .get("/rooms?limit=100&status=open", 200, filtered)
        .one("F505");
    assert_eq!(found.title, "total is 4, yet there are 2 items");
}

#[test]
fn totals_of_pages_and_sums_are_right() {
    let world = house();
    let with = |count: &str, total: Value| {
        let mut body = rooms(&[1, 2]);
        body["total"] = json!(2);
        body[count] = total;
        body
    };
    world
        .story()
        .get("/rooms?limit=100", 200, rooms(&ALL))
        .get("/rooms?limit=2", 200, with("total", json!(4)))
        .silent("F505");
    // Nothing says that it counts: it may be a sum of money.
    let sum = world
        .story()
        .get("/rooms?limit=100", 200, with("total", json!(300)));
    sum.silent("F505");
    // One of two totals is that of the filter.
    world
        .story()
        .get("/rooms?limit=100", 200, rooms(&ALL))
        .get(
            "/rooms?limit=100&status=open",
            200,
            with("totalCount", json!(4)),
        )
        .silent("F505");
    // More follows.
    let mut more = with("totalCount", json!(4));
    more["total"] = json!(4);
    more["nextCursor"] = json!("c");
    world
        .story()
        .get("/rooms?limit=100", 200, more)
        .silent("F505");
}

#[test]
fn a_number_of_pages_that_total_and_size_do_not_make_is_told() {
    let world = house();
    let page = |pages: u64, total: u64, ids: &[u32]| {
        let mut body = rooms(ids);
        body["total"] = json!(total);
        body["pageCount"] = json!(pages);
        body
    };
    let found = world
        .story()
        .get("/rooms?limit=2", 200, page(3, 4, &[1, 2]))
        .one("F505");
    assert_eq!(found.title, "pageCount is 3, yet 4 items make 2 pages of 2");
    for (limit, right) in [
        (2, page(2, 4, &[1, 2])),
        (3, page(2, 4, &[1, 2, 3])),
        (9, page(1, 4, &ALL)),
        (2, page(0, 0, &[])),
        (2, page(1, 0, &[])),
        // The service gives fewer than it was asked for.
        (100, page(2, 4, &[1, 2])),
    ] {
        let target = format!("/rooms?limit={limit}");
        world.story().get(&target, 200, right).silent("F505");
    }
}

#[test]
fn a_filter_on_what_things_have_is_held_against_that() {
    let world = house();
    let room = |id: u64, balcony: Value| json!({"id": id, "name": "x", "balcony": balcony});
    let both =
        json!({"items": [room(1, json!({"side": "south"})), room(2, Value::Null)], "total": 2});
    let found = world
        .story()
        .get("/rooms?withBalcony=false", 200, both.clone())
        .one("F503");
    assert!(found.title.contains("withBalcony = "), "{}", found.title);
    let bare = json!({"items": [room(2, Value::Null)], "total": 1});
    world
        .story()
        .get("/rooms?withBalcony=false", 200, bare)
        .silent("F503");
    // Whether something is shown may be asked for by such a name as well.
    world
        .story()
        .get("/rooms?includeBalcony=false", 200, both)
        .silent("F503");
}

#[test]
fn a_count_beside_its_list_must_be_its_length() {
    let world = house();
    let with = |count: &str, list: &str| json!({"id": 1, count: 3, list: [{"id": 5}, {"id": 6}]});
    let found = world
        .story()
        .get("/rooms/1", 200, with("bookingCount", "bookings"))
        .one("F505");
    assert_eq!(found.title, "bookingCount is 3, yet bookings has 2");
    for (count, list) in [
        ("seatCount", "bookings"),
        ("bookings_sold", "bookings"),
        ("count", "s"),
    ] {
        world
            .story()
            .get("/rooms/1", 200, with(count, list))
            .silent("F505");
    }
}

#[test]
fn a_parents_count_is_held_against_the_list_below_it() {
    let world = house();
    let story = |before: u32, listed: &[u32], after: u32| {
        let parent = |count: u32| json!({"id": 1, "bookingCount": count});
        let items: Vec<Value> = listed.iter().map(|id| json!({"id": id})).collect();
        world
            .story()
            .get("/rooms/1", 200, parent(before))
            .get("/rooms/1/bookings", 200, json!(items))
            .get("/rooms/1", 200, parent(after))
    };
    let found = story(1, &[5, 6], 1).one("F505");
    assert_eq!(found.title, "bookingCount is 1, yet the list below has 2");
    story(2, &[5, 6], 2).silent("F505");
    story(1, &[5, 6], 2).silent("F505");
}

fn priced(price: Value) -> Value {
    let mut room = room(1);
    room["price"] = price;
    room
}

/// A list, an item of it, and the list again.
fn seen(world: &World, listed: Value, shown: Value, again: Value) -> Story<'_> {
    world
        .story()
        .get("/rooms", 200, json!([listed]))
        .get("/rooms/1", 200, shown)
        .get("/rooms", 200, json!([again]))
}

#[test]
fn another_value_in_the_list_than_by_key_is_told() {
    let world = house();
    let story = seen(
        &world,
        priced(json!(240)),
        priced(json!(216)),
        priced(json!(240)),
    );
    let found = story.one("F506");
    assert!(
        found
            .title
            .starts_with("price of 1 is 216 in GET /rooms/{id}"),
        "{}",
        found.title
    );
}

#[test]
fn values_that_changed_or_are_told_in_short_do_not_differ() {
    let world = house();
    let silent = |listed: Value, shown: Value, again: Value| {
        seen(&world, priced(listed), priced(shown), priced(again)).silent("F506");
    };
    silent(json!(240), json!(240), json!(240));
    silent(json!(240), json!(216), json!(216));
    silent(json!(4.7), json!(4.67), json!(4.7));
    silent(json!(null), json!(216), json!(null));
    silent(json!("long te…"), json!("long text"), json!("long te…"));
    silent(json!("2"), json!(2), json!("2"));
    // What changes by itself, and another thing.
    let at = |time: u32| json!({"id": 1, "updatedAt": time});
    seen(&world, at(1), at(2), at(1)).silent("F506");
    let other = |price: u32| json!({"id": 2, "price": price});
    seen(&world, other(1), other(2), other(1)).silent("F506");
    world
        .story()
        .get("/rooms", 200, json!([priced(json!(1))]))
        .call(
            "PATCH",
            "/rooms/1",
            json!({"price": 2}),
            200,
            priced(json!(2)),
        )
        .get("/rooms/1", 200, priced(json!(2)))
        .get("/rooms", 200, json!([priced(json!(1))]))
        .silent("F506");
}

#[test]
fn a_child_that_names_another_parent_is_told() {
    let world = house();
    let bookings = |room: u32| json!([{"id": 7, "roomId": room}]);
    let found = world
        .story()
        .get("/rooms/1/bookings", 200, bookings(2))
        .one("F507");
    assert_eq!(found.title, "1 lists 7, which names 2");
    world
        .story()
        .get("/rooms/1/bookings", 200, bookings(1))
        .silent("F507");
    let embedded = json!({"id": 1, "bookings": bookings(2)});
    world.story().get("/rooms/1", 200, embedded).one("F507");
    // A list that is called after what it means holds others' things rightly.
    let liked = json!({"id": 1, "likedBookings": bookings(2)});
    world.story().get("/rooms/1", 200, liked).silent("F507");
    let of_guests = json!({"id": 1, "bookings": [{"id": 7, "guestId": 2}]});
    world.story().get("/rooms/1", 200, of_guests).silent("F507");
}

fn after<'w>(story: Story<'w>, milliseconds: &[u64]) -> Story<'w> {
    let mut times = milliseconds.iter();
    story.timed(|exchange: &mut Exchange| {
        if let (Outcome::Answered(answer), Some(time)) = (&mut exchange.outcome, times.next()) {
            answer.elapsed = Duration::from_millis(*time);
        }
    })
}

#[test]
fn only_what_is_slow_both_times_between_quick_calls_is_told() {
    let world = desk();
    let story = |times: &[u64]| {
        let story = world
            .story()
            .get("/projects?q=al", 200, json!([]))
            .get("/projects?q=a", 200, json!([]))
            .meaning(edge("query q", "\"a\"", false))
            .get("/projects?q=al", 200, json!([]))
            .get("/projects?q=a", 200, json!([]))
            .meaning(edge("query q", "\"a\"", false));
        after(story, times)
    };
    let found = story(&[10, 3_000, 12, 3_100]).one("F106");
    assert_eq!(found.title, "3.0 s when query q = \"a\"");
    story(&[10, 3_000, 12, 40]).silent("F106");
    story(&[900, 3_000, 800, 3_000]).silent("F106");
    story(&[10, 500, 12, 600]).silent("F106");
}
