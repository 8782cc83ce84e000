package com.example.shed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.restassured.response.Response;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Values that go into requests, and values that are taken out of answers. */
final class Values {
  static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** Zero for scalars that mean the same, such as 1 and 1.0. */
  static final Comparator<JsonNode> BY_VALUE = (a, b) -> isSame(a, b) ? 0 : 1;

  private static final int FRESH_CHARACTERS = 5;

  private Values() {}

  /** A property of a JSON object. */
  record Field(String name, Object value) {}

  static Field field(String name, Object value) {
    return new Field(name, value);
  }

  static Map<String, Object> object(Field... fields) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (Field field : fields) {
      object.put(field.name(), field.value());
    }
    return object;
  }

  static List<Object> list(Object... items) {
    return Arrays.asList(items);
  }

  /** The value that a JSON text stands for. */
  static JsonNode parsed(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** The JSON text of a value. */
  static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A text of the same make: its last letters and digits are others of their kind. */
  static String fresh(String like) {
    StringBuilder text = new StringBuilder(like);
    int left = FRESH_CHARACTERS;
    for (int at = text.length() - 1; at >= 0 && left > 0; at--) {
      String kind = kindOf(text.charAt(at));
      if (!kind.isEmpty()) {
        text.setCharAt(at, kind.charAt(ThreadLocalRandom.current().nextInt(kind.length())));
        left--;
      }
    }
    return text.toString();
  }

  /** A value as a component of a URI. */
  static String component(Object value) {
    return URLEncoder.encode(text(value), StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  /** A value as it stands in a text: strings without quotes. */
  static String text(Object value) {
    if (value instanceof JsonNode node) {
      return node.isTextual() ? node.textValue() : node.toString();
    }
    return String.valueOf(value);
  }

  /** The last segment of the path that the answer points to. */
  static String location(Response answer) {
    String path = header(answer, "Location").split("[?#]", 2)[0].replaceFirst("/+$", "");
    String last = path.substring(path.lastIndexOf('/') + 1);
    return URLDecoder.decode(last.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  static String header(Response answer, String name) {
    String value = answer.header(name);
    if (value == null) {
      throw new AssertionError("no header " + name + " in " + Api.quote(answer));
    }
    return value;
  }

  /** What a JSON pointer leads to. */
  static JsonNode pointer(Response answer, String pointer) {
    JsonNode value = Answers.read(answer.asString()).at(pointer);
    if (value.isMissingNode()) {
      throw new AssertionError("nothing at " + pointer + " in " + Api.quote(answer));
    }
    return value;
  }

  private static String kindOf(char c) {
    if (c >= 'a' && c <= 'z') {
      return "abcdefghijklmnopqrstuvwxyz";
    }
    if (c >= 'A' && c <= 'Z') {
      return "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    }
    return c >= '0' && c <= '9' ? "0123456789" : "";
  }

  private static boolean isSame(JsonNode a, JsonNode b) {
    if (!a.isNumber() || !b.isNumber()) {
      return a.equals(b);
    }
    if (a.isIntegralNumber() && b.isIntegralNumber()) {
      return a.bigIntegerValue().equals(b.bigIntegerValue());
    }
    return a.doubleValue() == b.doubleValue();
  }
}
