// Shed: what is refused, and the rest.
// Written by fossick, from fossick test openapi.json --seed 1
package com.example.shed

import org.junit.Test

class OthersTest {
    @Test
    fun `tool without a code is refused`() {
        val name = fresh("amber-x6fch")

        val answer1 =
            given(alice())
                .contentType("application/json")
                .body(mapOf("name" to name))
                .post("/tools")
        verify(answer1, "step 1 (POST /tools)")
            .statusCode(400)
            .contentType(mediaType("application/problem+json"))
            .body(at("status").equalTo(400), at("detail").ofKind(Kind.STRING))

        // Sends JSON that breaks off.
        val answer2 =
            given(alice())
                .contentType("application/json")
                .body("{\"name\": \"$name\", ")
                .post("/tools")
        verify(answer2, "step 2 (sends JSON that breaks off)").statusCode(400)
    }

    @Test
    fun `loans need a token`() {
        val answer1 = given().get("/staff/loans")
        verify(answer1, "step 1 (GET /staff/loans)")
            .statusCode(401)
            .contentType(mediaType("application/problem+json"))
            .body(at("loans").absent())
        val scheme = header(answer1, "WWW-Authenticate")

        val answer2 =
            given().contentType("application/json").body(mapOf("scheme" to scheme)).post("/measure")
        verify(answer2, "step 2 (POST /measure)")
            .statusCode(200)
            .body(at("size").ofKind(Kind.INTEGER))

        val answer3 = given(alice()).get("/staff/loans")
        verify(answer3, "step 3 (GET /staff/loans)")
            .statusCode(200)
            .body(at("by").equalTo("demo"), at("loans").ofSize(0))

        val answer4 = given(bob()).get("/staff/loans")
        verify(answer4, "step 4 (GET /staff/loans)").statusCode(200).body(at("by").equalTo("-bob"))
    }

    @Test
    fun `tool that nobody has is not found`() {
        val answer = given(alice()).get("/tools/999999999")
        verify(answer, "step 1 (GET /tools/999999999)")
            .statusCode(404)
            .contentType(mediaType("application/problem+json"))
            .body(at("detail").equalTo("there is no such tool"))
    }
}
