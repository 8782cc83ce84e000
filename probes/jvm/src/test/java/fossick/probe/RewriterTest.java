package fossick.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rewritten classes do what they did before, and what they reach is told. */
class RewriterTest {
  /** Loads the corpus anew, with or without probes. */
  private static final class Loader extends ClassLoader {
    private final boolean isProbed;

    Loader(boolean isProbed) {
      super(Loader.class.getClassLoader());
      this.isProbed = isProbed;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("fossick.probe.Corpus")) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? defined(name) : loaded;
    }

    private Class<?> defined(String name) throws ClassNotFoundException {
      byte[] bytes = bytes(name);
      if (isProbed) {
        bytes = Rewriter.rewritten(bytes, "fossick/probe/Corpus.java");
        if (bytes == null) {
          bytes = bytes(name);
        } else {
          Failures.FILES.put(name, "fossick/probe/Corpus.java");
        }
      }
      return defineClass(name, bytes, 0, bytes.length);
    }

    private static byte[] bytes(String name) throws ClassNotFoundException {
      String path = "/" + name.replace('.', '/') + ".class";
      try (InputStream in = RewriterTest.class.getResourceAsStream(path)) {
        return in.readAllBytes();
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  private static String run(boolean isProbed) throws Exception {
    Class<?> corpus = new Loader(isProbed).loadClass(Corpus.class.getName());
    return (String) ((Supplier<?>) corpus.getConstructor().newInstance()).get();
  }

  @BeforeEach
  void forget() {
    Recorder.reset();
  }

  @Test
  void nothingIsDifferentWithProbes() throws Exception {
    String plain = run(false);
    assertTrue(plain.length() > 5000);
    assertSame(plain, run(true));
    // Once more, with everything covered that has been reached.
    int[] all = Call.STRAY.hits().stream().mapToInt(hit -> hit.id).toArray();
    assertTrue(all.length > 300, "targets: " + all.length);
    Recorder.cover(all);
    assertSame(plain, run(true));
  }

  private static void assertSame(String plain, String probed) {
    String[] before = plain.split("\n");
    String[] after = probed.split("\n");
    for (int at = 0; at < Math.min(before.length, after.length); at++) {
      assertEquals(before[at], after[at]);
    }
    assertEquals(before.length, after.length);
  }

  @Test
  void everyTargetHasANameOfItsOwn() throws Exception {
    run(true);
    Set<List<Object>> names = new HashSet<>();
    for (int id = 0; Recorder.target(id) != null; id++) {
      Recorder.Target one = Recorder.target(id);
      assertTrue(names.add(List.of(one.file, one.line, one.kind, one.ordinal)), one.label);
    }
  }

  @Test
  void bothSidesOfWhatWasDecidedAreAboveNothing() throws Exception {
    run(true);
    List<Call.Hit> hits = Call.STRAY.hits();
    Set<Integer> ids = new HashSet<>();
    hits.forEach(hit -> ids.add(hit.id));
    for (Call.Hit hit : hits) {
      assertTrue(hit.value > 0 && hit.value <= 1);
      if (Recorder.target(hit.id).kind == Recorder.TRUE) {
        assertTrue(ids.contains(hit.id + 1), "the other side of " + hit.id);
      }
    }
  }

  @Test
  void linesAndFailuresAreTold() throws Exception {
    run(true);
    assertNotNull(Recorder.target(Call.STRAY.last - 1));
    List<Call.Failure> failures = Call.STRAY.failures();
    assertEquals(Call.MOST_FAILURES, failures.size());
    Call.Failure last = failures.get(failures.size() - 1);
    assertEquals("ArithmeticException", last.exception);
    assertEquals("/ by zero", last.message);
    assertEquals("fossick/probe/Corpus.java", last.file);
  }
}
