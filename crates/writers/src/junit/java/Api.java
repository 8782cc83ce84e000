package PACKAGE;

import io.restassured.RestAssured;
import io.restassured.config.DecoderConfig;
import io.restassured.config.EncoderConfig;
import io.restassured.config.HttpClientConfig;
import io.restassured.config.MatcherConfig;
import io.restassured.config.RedirectConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.http.ContentType;
import io.restassured.http.Headers;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.net.URI;

/** Where the service is, how it is asked, and what is said of an answer that was not expected. */
final class Api {
DEFAULT_URL

  static final URI BASE_URL =
      URI.create(
          System.getenv().getOrDefault("FOSSICK_BASE_URL", DEFAULT_URL).replaceFirst("/+$", ""));

  private static final int TIMEOUT_MILLIS = 30_000;
  private static final int LONGEST_QUOTE = 600;

  private static final RestAssuredConfig CONFIG =
      RestAssuredConfig.config()
          .redirect(RedirectConfig.redirectConfig().followRedirects(false))
          .httpClient(
              HttpClientConfig.httpClientConfig()
                  .setParam("http.connection.timeout", TIMEOUT_MILLIS)
                  .setParam("http.socket.timeout", TIMEOUT_MILLIS)
                  .setParam("http.protocol.element-charset", "UTF-8"))
          .encoderConfig(
              EncoderConfig.encoderConfig()
                  .defaultContentCharset("UTF-8")
                  .appendDefaultContentCharsetToContentTypeIfUndefined(false)
                  .encodeContentTypeAs("application/x-www-form-urlencoded", ContentType.TEXT))
          .decoderConfig(DecoderConfig.decoderConfig().defaultContentCharset("UTF-8"))
          .matcherConfig(
              MatcherConfig.matcherConfig()
                  .errorDescriptionType(MatcherConfig.ErrorDescriptionType.HAMCREST));

  private Api() {}

  /** A request without credentials. Paths are escaped already and are sent as they stand. */
  static RequestSpecification given() {
    return RestAssured.given()
        .config(CONFIG)
        .baseUri(BASE_URL.getScheme() + "://" + BASE_URL.getHost())
        .port(port())
        .basePath(BASE_URL.getRawPath())
        .urlEncodingEnabled(false)
        .noContentType();
  }

  /** A request of a user. */
  static RequestSpecification given(Headers credentials) {
    return given().headers(credentials);
  }

  /** Checks on an answer; where one fails, the step and the answer are told. */
  static ValidatableResponse verify(Response answer, String step) {
    return answer.then().onFailMessage(step + " was answered with " + quote(answer));
  }

  /** The status of an answer and the beginning of its body. */
  static String quote(Response answer) {
    String body = answer.asString();
    String start = body.length() > LONGEST_QUOTE ? body.substring(0, LONGEST_QUOTE) + "…" : body;
    return answer.statusCode() + " " + answer.contentType() + " " + start;
  }

  private static int port() {
    if (BASE_URL.getPort() != -1) {
      return BASE_URL.getPort();
    }
    return BASE_URL.getScheme().equalsIgnoreCase("https") ? 443 : 80;
  }
}
