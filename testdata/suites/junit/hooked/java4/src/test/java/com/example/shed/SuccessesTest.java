// Shed: what succeeds.
// Written by fossick, from fossick test openapi.json
package com.example.shed;

import static com.example.shed.Answers.at;
import static com.example.shed.Api.given;
import static com.example.shed.Api.verify;
import static com.example.shed.Values.field;
import static com.example.shed.Values.object;

import io.restassured.response.Response;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

public class SuccessesTest {
  @BeforeClass
  public static void startService() {
    Service.start();
  }

  @Before
  public void resetService() {
    Service.reset();
  }

  @Test
  public void toolOfAKnownNameIsMade() {
    Response answer =
        given()
            .contentType("application/json")
            .body(object(field("name", "Saw"), field("code", "HA-0001")))
            .when()
            .post("/tools");
    verify(answer, "step 1 (POST /tools)").statusCode(201).body(at("id").equalTo(1));
  }
}
