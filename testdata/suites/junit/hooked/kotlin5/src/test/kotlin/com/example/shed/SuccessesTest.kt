// Shed: what succeeds.
// Written by fossick, from fossick test openapi.json
package com.example.shed

import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test

class SuccessesTest {
    @BeforeEach
    fun resetService() = Service.reset()

    @Test
    fun `tool of a known name is made`() {
        val answer =
            given()
                .contentType("application/json")
                .body(mapOf("name" to "Saw", "code" to "HA-0001"))
                .post("/tools")
        verify(answer, "step 1 (POST /tools)").statusCode(201).body(at("id").equalTo(1))
    }

    companion object {
        @BeforeAll
        @JvmStatic
        fun startService() = Service.start()
    }
}
