package PACKAGE

import com.fasterxml.jackson.databind.DeserializationFeature
import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.json.JsonMapper
import io.restassured.response.Response
import java.net.URLDecoder
import java.net.URLEncoder
import java.util.HexFormat

private const val FRESH_CHARACTERS = 5

internal val mapper: ObjectMapper =
    JsonMapper
        .builder()
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .build()

/** Zero for scalars that mean the same, such as 1 and 1.0. */
internal val byValue = Comparator<JsonNode> { a, b -> if (isSame(a, b)) 0 else 1 }

/** The value that a JSON text stands for. */
internal fun parsed(text: String): JsonNode = mapper.readTree(text)

/** The JSON text of a value. */
internal fun json(value: Any?): String = mapper.writeValueAsString(value)

internal fun bytes(hex: String): ByteArray = HexFormat.of().parseHex(hex)

internal fun utf8(text: String): ByteArray = text.toByteArray()

/** A text of the same make: its last letters and digits are others of their kind. */
internal fun fresh(like: String): String {
    val text = StringBuilder(like)
    val places = like.indices.filter { kindOf(like[it]) != null }
    for (at in places.takeLast(FRESH_CHARACTERS)) {
        kindOf(like[at])?.let { text.setCharAt(at, it.random()) }
    }
    return text.toString()
}

/** A value as a component of a URI. */
internal fun component(value: Any?): String =
    URLEncoder
        .encode(text(value), Charsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~")

/** A value as it stands in a text: strings without quotes. */
internal fun text(value: Any?): String = if (value is JsonNode && value.isTextual) value.textValue() else value.toString()

/** The last segment of the path that the answer points to. */
internal fun location(answer: Response): String {
    val path = header(answer, "Location").substringBefore('#').substringBefore('?').trimEnd('/')
    return URLDecoder.decode(path.substringAfterLast('/').replace("+", "%2B"), Charsets.UTF_8)
}

internal fun header(
    answer: Response,
    name: String,
): String = answer.header(name) ?: throw AssertionError("no header $name in ${quote(answer)}")

/** What a JSON pointer leads to. */
internal fun pointer(
    answer: Response,
    pointer: String,
): JsonNode {
    val value = read(answer.asString()).at(pointer)
    if (value.isMissingNode) {
        throw AssertionError("nothing at $pointer in ${quote(answer)}")
    }
    return value
}

private fun kindOf(c: Char): CharRange? = listOf('a'..'z', 'A'..'Z', '0'..'9').find { c in it }

private fun isSame(
    a: JsonNode,
    b: JsonNode,
): Boolean =
    when {
        !a.isNumber || !b.isNumber -> a == b
        a.isIntegralNumber && b.isIntegralNumber -> a.bigIntegerValue() == b.bigIntegerValue()
        else -> a.doubleValue() == b.doubleValue()
    }
