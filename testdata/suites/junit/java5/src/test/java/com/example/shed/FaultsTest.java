// Shed: what is thought to be wrong.
// Written by fossick, from fossick test openapi.json --seed 1
package com.example.shed;

import static com.example.shed.Answers.at;
import static com.example.shed.Answers.item;
import static com.example.shed.Answers.mediaType;
import static com.example.shed.Answers.noBody;
import static com.example.shed.Api.given;
import static com.example.shed.Api.verify;
import static com.example.shed.Users.alice;
import static com.example.shed.Users.bob;
import static com.example.shed.Values.component;
import static com.example.shed.Values.field;
import static com.example.shed.Values.fresh;
import static com.example.shed.Values.list;
import static com.example.shed.Values.location;
import static com.example.shed.Values.object;
import static com.example.shed.Values.pointer;

import com.fasterxml.jackson.databind.JsonNode;
import io.restassured.response.Response;
import org.junit.jupiter.api.Test;

class FaultsTest {
  // F301, still served after it was deleted: DELETE answered 204, and the same path answers 200
  // afterwards with the repair as it was before it was deleted.
  // A repair is made and deleted; then somebody looks for it.
  // It should be gone: 404 or 410.
  @Test
  void deletedRepairIsStillServed() {
    String name = fresh("spirit level x6fch");

    // Makes a tool.
    Response answer1 =
        given(alice())
            .contentType("application/json")
            .body(
                object(
                    field("name", name),
                    field("code", "ME-0042"),
                    field("tags", list("level", "blue"))))
            .when()
            .post("/tools");
    verify(answer1, "step 1 (makes a tool)")
        .statusCode(201)
        .contentType(mediaType("application/json"));
    String toolId = location(answer1);

    // Makes a repair.
    Response answer2 =
        given(alice())
            .contentType("application/json")
            .body(object(field("note", "New handle"), field("hours", 1.5), field("urgent", false)))
            .when()
            .post("/tools/" + component(toolId) + "/repairs");
    verify(answer2, "step 2 (makes a repair)").statusCode(201);
    JsonNode repairId = pointer(answer2, "/id");

    Response answer3 =
        given(alice())
            .when()
            .delete("/tools/" + component(toolId) + "/repairs/" + component(repairId));
    verify(answer3, "step 3 (DELETE /tools/{tool_id}/repairs/{repair_id})")
        .statusCode(204)
        .body(noBody());

    // Looks at what is gone.
    Response answer4 =
        given(alice())
            .when()
            .get("/tools/" + component(toolId) + "/repairs/" + component(repairId));
    verify(answer4, "step 4 (looks at what is gone)")
        // The suspected fault F301: still served after it was deleted.
        .statusCode(200)
        .contentType(mediaType("application/json"))
        .body(
            at("id").equalTo(repairId),
            at("tool").ofKind(Kind.INTEGER),
            at("note").equalTo("New handle"),
            at("hours").equalTo(1.5),
            at("urgent").equalTo(false));
  }

  // F401, authentication ignored: The contract asks for a token; the request had none.
  @Test
  void ledgerIsShownToAnybody() {
    // Somebody of the staff may see it.
    Response answer1 = given(alice()).when().get("/staff/ledger");
    verify(answer1, "step 1 (somebody of the staff may see it)").statusCode(200);

    // So may everybody else.
    Response answer2 = given().when().get("/staff/ledger");
    verify(answer2, "step 2 (so may everybody else)")
        // The suspected fault F401: authentication ignored.
        .statusCode(200)
        .body(at("loans").ofSize(0));
  }

  // F201, answer breaks its schema: /fee is a string where a number is promised. * / ? > -- > '''
  // """ \ #
  @Test
  void feeOfTheLedgerIsAText() {
    Response answer = given(bob()).when().get("/staff/ledger");
    verify(answer, "step 1 (GET /staff/ledger)")
        .statusCode(200)
        .contentType(mediaType("application/json"))
        // The suspected fault F201: answer breaks its schema.
        .body(at("fee").ofKind(Kind.STRING))
        .body(at("fee").equalTo("12"));
  }

  // F201, answer breaks its schema: size is a string where a number is promised.
  @Test
  void sizeOfAListedToolIsAText() {
    String name = fresh("plane-k3x9q");

    // Makes a tool.
    Response answer1 =
        given(alice())
            .contentType("application/json")
            .body(object(field("name", name), field("code", "LI-0007"), field("size", 3)))
            .when()
            .post("/tools");
    verify(answer1, "step 1 (makes a tool)").statusCode(201).body(at("id").ofKind(Kind.INTEGER));
    JsonNode toolId = pointer(answer1, "/id");

    Response answer2 = given(alice()).when().get("/tools");
    verify(answer2, "step 2 (GET /tools)")
        .statusCode(200)
        .contentType(mediaType("application/json"))
        .body(at().ofKind(Kind.ARRAY), at(item(toolId, "id"), "name").equalTo(name))
        // The suspected fault F201: answer breaks its schema.
        .body(at(item(toolId, "id"), "size").ofKind(Kind.STRING));
  }

  // F101, server error: The service answered 500 to a request that the contract allows.
  // Any other limit is served.
  @Test
  void limitOf73EndsInACrash() {
    Response answer = given(alice()).when().get("/tools?limit=73&available=true");
    verify(answer, "step 1 (GET /tools?limit=73&available=true)")
        // The suspected fault F101: server error.
        .statusCode(500)
        .contentType(mediaType("application/problem+json"))
        .body(at("detail").equalTo("something went wrong in here"));
  }
}
