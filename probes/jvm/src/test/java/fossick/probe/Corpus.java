package fossick.probe;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Code of all sorts, to be run as it is and with probes in it. What it says in the end tells
 * whether anything was different: values, exceptions, and the order in which things happened.
 */
public final class Corpus implements Supplier<String> {
  enum Colour {
    RED,
    GREEN,
    BLUE
  }

  record Point(int x, int y) {
    Point {
      if (x < 0) {
        throw new IllegalArgumentException("left of everything: " + x);
      }
    }
  }

  sealed interface Shape permits Circle, Square {}

  record Circle(double radius) implements Shape {}

  record Square(double side) implements Shape {}

  interface Greeting {
    String name();

    default String greet() {
      return name().isEmpty() ? "nobody" : "hello " + name();
    }

    static Greeting of(String name) {
      return () -> name;
    }
  }

  private final List<String> said = new ArrayList<>();

  private <T> T say(String words, T value) {
    said.add(words);
    return value;
  }

  private void attempt(String name, Supplier<Object> work) {
    Object result;
    try {
      result = work.get();
    } catch (Throwable e) {
      result = e.getClass().getName() + ": " + e.getMessage();
    }
    said.add(name + " = " + result);
  }

  @Override
  public String get() {
    for (int n : new int[] {-1, 0, 1, 42, 1000, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      attempt("ints " + n, () -> ints(n));
      attempt("cases " + n, () -> cases(n));
      attempt("longs " + n, () -> longs(n, n * 3_000_000_000L));
    }
    double[] reals = {0, -0.0, 1.5, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE};
    for (double a : reals) {
      for (double b : reals) {
        attempt("reals " + a + " " + b, () -> reals(a, b) + reals((float) a, (float) b));
      }
    }
    for (String s : new String[] {null, "", "a", "Aa", "BB", "let-me-in", "7", "-12", "2024-02-29", "x7y", "\ud800"}) {
      attempt("texts " + s, () -> texts(s));
      attempt("switched " + s, () -> switched(s));
      attempt("parsed " + s, () -> parsed(s));
      attempt("collections " + s, () -> collections(s));
      attempt("patterns " + s, () -> patterns(s));
    }
    attempt("objects", this::objects);
    attempt("order", this::order);
    attempt("control", this::control);
    attempt("constructors", this::constructors);
    attempt("shapes", () -> shape(new Circle(2)) + shape(new Square(3)));
    attempt("locks", this::locks);
    attempt("trace", this::trace);
    return String.join("\n", said);
  }

  private static Object ints(int n) {
    StringBuilder out = new StringBuilder();
    if (n == 42) out.append("a");
    if (n != 42) out.append("b");
    if (n < 0 || n > 100 && n % 2 == 0) out.append("c");
    if (n <= 0 == n >= 0) out.append("d");
    boolean odd = (n & 1) == 1;
    out.append(odd ? "odd" : "even").append(!odd);
    for (int i = 0; i < Math.min(Math.max(n, 0), 5); i++) out.append(i);
    int left = n;
    do left /= 2; while (left > 0);
    byte small = (byte) n;
    char letter = (char) n;
    out.append(small == n).append(letter > small).append(left);
    return out.append(10 / n);
  }

  private static Object longs(int n, long m) {
    return "" + (n == m) + (n < m) + (m >= 0 ? m > n : m <= n) + (m == Long.MIN_VALUE) + (m * m > m);
  }

  private static String reals(double a, double b) {
    return "" + (a < b) + (a <= b) + (a > b) + (a >= b) + (a == b) + (a != b) + !(a < b);
  }

  private static String reals(float a, float b) {
    return "" + (a < b) + (a <= b) + (a > b) + (a >= b) + (a == b) + (a != b) + !(a > b);
  }

  private static Object cases(int n) {
    String word = switch (n) {
      case 0 -> "none";
      case 1, 2 -> "few";
      case 1000 -> "many";
      default -> n < 0 ? "less" : "some";
    };
    switch (Colour.values()[Math.abs(n % 3)]) {
      case RED: word += "r";
      case GREEN: word += "g"; break;
      default: word += "d";
    }
    return word;
  }

  private static Object switched(String s) {
    switch (s) {
      case "Aa": return 1;
      case "BB": return 2;
      case "let-me-in": return 3;
      case "": break;
      default: return switch (s.length()) { case 1 -> "short"; default -> "long"; };
    }
    return "empty";
  }

  private static Object texts(String s) {
    String t = "let-me-in";
    return "" + t.equals(s) + (s == t) + "Let-Me-In".equalsIgnoreCase(s) + s.startsWith("let")
        + s.endsWith("in") + s.contains("me") + s.isEmpty() + s.isBlank() + s.compareTo(t)
        + (s.compareTo(t) < 0 ? "before" : "after") + s.indexOf("-") + s.indexOf('x')
        + s.contentEquals(new StringBuilder("a")) + s.matches("[a-z]+") + (s.hashCode() == t.hashCode())
        + java.util.Objects.equals(s, t) + Arrays.toString(s.split("-"));
  }

  private static Object parsed(String s) {
    List<Object> all = new ArrayList<>();
    List<Function<String, Object>> ways = List.of(
        Integer::parseInt, x -> Integer.parseInt(x), x -> Integer.parseInt(x, 16), x -> Long.valueOf(x),
        x -> Double.parseDouble(x), x -> new BigDecimal(x), x -> Boolean.parseBoolean(x),
        x -> LocalDate.parse(x), x -> UUID.fromString(x), x -> Colour.valueOf(x), x -> java.net.URI.create(x),
        x -> new String(java.util.Base64.getDecoder().decode(x)));
    for (Function<String, Object> way : ways) {
      try {
        all.add(way.apply(s));
      } catch (RuntimeException e) {
        all.add(e.getClass().getSimpleName() + e.getMessage());
      }
    }
    return all;
  }

  private static Object collections(String s) {
    Map<String, Integer> map = new LinkedHashMap<>(Map.of("a", 1));
    map.put(null, 2);
    List<String> list = Arrays.asList("a", null, "b");
    Set<String> closed = Set.of("a", "7");
    Object found;
    try {
      found = closed.contains(s);
    } catch (NullPointerException e) {
      found = e.getMessage();
    }
    return "" + map.get(s) + map.getOrDefault(s, 5) + map.containsKey(s) + list.contains(s) + found
        + list.isEmpty() + list.containsAll(Collections.singleton(s)) + map.get("b");
  }

  private static Object patterns(String s) {
    Matcher matcher = Pattern.compile("([a-z]+)(\\d*)").matcher(s);
    String out = "" + matcher.lookingAt();
    while (matcher.find()) out += matcher.group();
    return out + matcher.reset().matches() + Pattern.matches("\\d+", s);
  }

  private Object objects() {
    Object number = 1000;
    Integer same = 1000;
    return "" + number.equals(same) + (number instanceof String) + new Point(1, 2).equals(new Point(1, 2))
        + new Point(1, 2) + (number instanceof Integer i && i > 5) + Colour.RED.equals(null)
        + Greeting.of("").greet() + Greeting.of("you").greet();
  }

  private Object order() {
    boolean both = say("first", 1) < say("second", 2L) && say("third", "x").equals(say("fourth", "y"));
    boolean either = say("fifth", true) || say("sixth", false);
    int[] cells = {1, 2, 3};
    int at = 0;
    cells[at++] = cells[at] += at++ * 10;
    Object none = null;
    try {
      said.add("" + say("seventh", "z").equals(none.toString()) + say("eighth", ""));
    } catch (NullPointerException e) {
      said.add(String.valueOf(e.getMessage()));
    }
    return both + " " + either + Arrays.toString(cells) + at;
  }

  private Object control() {
    StringBuilder out = new StringBuilder();
    outer:
    for (int i = 0; ; i++) {
      for (int j = 0; j < 3; j++) {
        if (j == 2) continue outer;
        if (i == 2) break outer;
        try {
          if (i == j) throw new IllegalStateException("" + i);
          out.append(i).append(j);
        } catch (IllegalStateException e) {
          out.append("!").append(e.getMessage());
        } finally {
          out.append(";");
        }
      }
    }
    try (AutoCloseable one = () -> out.append("closed"); AutoCloseable two = () -> { throw new Exception("two"); }) {
      out.append(one == two);
    } catch (Exception e) {
      out.append(e.getMessage()).append(e.getSuppressed().length);
    }
    out.append(IntStream.range(0, 20).filter(n -> n % 3 == 0).mapToObj(n -> "n" + n).collect(Collectors.joining()));
    return out;
  }

  static class Base {
    final String made;

    Base(String made) {
      this.made = made;
    }
  }

  class Inner extends Base {
    final int more;

    Inner(String s, boolean wants) {
      super(wants ? new StringBuilder(s).append(s == null ? "none" : s).toString() : say("super", s));
      more = wants ? made.length() : Integer.parseInt(s);
    }

    Inner(String s) {
      this(s, s.isEmpty());
    }
  }

  /** An object that is not finished yet while something is decided. */
  private static Base unfinished(String s) {
    return new Base(
        s.isEmpty()
            ? "nothing"
            : new StringBuilder(s.length() > 1 ? s : "short").toString());
  }

  private Object constructors() {
    said.add(unfinished("").made + unfinished("a").made + unfinished("abc").made);
    String out = new Inner("ab", true).made + new Inner("12").more + new Inner("").more;
    try {
      new Inner("x");
    } catch (NumberFormatException e) {
      out += e.getMessage();
    }
    try {
      new Point(-3, 1);
    } catch (IllegalArgumentException e) {
      out += e.getMessage();
    }
    return out;
  }

  private static String shape(Shape shape) {
    if (shape instanceof Circle circle) {
      return "circle " + circle.radius();
    }
    return shape instanceof Square square && square.side() > 1 ? "square" : "dot";
  }

  private synchronized Object locks() {
    Map<String, Integer> counts = new HashMap<>();
    synchronized (counts) {
      if (counts.isEmpty()) {
        counts.put("a", 1);
      }
      try {
        synchronized (said) {
          throw new IllegalStateException("inside");
        }
      } catch (IllegalStateException e) {
        counts.merge(e.getMessage(), 1, Integer::sum);
      }
    }
    return counts.size() + " " + Thread.holdsLock(counts) + Thread.holdsLock(said);
  }

  private Object trace() {
    try {
      return deep(3);
    } catch (ArithmeticException e) {
      StringBuilder out = new StringBuilder();
      for (StackTraceElement element : e.getStackTrace()) {
        if (element.getClassName().contains("Corpus")) {
          out.append(element.getMethodName()).append(element.getLineNumber()).append(' ');
        }
      }
      return out;
    }
  }

  private int deep(int n) {
    return n == 0 ? 1 / n : deep(n - 1) + 1;
  }
}
