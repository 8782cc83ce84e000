package com.example.shed

import io.restassured.http.Header
import io.restassured.http.Headers
import org.hamcrest.Matchers.lessThan
import org.junit.jupiter.api.Assumptions

// Who sends requests. Credentials come from the environment.

internal fun alice(): Headers = Headers(Header("Authorization", secret("ALICE_AUTHORIZATION")))

internal fun bob(): Headers = Headers(Header("Authorization", "Bearer $tokenOfBob"))

private val tokenOfBob: String by lazy {
    val answer =
        given()
            .contentType("application/json")
            .body(mapOf("name" to "bob", "password" to secret("BOB_PASSWORD")))
            .post("/login")
    verify(answer, "the login of bob").statusCode(lessThan(400))
    text(pointer(answer, "/token"))
}

/** A variable of the environment; without it, the test is skipped. */
internal fun secret(variable: String): String {
    val value = System.getenv(variable)
    Assumptions.assumeTrue(value != null, "$variable is not set")
    return value
}
