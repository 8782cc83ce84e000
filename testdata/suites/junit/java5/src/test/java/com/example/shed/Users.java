package com.example.shed;

import static com.example.shed.Api.given;
import static com.example.shed.Api.verify;
import static com.example.shed.Values.field;
import static com.example.shed.Values.object;
import static com.example.shed.Values.pointer;
import static com.example.shed.Values.text;
import static org.hamcrest.Matchers.lessThan;

import io.restassured.http.Header;
import io.restassured.http.Headers;
import io.restassured.response.Response;
import org.junit.jupiter.api.Assumptions;

/** Who sends requests. Credentials come from the environment. */
final class Users {
  private static String tokenOfBob;

  private Users() {}

  static Headers alice() {
    return new Headers(new Header("Authorization", secret("ALICE_AUTHORIZATION")));
  }

  static Headers bob() {
    return new Headers(new Header("Authorization", "Bearer " + tokenOfBob()));
  }

  private static synchronized String tokenOfBob() {
    if (tokenOfBob == null) {
      Response answer =
          given()
              .contentType("application/json")
              .body(object(field("name", "bob"), field("password", secret("BOB_PASSWORD"))))
              .when()
              .post("/login");
      verify(answer, "the login of bob").statusCode(lessThan(400));
      tokenOfBob = text(pointer(answer, "/token"));
    }
    return tokenOfBob;
  }

  /** A variable of the environment; without it, the test is skipped. */
  static String secret(String variable) {
    String value = System.getenv(variable);
    Assumptions.assumeTrue(value != null, variable + " is not set");
    return value;
  }
}
