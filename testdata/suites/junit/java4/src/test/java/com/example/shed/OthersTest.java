// Shed: what is refused, and the rest.
// Written by fossick, from fossick test openapi.json --seed 1
package com.example.shed;

import static com.example.shed.Answers.at;
import static com.example.shed.Answers.mediaType;
import static com.example.shed.Api.given;
import static com.example.shed.Api.verify;
import static com.example.shed.Users.alice;
import static com.example.shed.Users.bob;
import static com.example.shed.Values.field;
import static com.example.shed.Values.fresh;
import static com.example.shed.Values.header;
import static com.example.shed.Values.object;

import io.restassured.response.Response;
import org.junit.Test;

public class OthersTest {
  @Test
  public void toolWithoutACodeIsRefused() {
    String name = fresh("amber-x6fch");

    Response answer1 =
        given(alice())
            .contentType("application/json")
            .body(object(field("name", name)))
            .when()
            .post("/tools");
    verify(answer1, "step 1 (POST /tools)")
        .statusCode(400)
        .contentType(mediaType("application/problem+json"))
        .body(at("status").equalTo(400), at("detail").ofKind(Kind.STRING));

    // Sends JSON that breaks off.
    Response answer2 =
        given(alice())
            .contentType("application/json")
            .body("{\"name\": \"" + name + "\", ")
            .when()
            .post("/tools");
    verify(answer2, "step 2 (sends JSON that breaks off)").statusCode(400);
  }

  @Test
  public void loansNeedAToken() {
    Response answer1 = given().when().get("/staff/loans");
    verify(answer1, "step 1 (GET /staff/loans)")
        .statusCode(401)
        .contentType(mediaType("application/problem+json"))
        .body(at("loans").absent());
    String scheme = header(answer1, "WWW-Authenticate");

    Response answer2 =
        given()
            .contentType("application/json")
            .body(object(field("scheme", scheme)))
            .when()
            .post("/measure");
    verify(answer2, "step 2 (POST /measure)").statusCode(200).body(at("size").ofKind(Kind.INTEGER));

    Response answer3 = given(alice()).when().get("/staff/loans");
    verify(answer3, "step 3 (GET /staff/loans)")
        .statusCode(200)
        .body(at("by").equalTo("demo"), at("loans").ofSize(0));

    Response answer4 = given(bob()).when().get("/staff/loans");
    verify(answer4, "step 4 (GET /staff/loans)").statusCode(200).body(at("by").equalTo("-bob"));
  }

  @Test
  public void toolThatNobodyHasIsNotFound() {
    Response answer = given(alice()).when().get("/tools/999999999");
    verify(answer, "step 1 (GET /tools/999999999)")
        .statusCode(404)
        .contentType(mediaType("application/problem+json"))
        .body(at("detail").equalTo("there is no such tool"));
  }
}
