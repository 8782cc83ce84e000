package com.example.shed

import com.fasterxml.jackson.core.JsonProcessingException
import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.MissingNode
import org.hamcrest.BaseMatcher
import org.hamcrest.Description
import org.hamcrest.Matcher

private const val LONGEST_QUOTE = 300

/** A content type, whatever its parameters are. */
internal fun mediaType(essence: String): Matcher<String> = Expectation("the media type $essence", { essenceOf(it) == essence }, { it })

internal fun noBody(): Matcher<String> = Expectation("no body", { it.isNullOrEmpty() }, { it })

/** The whole body. */
internal fun plainText(text: String): Matcher<String> = Expectation("the text ${json(text)}", { it == text }, { json(it) })

/** A place in a JSON body: names of properties, places in lists, items. */
internal fun at(vararg path: Any): Place = Place(path.asList())

/** The item of a list that carries a value below these names, as a part of a place. */
internal fun item(
    value: Any?,
    vararg names: String,
): Item = Item(mapper.valueToTree(value), names.asList())

/** What must not be so: it is a fault. */
internal fun <T> shouldNot(
    fault: String,
    matcher: Matcher<T>,
): Matcher<T> = Expectation("anything but $matcher, which is $fault", { !matcher.matches(it) }, { it.toString() })

private fun essenceOf(contentType: String?): String =
    contentType
        .orEmpty()
        .substringBefore(';')
        .trim()
        .lowercase()

/** The body as JSON; nothing if it is something else. */
internal fun read(body: String?): JsonNode =
    try {
        mapper.readTree(body.orEmpty())
    } catch (_: JsonProcessingException) {
        MissingNode.getInstance()
    }

internal class Place(
    private val path: List<Any>,
) {
    /** Numbers are equal by value, however they are written. */
    fun equalTo(expected: Any?): Matcher<String> {
        val node = mapper.valueToTree<JsonNode>(expected)
        return isWhat(node.toString()) { node.equals(byValue, it) }
    }

    fun ofKind(kind: Kind): Matcher<String> = isWhat("of the kind $kind") { kind.holds(it) }

    fun ofSize(size: Int): Matcher<String> = isWhat("a list of $size") { it.isArray && it.size() == size }

    /** The object or list around it is there, but this is not in it. */
    fun absent(): Matcher<String> = expect("absent") { within(it).isMissingNode && isAround(it) }

    private fun isWhat(
        what: String,
        test: (JsonNode) -> Boolean,
    ): Matcher<String> = expect(what) { !within(it).isMissingNode && test(within(it)) }

    private fun expect(
        what: String,
        test: (JsonNode) -> Boolean,
    ): Matcher<String> = Expectation("$path to be $what", { test(read(it)) }, { found(it) })

    private fun found(body: String?): String? = within(read(body)).takeUnless { it.isMissingNode }?.toString()

    private fun within(body: JsonNode): JsonNode =
        path.fold(body) { node, key ->
            when (key) {
                is Item -> key.within(node)
                is Int -> node.path(key)
                else -> node.path(key.toString())
            }
        }

    private fun isAround(body: JsonNode): Boolean {
        val last = path.lastOrNull() ?: return true
        val around = Place(path.dropLast(1)).within(body)
        return if (last is String) around.isObject else around.isArray
    }
}

internal class Item(
    private val value: JsonNode,
    private val names: List<String>,
) {
    fun within(list: JsonNode): JsonNode {
        val items = if (list.isArray) list.toList() else emptyList()
        return items.find { value.equals(byValue, below(it)) } ?: MissingNode.getInstance()
    }

    private fun below(item: JsonNode): JsonNode = names.fold(item) { node, name -> node.path(name) }

    override fun toString(): String = "the item with ${names.joinToString(".")} = $value"
}

/** A matcher that tells what it expected, and what there was. */
internal class Expectation<T>(
    private val expected: String,
    private val test: (T?) -> Boolean,
    private val told: (T?) -> String?,
) : BaseMatcher<T>() {
    @Suppress("UNCHECKED_CAST")
    override fun matches(actual: Any?): Boolean = test(actual as T?)

    override fun describeTo(description: Description) {
        // REST Assured takes anything that speaks of XPath for XML.
        description.appendText(cut(expected).replace("XPath", "X-Path"))
    }

    @Suppress("UNCHECKED_CAST")
    override fun describeMismatch(
        actual: Any?,
        description: Description,
    ) {
        description.appendText("was ").appendText(told(actual as T?)?.let(::cut) ?: "nothing")
    }

    private fun cut(text: String): String = if (text.length > LONGEST_QUOTE) text.take(LONGEST_QUOTE) + "…" else text
}
