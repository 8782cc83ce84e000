package fossick.probe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages against the golden frames of `crates/probe`. */
class FramesTest {
  private static final Path GOLDEN = Path.of("../../crates/probe/golden");
  private static final List<String> KINDS =
      List.of("line", "branch-true", "branch-false", "call", "method", "exception");

  private static byte[] frame(String name) throws IOException {
    String hex = Files.readString(GOLDEN.resolve(name + ".hex")).replaceAll("\\s", "");
    return HexFormat.of().parseHex(hex);
  }

  private static JsonElement words(String name) throws IOException {
    return JsonParser.parseString(Files.readString(GOLDEN.resolve(name + ".json")));
  }

  private static JsonObject fields(String name, String message) throws IOException {
    return words(name).getAsJsonObject().getAsJsonObject(message);
  }

  private static List<String> texts(JsonArray array) {
    return array.asList().stream().map(JsonElement::getAsString).toList();
  }

  @Test
  void aGreetingIsWritten() throws IOException {
    JsonObject hello = fields("hello", "hello");
    byte[] written =
        Wire.hello(
            hello.get("language").getAsString(),
            hello.get("process_id").getAsInt(),
            texts(hello.getAsJsonArray("roots")),
            texts(hello.getAsJsonArray("abilities")));
    assertArrayEquals(frame("hello"), written);
  }

  @Test
  void targetsAreWritten() throws IOException {
    JsonObject register = fields("register", "register");
    List<Recorder.Target> targets = new ArrayList<>();
    for (JsonElement element : register.getAsJsonArray("descriptors")) {
      JsonObject one = element.getAsJsonObject();
      targets.add(
          new Recorder.Target(
              one.get("file").getAsString(),
              one.get("line").getAsInt(),
              KINDS.indexOf(one.get("kind").getAsString()),
              one.get("ordinal").getAsInt(),
              one.get("label").getAsString()));
    }
    int first = register.get("first_id").getAsInt();
    assertArrayEquals(frame("register"), Wire.register(first, targets));
  }

  @Test
  void whatACallReachedIsWritten() throws IOException {
    for (String name : List.of("delta", "delta-of-nothing", "delta-of-the-dead")) {
      assertArrayEquals(frame(name), delta(fields(name, "delta")), name);
    }
  }

  private static byte[] delta(JsonObject delta) {
    List<Call.Hit> hits = new ArrayList<>();
    for (JsonElement hit : delta.getAsJsonArray("hits")) {
      JsonArray pair = hit.getAsJsonArray();
      hits.add(new Call.Hit((int) pair.get(0).getAsLong(), pair.get(1).getAsDouble()));
    }
    List<Call.Failure> failures = new ArrayList<>();
    for (JsonElement element : delta.getAsJsonArray("failures")) {
      JsonObject one = element.getAsJsonObject();
      JsonObject place = one.getAsJsonObject("place");
      failures.add(
          new Call.Failure(
              null,
              one.get("exception").getAsString(),
              one.get("message").getAsString(),
              place.get("file").getAsString(),
              place.get("line").getAsInt()));
    }
    JsonElement last = delta.get("last_line");
    String file = last.isJsonNull() ? null : last.getAsJsonObject().get("file").getAsString();
    int line = last.isJsonNull() ? 0 : last.getAsJsonObject().get("line").getAsInt();
    return Wire.delta(
        delta.get("call").getAsLong(),
        hits,
        file,
        line,
        failures,
        delta.getAsJsonArray("observations").isEmpty() ? List.of() : observations(),
        delta.get("died").getAsBoolean());
  }

  /** Those of the golden frame, made as the probe makes them. */
  private static List<Seen> observations() {
    Call call = new Call(7);
    Observe.pair(call, -1, Seen.EQUAL, "blue", "red");
    Observe.pair(call, 0, Seen.EQUAL, -3, 9007199254740993L);
    Observe.pair(call, 300, Seen.ORDER, 0.5, true);
    Observe.pair(call, -1, Seen.EQUAL, null, "2024-02-29T00:00:00Z");
    Observe.parts(call, -1, Seen.PREFIX, "abc", "pre-");
    Observe.parts(call, -1, Seen.SUFFIX, "abc", ".txt");
    Observe.parts(call, -1, Seen.CONTAINS, "abc", "@");
    Observe.parts(call, -1, Seen.SAME, "abc", "ABD");
    Observe.member(call, 1, "abc", Arrays.asList("alpha", 2));
    Observe.pattern(call, -1, "abc", "^[a-c]{3}$", 2, Seen.ANYWHERE);
    call.observe(Observe.parsed(-1, "abc", "date", "%Y-%m-%d", false));
    Observe.read(call, -1, Seen.HEADER, "x-secret", false, List.of("host"));
    Observe.read(call, -1, Seen.KEY, "role", true, List.of());
    List<Seen> seen = new ArrayList<>(call.observations());
    // A moment is one of the JDK's classes, not a text; an instant of a whole day has no seconds.
    Wire.Writer moment = new Wire.Writer().number(0).bytes(Seen.EQUAL).bytes(4);
    seen.set(3, new Seen(moment.bytes(5).text("2024-02-29T00:00:00Z").taken()));
    return seen;
  }

  @Test
  void shortAnswersAreWritten() throws IOException {
    assertArrayEquals(frame("begin"), Wire.begin(300));
    assertArrayEquals(frame("reset"), Wire.reset());
    assertArrayEquals(frame("pong"), Wire.pong());
    String words = fields("error", "error").get("text").getAsString();
    assertArrayEquals(frame("error"), Wire.error(words));
  }

  @Test
  void statementsAreWritten() throws IOException {
    JsonObject sql = fields("sql", "sql");
    byte[] written =
        Wire.sql(
            sql.get("call").getAsLong(),
            sql.get("statement").getAsString(),
            texts(sql.getAsJsonArray("parameters")),
            sql.get("rows").getAsLong(),
            texts(sql.getAsJsonArray("tables")));
    assertArrayEquals(frame("sql"), written);
  }

  private static Wire.Message read(String name) throws Exception {
    byte[] frame = frame(name);
    return Wire.read(Arrays.copyOfRange(frame, 4, frame.length));
  }

  @Test
  void whatTheToolSaysIsRead() throws Exception {
    Wire.Message hello = read("hello");
    assertEquals(3, hello.version);
    assertEquals("python", hello.language);
    assertEquals(List.of("/srv/shop"), hello.roots);
    assertEquals(300, read("begin").call);
    assertEquals(-1, read("end").call, "the largest number there is");
    assertArrayEquals(new int[] {0, 1, 2, 130, 70000}, read("covered").ids);
    assertEquals(0, read("covered-none").ids.length);
    for (String name : List.of("reset", "ping", "bye")) {
      assertTrue(read(name).type > 0);
    }
  }

  @Test
  void whatCannotBeUnderstoodIsRefused() {
    byte[][] broken = {
      {}, {99, 1, 2}, {4}, {4, (byte) 0x80, 0}, {10}, {6, 5, 0}, {9, 0}, {1, 4, 'a'},
      {4, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2}, {6, 1, -1, -1, -1, -1, 0x1f},
    };
    for (byte[] frame : broken) {
      assertThrows(Wire.FrameError.class, () -> Wire.read(frame), Arrays.toString(frame));
    }
  }
}
