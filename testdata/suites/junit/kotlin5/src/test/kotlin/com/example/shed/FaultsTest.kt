// Shed: what is thought to be wrong.
// Written by fossick, from fossick test openapi.json --seed 1
package com.example.shed

import org.junit.jupiter.api.Test

class FaultsTest {
    // F301, still served after it was deleted: DELETE answered 204, and the same path answers 200
    // afterwards with the repair as it was before it was deleted.
    // A repair is made and deleted; then somebody looks for it.
    // It should be gone: 404 or 410.
    @Test
    fun `deleted repair is still served`() {
        val name = fresh("spirit level x6fch")

        // Makes a tool.
        val answer1 =
            given(alice())
                .contentType("application/json")
                .body(mapOf("name" to name, "code" to "ME-0042", "tags" to listOf("level", "blue")))
                .post("/tools")
        verify(answer1, "step 1 (makes a tool)")
            .statusCode(201)
            .contentType(mediaType("application/json"))
        val toolId = location(answer1)

        // Makes a repair.
        val answer2 =
            given(alice())
                .contentType("application/json")
                .body(mapOf("note" to "New handle", "hours" to 1.5, "urgent" to false))
                .post("/tools/${component(toolId)}/repairs")
        verify(answer2, "step 2 (makes a repair)").statusCode(201)
        val repairId = pointer(answer2, "/id")

        val answer3 =
            given(alice()).delete("/tools/${component(toolId)}/repairs/${component(repairId)}")
        verify(answer3, "step 3 (DELETE /tools/{tool_id}/repairs/{repair_id})")
            .statusCode(204)
            .body(noBody())

        // Looks at what is gone.
        val answer4 =
            given(alice()).get("/tools/${component(toolId)}/repairs/${component(repairId)}")
        verify(answer4, "step 4 (looks at what is gone)")
            // The suspected fault F301: still served after it was deleted.
            .statusCode(200)
            .contentType(mediaType("application/json"))
            .body(
                at("id").equalTo(repairId),
                at("tool").ofKind(Kind.INTEGER),
                at("note").equalTo("New handle"),
                at("hours").equalTo(1.5),
                at("urgent").equalTo(false),
            )
    }

    // F401, authentication ignored: The contract asks for a token; the request had none.
    @Test
    fun `ledger is shown to anybody`() {
        // Somebody of the staff may see it.
        val answer1 = given(alice()).get("/staff/ledger")
        verify(answer1, "step 1 (somebody of the staff may see it)").statusCode(200)

        // So may everybody else.
        val answer2 = given().get("/staff/ledger")
        verify(answer2, "step 2 (so may everybody else)")
            // The suspected fault F401: authentication ignored.
            .statusCode(200)
            .body(at("loans").ofSize(0))
    }

    // F201, answer breaks its schema: /fee is a string where a number is promised. * / ? > -- > '''
    // """ \ #
    @Test
    fun `fee of the ledger is a text`() {
        val answer = given(bob()).get("/staff/ledger")
        verify(answer, "step 1 (GET /staff/ledger)")
            .statusCode(200)
            .contentType(mediaType("application/json"))
            // The suspected fault F201: answer breaks its schema.
            .body(at("fee").ofKind(Kind.STRING))
            .body(at("fee").equalTo("12"))
    }

    // F201, answer breaks its schema: size is a string where a number is promised.
    @Test
    fun `size of a listed tool is a text`() {
        val name = fresh("plane-k3x9q")

        // Makes a tool.
        val answer1 =
            given(alice())
                .contentType("application/json")
                .body(mapOf("name" to name, "code" to "LI-0007", "size" to 3))
                .post("/tools")
        verify(answer1, "step 1 (makes a tool)").statusCode(201).body(at("id").ofKind(Kind.INTEGER))
        val toolId = pointer(answer1, "/id")

        val answer2 = given(alice()).get("/tools")
        verify(answer2, "step 2 (GET /tools)")
            .statusCode(200)
            .contentType(mediaType("application/json"))
            .body(at().ofKind(Kind.ARRAY), at(item(toolId, "id"), "name").equalTo(name))
            // The suspected fault F201: answer breaks its schema.
            .body(at(item(toolId, "id"), "size").ofKind(Kind.STRING))
    }

    // F101, server error: The service answered 500 to a request that the contract allows.
    // Any other limit is served.
    @Test
    fun `limit of 73 ends in a crash`() {
        val answer = given(alice()).get("/tools?limit=73&available=true")
        verify(answer, "step 1 (GET /tools?limit=73&available=true)")
            // The suspected fault F101: server error.
            .statusCode(500)
            .contentType(mediaType("application/problem+json"))
            .body(at("detail").equalTo("something went wrong in here"))
    }
}
