// Shed: what succeeds.
// Written by fossick, from fossick test openapi.json
package com.example.shed

import org.junit.Before
import org.junit.BeforeClass
import org.junit.Test

class SuccessesTest {
    @Before
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
        @BeforeClass
        @JvmStatic
        fun startService() = Service.start()
    }
}
