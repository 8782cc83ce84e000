// Shed: what succeeds.
// Written by fossick, from fossick test openapi.json --seed 1
package com.example.shed

import org.junit.Test
import java.math.BigInteger

class SuccessesTest {
    @Test
    fun `tool is made and read back`() {
        val mark = fresh("Ab-9z9Z9")
        val code = fresh("ZZ-1234")

        // Makes a tool.
        val answer1 =
            given(alice())
                .contentType("application/json")
                .body(
                    mapOf(
                        "name" to "Spirit level $mark",
                        "code" to code,
                        "deposit" to 900,
                        "boughtOn" to null,
                        "tags" to listOf("level", "$mark!", "blue"),
                        "maker" to
                            mapOf("name" to "O'Brien & \"Sons\"", "towns" to emptyList<Any?>()),
                    ),
                ).post("/tools")
        verify(answer1, "step 1 (makes a tool)")
            .statusCode(201)
            .contentType(mediaType("application/json"))
            .body(
                at("id").ofKind(Kind.INTEGER),
                at("name").ofKind(Kind.STRING),
                at("code").equalTo(code),
                at("deposit").equalTo(900),
                at("boughtOn").equalTo(null),
                at("tags").ofSize(3),
                at("tags", 0).equalTo("level"),
                at("tags", 2).equalTo("blue"),
                at("tags", 3).absent(),
                at("maker").ofKind(Kind.OBJECT),
                at("maker", "name").equalTo("O'Brien & \"Sons\""),
                at("maker", "towns").ofSize(0),
                at("pin").absent(),
                conformsTo("tool.json"),
            )
        val toolId = location(answer1)
        val tag = header(answer1, "ETag")
        val number = pointer(answer1, "/id")
        val tags = pointer(answer1, "/tags")

        // Reads it back.
        val answer2 = given(alice()).get("/tools/${component(toolId)}")
        verify(answer2, "step 2 (reads it back)")
            .statusCode(200)
            .contentType(mediaType("application/json"))
            .body(at("id").equalTo(number), at("tags").equalTo(tags), conformsTo("tool.json"))

        // Asks whether it has changed.
        val answer3 =
            given(alice())
                .header("If-None-Match", tag)
                .header("Accept", "application/json")
                .get("/tools/${component(toolId)}")
        verify(answer3, "step 3 (asks whether it has changed)").statusCode(304).body(noBody())

        val answer4 = given(alice()).head("/tools/${component(toolId)}")
        verify(answer4, "step 4 (HEAD /tools/{tool_id})")
            .statusCode(200)
            .contentType(mediaType("application/json"))
            .body(noBody())
    }

    // The name has a slash, a space, an apostrophe and letters beyond ASCII.
    @Test
    fun `tool is found by a name that needs escapes`() {
        val name = fresh("Zoë's 1/2 saw & 100% \"x6fch\"")

        // Makes a tool.
        val answer1 =
            given(alice())
                .contentType("application/json")
                .body(mapOf("name" to name, "code" to "ME-0042", "tags" to listOf("level", "blue")))
                .post("/tools")
        verify(answer1, "step 1 (makes a tool)")
            .statusCode(201)
            .contentType(mediaType("application/json"))
        val number = pointer(answer1, "/id")

        val answer2 = given(bob()).get("/tools?sort=id&name=${component(name)}")
        verify(answer2, "step 2 (GET /tools?sort=id&name={name})")
            .statusCode(200)
            .body(at().ofSize(1), at(0, "id").equalTo(number), at(0, "name").equalTo(name))

        // Has moved; nobody follows.
        val answer3 = given(bob()).get("/former/${component(name)}")
        verify(answer3, "step 3 (has moved; nobody follows)").statusCode(301).body(noBody())
        val there = location(answer3)

        val answer4 = given(bob()).get("/named/${component(there)}")
        verify(answer4, "step 4 (GET /named/{there})")
            .statusCode(200)
            .contentType(mediaType("application/json"))
            .body(at("name").equalTo(name), at("name").equalTo(there))

        // Asks GraphQL for it.
        val answer5 =
            given(bob())
                .contentType("application/json")
                .body(
                    mapOf(
                        "query" to
                            "query Tool(\$name: String!) {\n" +
                            "  tool(name: \$name) {\n" +
                            "    id\n" +
                            "    name\n" +
                            "  }\n" +
                            "}",
                        "variables" to mapOf("name" to name),
                        "operationName" to "Tool",
                    ),
                ).post("/graphql")
        verify(answer5, "step 5 (asks GraphQL for it)")
            .statusCode(200)
            .contentType(mediaType("application/json"))
            .body(
                at("errors").absent(),
                at("data", "tool", "id").equalTo(number),
                at("data", "tool", "name").equalTo(name),
            )
    }

    // Where it stands in the lists is a matter of what others made.
    @Test
    fun `tool is listed among those of others`() {
        val name = fresh("plane-k3x9q")

        // Makes a tool.
        val answer1 =
            given(alice())
                .contentType("application/json")
                .body(
                    mapOf(
                        "name" to name,
                        "code" to "LI-0007",
                        "tags" to listOf("level", "blue"),
                        "boughtOn" to null,
                    ),
                ).post("/tools")
        verify(answer1, "step 1 (makes a tool)").statusCode(201).body(at("id").ofKind(Kind.INTEGER))
        val toolId = pointer(answer1, "/id")

        val answer2 = given(alice()).get("/tools")
        verify(answer2, "step 2 (GET /tools)")
            .statusCode(200)
            .body(
                at().ofKind(Kind.ARRAY),
                at(item(toolId, "id")).ofKind(Kind.OBJECT),
                at(item(toolId, "id"), "id").equalTo(toolId),
                at(item(toolId, "id"), "code").equalTo("LI-0007"),
                at(item(toolId, "id"), "boughtOn").equalTo(null),
                at(item(toolId, "id"), "tags").ofSize(2),
                at(item(toolId, "id"), "tags", 1).equalTo("blue"),
                at(item(toolId, "id"), "pin").absent(),
            )

        // Asks for pages.
        val answer3 = given(bob()).get("/catalogue")
        verify(answer3, "step 3 (asks for pages)")
            .statusCode(200)
            .body(
                at("catalogue", "edges").ofKind(Kind.ARRAY),
                at("catalogue", "edges", item(toolId, "node", "id"), "node", "name").equalTo(name),
                at("catalogue", "edges", item(name, "node", "name"), "node", "id").equalTo(toolId),
                at("catalogue", "edges", item(name, "node", "name"), "node", "id")
                    .ofKind(Kind.NUMBER),
                at("catalogue", "names", item(name)).equalTo(name),
                at("catalogue", "edges", item(toolId, "id")).absent(),
            )

        // Looks where it is not.
        val answer4 = given(alice()).get("/tools?name=nobody")
        verify(answer4, "step 4 (looks where it is not)")
            .statusCode(200)
            .body(at(item(toolId, "id")).absent())
    }

    // Nothing in an answer may break a test: not ''' nor """ nor * / nor ? > nor -- > nor \ u002a/
    // nor ${x} nor {{x}}.
    @Test
    fun `odd texts come as they are`() {
        val answer = given().get("/odd")
        verify(answer, "step 1 (GET /odd)")
            .statusCode(200)
            .contentType(mediaType("application/json"))
            .body(
                at("it's \"quoted\"").equalTo("'; DROP TABLE tools; -- \" \\ `"),
                at("a/b~c.d").equalTo("\${HOME} \$HOME \$(id) `id` #{x} {{x}} {x} %s %(x)s"),
                at("\$ref").equalTo("*/ // ?> --> <!-- ]]> </script> <?php"),
                at("")
                    .equalTo(
                        "line one\nline two\r\n\ttab\u000c\u0008\u0001\u007f\u0085\u2028\u2029end",
                    ),
                at("0").equalTo("\\u0022 \\x22 \\n \\' \\\" \\\\ \\"),
                at("unicode").equalTo("Zoë 木 \ud83d\udee0 \u202e\ufeff e\u0301"),
                at("long")
                    .equalTo(
                        "A long sentence that no formatter can put on one line, A long " +
                            "sentence that no formatter can put on one line, A long sentence " +
                            "that no formatter can put on one line, A long sentence that no " +
                            "formatter can put on one line, ",
                    ),
                at("numbers").ofSize(7),
                at("numbers", 0).equalTo(0),
                at("numbers", 1).equalTo(-1),
                at("numbers", 2).equalTo(2.5),
                at("numbers", 3).equalTo(1e-7),
                at("numbers", 4).equalTo(1e300),
                at("numbers", 5).equalTo(9007199254740993L),
                at("numbers", 6).equalTo(BigInteger("18446744073709551615")),
                at("scalars").ofSize(6),
                at("scalars", 0).equalTo(true),
                at("scalars", 1).equalTo(false),
                at("scalars", 2).equalTo(null),
                at("scalars", 3).equalTo(""),
                at("scalars", 4).ofKind(Kind.OBJECT),
                at("scalars", 5).ofSize(0),
                at("deep").ofSize(1),
                at("deep", 0).ofSize(1),
                at("deep", 0, 0, "deeper").ofSize(1),
                at("deep", 0, 0, "deeper", 0, "deepest").equalTo("here"),
                at("numbers", 0).ofKind(Kind.INTEGER),
                at("numbers", 0).ofKind(Kind.NUMBER),
                at("numbers", 2).ofKind(Kind.NUMBER),
                at("scalars", 0).ofKind(Kind.BOOLEAN),
                at("scalars", 2).ofKind(Kind.NULL),
                at("scalars", 5).ofKind(Kind.ARRAY),
                at("scalars", 6).absent(),
                at("deep", 0, 0, "shallow").absent(),
                at().ofKind(Kind.OBJECT),
                conformsTo("odd_thing.json"),
            )
    }

    @Test
    fun `bodies go out as they are`() {
        val mark = fresh("a1B2c3")

        val answer1 =
            given()
                .contentType("text/plain")
                .body("line one\nit's \"two\" \\ \${HOME} {{x}} `id` \$(id) %s\r\n\tend é ")
                .post("/echo")
        verify(answer1, "step 1 (POST /echo)")
            .statusCode(200)
            .contentType(mediaType("text/plain"))
            .body(plainText("line one\nit's \"two\" \\ \${HOME} {{x}} `id` \$(id) %s\r\n\tend é "))

        val answer2 =
            given()
                .header("X-Note", "mark is '$mark'")
                .contentType("application/x-www-form-urlencoded")
                .body("mark=$mark&more=%20")
                .post("/measure")
        verify(answer2, "step 2 (POST /measure)")
            .statusCode(200)
            .body(
                at("method").equalTo("POST"),
                at("media_type").equalTo("application/x-www-form-urlencoded"),
                at("size").equalTo(20),
                at("note").ofKind(Kind.STRING),
            )

        val answer3 =
            given()
                .contentType("application/octet-stream")
                .body(bytes("00fffe7b7d27225c0a0d24"))
                .put("/measure")
        verify(answer3, "step 3 (PUT /measure)")
            .statusCode(200)
            .body(
                at("media_type").equalTo("application/octet-stream"),
                at("hex").equalTo("00fffe7b7d27225c0a0d24"),
            )

        val answer4 =
            given()
                .contentType("application/merge-patch+json")
                .body(mapOf("a" to 1, "b" to listOf(true, null), "c" to "\u2028"))
                .patch("/measure")
        verify(answer4, "step 4 (PATCH /measure)")
            .statusCode(200)
            .body(at("media_type").equalTo("application/merge-patch+json"))

        val answer5 = given().post("/measure")
        verify(answer5, "step 5 (POST /measure)")
            .statusCode(200)
            .body(at("media_type").equalTo(""), at("size").equalTo(0), at("note").equalTo(null))
    }

    @Test
    fun `list and number stand alone`() {
        val answer1 = given().get("/categories")
        verify(answer1, "step 1 (GET /categories)")
            .statusCode(200)
            .body(
                at().ofKind(Kind.ARRAY),
                at().ofSize(2),
                at(0).equalTo("hand"),
                at(1).ofKind(Kind.STRING),
                at(2).absent(),
            )

        val answer2 = given().get("/count")
        verify(answer2, "step 2 (GET /count)")
            .statusCode(200)
            .body(at().equalTo(3), at().ofKind(Kind.INTEGER), at().ofKind(Kind.NUMBER))
    }
}
