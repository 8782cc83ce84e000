package com.example.shed

import com.networknt.schema.Schema
import com.networknt.schema.SchemaRegistry
import com.networknt.schema.SpecificationVersion
import org.hamcrest.Matcher

private val registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)

/** A JSON body that fits the schema in the file. */
internal fun conformsTo(file: String): Matcher<String> {
    val schema = registry.getSchema(load(file))
    return Expectation(
        "a body that fits $file",
        { faults(schema, it).isEmpty() },
        { faults(schema, it).joinToString("; ") },
    )
}

private fun faults(
    schema: Schema,
    body: String?,
): List<String> {
    val value = read(body)
    return if (value.isMissingNode) listOf("no JSON") else schema.validate(value).map { it.toString() }
}

private fun load(file: String) =
    checkNotNull(Expectation::class.java.getResourceAsStream("schemas/$file")) { "no schema $file" }
        .use { mapper.readTree(it) }
