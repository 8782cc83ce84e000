// Shed: what is refused, and the rest.
// Written by fossick, from fossick test openapi.json
package com.example.shed

import org.junit.Before
import org.junit.BeforeClass
import org.junit.Test

class OthersTest {
    @Before
    fun resetService() = Service.reset()

    // Works only after a reset.
    @Test
    fun `the same tool is made once more`() {
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
