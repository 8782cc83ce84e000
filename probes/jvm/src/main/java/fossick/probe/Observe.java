package fossick.probe;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** What was compared, put so that it can be sent. */
final class Observe {
  private static final int LONGEST = 1024;
  private static final int MOST_CANDIDATES = 64;
  private static final int MOST_BESIDE = 32;

  private Observe() {}

  /** Whether a text may be sent. */
  static boolean isShort(String text) {
    if (text == null || text.length() > LONGEST) {
      return false;
    }
    for (int at = 0; at < text.length(); at++) {
      if (text.charAt(at) >= 0x80) {
        return Wire.isClean(text) && Wire.encoded(text).length <= LONGEST;
      }
    }
    return true;
  }

  /** A text of a class of the JDK's, else nothing. */
  static String plain(Object value) {
    if (value instanceof String) {
      return (String) value;
    }
    boolean isText = value instanceof StringBuilder || value instanceof StringBuffer;
    return isText ? value.toString() : null;
  }

  /** Writes a value; false if it is none that can be sent. */
  static boolean scalar(Wire.Writer out, Object value) {
    if (value == null) {
      out.bytes(4);
      return true;
    }
    Class<?> kind = value.getClass();
    if (kind == Integer.class || kind == Long.class || kind == Short.class || kind == Byte.class) {
      out.bytes(1).signed(((Number) value).longValue());
      return true;
    }
    if (kind == Double.class || kind == Float.class) {
      out.bytes(2).real(((Number) value).doubleValue());
      return true;
    }
    if (kind == Boolean.class) {
      out.bytes(3).bytes((Boolean) value ? 1 : 0);
      return true;
    }
    if (kind == BigInteger.class && ((BigInteger) value).bitLength() < 64) {
      out.bytes(1).signed(((BigInteger) value).longValue());
      return true;
    }
    if (kind == BigDecimal.class) {
      return decimal(out, (BigDecimal) value);
    }
    if (kind == java.time.DayOfWeek.class) {
      // As the tool counts them: Monday is 0.
      out.bytes(1).signed(((java.time.DayOfWeek) value).ordinal());
      return true;
    }
    if (kind == java.time.Month.class) {
      out.bytes(1).signed(((java.time.Month) value).getValue());
      return true;
    }
    String text = text(kind, value);
    if (text != null) {
      return isShort(text) && out.bytes(0).text(text) != null;
    }
    String moment = Moments.text(value);
    if (moment != null) {
      out.bytes(5).text(moment);
    }
    return moment != null;
  }

  private static boolean decimal(Wire.Writer out, BigDecimal value) {
    boolean isWhole = value.scale() <= 0 && value.precision() - value.scale() < 18;
    if (isWhole) {
      out.bytes(1).signed(value.longValue());
    } else {
      out.bytes(2).real(value.doubleValue());
    }
    return true;
  }

  /** What stands for a value as a text. */
  private static String text(Class<?> kind, Object value) {
    if (kind == Character.class || kind == java.util.UUID.class || kind == java.net.URI.class) {
      return value.toString();
    }
    if (value instanceof Enum) {
      return ((Enum<?>) value).name();
    }
    return plain(value);
  }

  private static Wire.Writer begun(int target, int kind) {
    return new Wire.Writer().number(target + 1).bytes(kind);
  }

  /** EQUAL or ORDER; a target of -1 is none. */
  static void pair(Call call, int target, int kind, Object left, Object right) {
    Wire.Writer out = begun(target, kind);
    if (scalar(out, left) && scalar(out, right)) {
      call.observe(new Seen(out.taken()));
    }
  }

  /** PREFIX, SUFFIX, CONTAINS or SAME. */
  static void parts(Call call, int target, int kind, String whole, String part) {
    if (isShort(whole) && isShort(part)) {
      call.observe(new Seen(begun(target, kind).text(whole).text(part).taken()));
    }
  }

  static void member(Call call, int target, Object value, List<?> candidates) {
    Wire.Writer out = begun(target, Seen.MEMBER);
    if (!scalar(out, value)) {
      return;
    }
    int count = 0;
    Wire.Writer some = new Wire.Writer();
    for (Object candidate : candidates) {
      Wire.Writer one = new Wire.Writer();
      if (candidate != null && scalar(one, candidate)) {
        some.bytes(one.taken());
        if (++count == MOST_CANDIDATES) {
          break;
        }
      }
    }
    if (count > 0) {
      call.observe(new Seen(out.number(count).bytes(some.taken()).taken()));
    }
  }

  static void pattern(Call call, int target, String text, String pattern, int flags, int how) {
    if (!isShort(text) || !isShort(pattern)) {
      return;
    }
    String words = "";
    words += (flags & java.util.regex.Pattern.CASE_INSENSITIVE) != 0 ? "i" : "";
    words += (flags & java.util.regex.Pattern.MULTILINE) != 0 ? "m" : "";
    words += (flags & java.util.regex.Pattern.DOTALL) != 0 ? "s" : "";
    words += (flags & java.util.regex.Pattern.COMMENTS) != 0 ? "x" : "";
    Wire.Writer out = begun(target, Seen.PATTERN).text(text).text(pattern).text(words).bytes(how);
    call.observe(new Seen(out.taken()));
  }

  /** Something was parsed; null if the text is too long to be told. */
  static Seen parsed(int target, String text, String as, String format, boolean worked) {
    if (!isShort(text)) {
      return null;
    }
    Wire.Writer out = begun(target, Seen.PARSE).text(text).text(as).text(format);
    return new Seen(out.bytes(worked ? 1 : 0).taken());
  }

  static void read(
      Call call, int target, int from, String name, boolean found, Collection<String> beside) {
    if (!isShort(name)) {
      return;
    }
    List<String> others = new ArrayList<>();
    for (String other : beside) {
      if (others.size() < MOST_BESIDE && isShort(other) && !other.equals(name)) {
        others.add(other);
      }
    }
    Wire.Writer out = begun(target, Seen.READ).bytes(from).text(name).bytes(found ? 1 : 0);
    call.observe(new Seen(out.texts(others).taken()));
  }

  /** Whether looking at the members of a collection runs code of the JDK's only. */
  static boolean isOfTheJdk(Object value) {
    return value != null
        && value.getClass().getClassLoader() == null
        && value.getClass().getName().startsWith("java.util.");
  }

  /** The first members, of a set in an order that does not change from run to run. */
  static List<Object> members(Object holder) {
    Object all = holder instanceof Map && isOfTheJdk(holder) ? ((Map<?, ?>) holder).keySet() : holder;
    List<Object> members = new ArrayList<>();
    if (!(all instanceof Collection) || !isOfTheJdk(all)) {
      return members;
    }
    try {
      for (Object member : (Collection<?>) all) {
        members.add(member);
        if (members.size() == 4 * MOST_CANDIDATES) {
          break;
        }
      }
    } catch (RuntimeException e) {
      // Somebody else is changing it.
      return members;
    }
    return all instanceof List ? members : inOrder(members);
  }

  private static List<Object> inOrder(List<Object> members) {
    TreeSet<String> texts = new TreeSet<>();
    for (Object member : members) {
      if (!(member instanceof String)) {
        return members;
      }
      texts.add((String) member);
    }
    return new ArrayList<>(texts);
  }
}
