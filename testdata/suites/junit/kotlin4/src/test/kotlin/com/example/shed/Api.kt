package com.example.shed

import io.restassured.RestAssured
import io.restassured.config.DecoderConfig
import io.restassured.config.EncoderConfig
import io.restassured.config.HttpClientConfig
import io.restassured.config.MatcherConfig
import io.restassured.config.RedirectConfig
import io.restassured.config.RestAssuredConfig
import io.restassured.http.ContentType
import io.restassured.http.Headers
import io.restassured.response.Response
import io.restassured.response.ValidatableResponse
import io.restassured.specification.RequestSpecification
import java.net.URI

private const val DEFAULT_URL = "http://127.0.0.1:8460"
private const val TIMEOUT_MILLIS = 30_000
private const val LONGEST_QUOTE = 600

/** Where the service is. */
internal val baseUrl: URI =
    URI.create((System.getenv("FOSSICK_BASE_URL") ?: DEFAULT_URL).trimEnd('/'))

private val config =
    RestAssuredConfig
        .config()
        .redirect(RedirectConfig.redirectConfig().followRedirects(false))
        .httpClient(
            HttpClientConfig
                .httpClientConfig()
                .setParam("http.connection.timeout", TIMEOUT_MILLIS)
                .setParam("http.socket.timeout", TIMEOUT_MILLIS)
                .setParam("http.protocol.element-charset", "UTF-8"),
        ).encoderConfig(
            EncoderConfig
                .encoderConfig()
                .defaultContentCharset("UTF-8")
                .appendDefaultContentCharsetToContentTypeIfUndefined(false)
                .encodeContentTypeAs("application/x-www-form-urlencoded", ContentType.TEXT),
        ).decoderConfig(DecoderConfig.decoderConfig().defaultContentCharset("UTF-8"))
        .matcherConfig(MatcherConfig(MatcherConfig.ErrorDescriptionType.HAMCREST))

/** A request without credentials. Paths are escaped already and are sent as they stand. */
internal fun given(): RequestSpecification =
    RestAssured
        .given()
        .config(config)
        .baseUri("${baseUrl.scheme}://${baseUrl.host}")
        .port(port())
        .basePath(baseUrl.rawPath)
        .urlEncodingEnabled(false)
        .noContentType()

/** A request of a user. */
internal fun given(credentials: Headers): RequestSpecification = given().headers(credentials)

/** Checks on an answer; where one fails, the step and the answer are told. */
internal fun verify(
    answer: Response,
    step: String,
): ValidatableResponse = answer.then().onFailMessage("$step was answered with ${quote(answer)}")

/** The status of an answer and the beginning of its body. */
internal fun quote(answer: Response): String {
    val body = answer.asString()
    val start = if (body.length > LONGEST_QUOTE) body.take(LONGEST_QUOTE) + "…" else body
    return "${answer.statusCode()} ${answer.contentType()} $start"
}

private fun port(): Int =
    when {
        baseUrl.port != -1 -> baseUrl.port
        baseUrl.scheme.equals("https", ignoreCase = true) -> 443
        else -> 80
    }
