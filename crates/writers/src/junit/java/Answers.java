package PACKAGE;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import org.hamcrest.BaseMatcher;
import org.hamcrest.Description;
import org.hamcrest.Matcher;

/** What answers are held against. */
final class Answers {
  private static final int LONGEST_QUOTE = 300;

  private Answers() {}

  /** A content type, whatever its parameters are. */
  static Matcher<String> mediaType(String essence) {
    return new Expectation<>(
        "the media type " + essence, type -> essenceOf(type).equals(essence), type -> type);
  }

  static Matcher<String> noBody() {
    return new Expectation<>("no body", body -> body == null || body.isEmpty(), body -> body);
  }

  /** The whole body. */
  static Matcher<String> plainText(String text) {
    return new Expectation<>("the text " + Values.json(text), text::equals, Values::json);
  }

  /** A place in a JSON body: names of properties, places in lists, items. */
  static Place at(Object... path) {
    return new Place(Arrays.asList(path));
  }

  /** The item of a list that carries a value below these names, as a part of a place. */
  static Item item(Object value, String... names) {
    return new Item(Values.JSON.valueToTree(value), List.of(names));
  }

  /** What must not be so: it is a fault. */
  static <T> Matcher<T> shouldNot(String fault, Matcher<T> matcher) {
    return new Expectation<>(
        "anything but " + matcher + ", which is " + fault,
        actual -> !matcher.matches(actual),
        String::valueOf);
  }

  private static String essenceOf(String contentType) {
    String type = contentType == null ? "" : contentType;
    return type.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
  }

  /** The body as JSON; nothing if it is something else. */
  static JsonNode read(String body) {
    try {
      return Values.JSON.readTree(body);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  record Place(List<Object> path) {
    /** Numbers are equal by value, however they are written. */
    Matcher<String> equalTo(Object expected) {
      JsonNode node = Values.JSON.valueToTree(expected);
      return is(node.toString(), found -> node.equals(Values.BY_VALUE, found));
    }

    Matcher<String> ofKind(Kind kind) {
      return is("of the kind " + kind, kind::holds);
    }

    Matcher<String> ofSize(int size) {
      return is("a list of " + size, found -> found.isArray() && found.size() == size);
    }

    /** The object or list around it is there, but this is not in it. */
    Matcher<String> absent() {
      return expect("absent", body -> in(body).isMissingNode() && isAround(body));
    }

    private Matcher<String> is(String what, Predicate<JsonNode> test) {
      return expect(what, body -> !in(body).isMissingNode() && test.test(in(body)));
    }

    private Matcher<String> expect(String what, Predicate<JsonNode> test) {
      return new Expectation<>(
          path + " to be " + what,
          body -> test.test(read(body)),
          body -> in(read(body)).isMissingNode() ? null : in(read(body)).toString());
    }

    private JsonNode in(JsonNode body) {
      JsonNode node = body;
      for (Object key : path) {
        node = inside(node, key);
      }
      return node;
    }

    private static JsonNode inside(JsonNode node, Object key) {
      if (key instanceof Item item) {
        return item.in(node);
      }
      return key instanceof Integer index ? node.path(index) : node.path((String) key);
    }

    private boolean isAround(JsonNode body) {
      if (path.isEmpty()) {
        return true;
      }
      int last = path.size() - 1;
      JsonNode around = new Place(path.subList(0, last)).in(body);
      return path.get(last) instanceof String ? around.isObject() : around.isArray();
    }
  }

  record Item(JsonNode value, List<String> names) {
    JsonNode in(JsonNode list) {
      if (list.isArray()) {
        for (JsonNode item : list) {
          if (value.equals(Values.BY_VALUE, below(item))) {
            return item;
          }
        }
      }
      return MissingNode.getInstance();
    }

    private JsonNode below(JsonNode item) {
      JsonNode node = item;
      for (String name : names) {
        node = node.path(name);
      }
      return node;
    }

    @Override
    public String toString() {
      return "the item with " + String.join(".", names) + " = " + value;
    }
  }

  /** A matcher that tells what it expected, and what there was. */
  static final class Expectation<T> extends BaseMatcher<T> {
    private final String expected;
    private final Predicate<T> test;
    private final Function<T, String> told;

    Expectation(String expected, Predicate<T> test, Function<T, String> told) {
      this.expected = expected;
      this.test = test;
      this.told = told;
    }

    @Override
    @SuppressWarnings("unchecked")
    public boolean matches(Object actual) {
      return test.test((T) actual);
    }

    @Override
    public void describeTo(Description description) {
      // REST Assured takes anything that speaks of XPath for XML.
      description.appendText(cut(expected).replace("XPath", "X-Path"));
    }

    @Override
    @SuppressWarnings("unchecked")
    public void describeMismatch(Object actual, Description description) {
      String text = told.apply((T) actual);
      description.appendText("was ").appendText(text == null ? "nothing" : cut(text));
    }

    private static String cut(String text) {
      return text.length() > LONGEST_QUOTE ? text.substring(0, LONGEST_QUOTE) + "…" : text;
    }
  }
}
