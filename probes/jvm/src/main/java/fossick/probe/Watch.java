package fossick.probe;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Calls of methods that compare, parse or look up. Rewritten code shows the operands before it makes
 * such a call and the result after it; the call itself stays as it was.
 *
 * <p>Places that are no targets have a number below -1 here.
 */
public final class Watch {
  /** The patterns of formatters for dates, which do not tell them. */
  private static final Map<Object, String> PATTERNS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private Watch() {}

  // Before a call.

  public static void one(Object operand, Track track) {
    track.left = operand;
    track.right = operand;
  }

  public static void two(Object left, Object right, Track track) {
    track.left = left;
    track.right = right;
  }

  public static void two(Object left, int right, Track track) {
    track.left = left;
    track.right = right;
  }

  public static void two(int left, int right, Track track) {
    track.left = left;
    track.right = right;
  }

  /** A text is about to be parsed. Whether that works is known when the call comes back. */
  public static void parsing(Track track, int id, int number) {
    track.attempt = null;
    if (Recorder.quiet[id] != 0) {
      return;
    }
    Kind kind = Kind.of(number);
    Call call = track.call();
    String text = parsedText(track);
    boolean isNumber = kind == Kind.INTEGER || kind == Kind.REAL || kind == Kind.DECIMAL;
    call.near(id, isNumber ? 0.1 + 0.9 * Distance.share(Distance.toNumber(text)) : 0.5);
    if (text != null && call.mayObserve(id)) {
      track.attempt = Observe.parsed(id, text, kind.as, format(track), false);
      if (track.attempt != null) {
        call.observe(track.attempt);
      }
    }
  }

  /** The text is the last operand, or the first of a text and its format. */
  private static String parsedText(Track track) {
    String text = Observe.plain(track.left);
    if (text != null) {
      return text;
    }
    Object right = track.right;
    if (right instanceof byte[]) {
      return new String((byte[]) right, java.nio.charset.StandardCharsets.ISO_8859_1);
    }
    return Observe.plain(right);
  }

  private static String format(Track track) {
    Object holder = track.right instanceof String ? track.left : track.right;
    if (holder instanceof java.text.SimpleDateFormat
        && holder.getClass() == java.text.SimpleDateFormat.class) {
      return Moments.notation(((java.text.SimpleDateFormat) holder).toPattern());
    }
    if (holder instanceof java.time.format.DateTimeFormatter) {
      String pattern = PATTERNS.get(holder);
      return pattern == null ? "" : Moments.notation(pattern);
    }
    return "";
  }

  // After it.

  /** It has parsed. */
  public static void worked(Track track, int id, int number) {
    try {
      tellParsed(track, id, Kind.of(number));
    } catch (Throwable e) {
      Log.note("a parsed text could not be told", e);
    } finally {
      track.left = null;
      track.right = null;
    }
  }

  /** It has parsed, unless it gave nothing. */
  public static void made(Object result, Track track, int id, int number) {
    if (result != null) {
      worked(track, id, number);
    }
  }

  private static void tellParsed(Track track, int id, Kind kind) {
    if (Recorder.quiet[id] != 0) {
      return;
    }
    Call call = track.call();
    call.near(id, 1);
    if (track.attempt != null) {
      Seen right =
          Observe.parsed(id, parsedText(track), kind.as, format(track), true);
      call.correct(track.attempt, right);
      track.attempt = null;
    }
  }

  /** It has answered yes or no, and perhaps a jump follows that goes by it. */
  public static void decided(boolean result, Track track, int id, int jump, int number) {
    Object left = track.left;
    Object right = track.right;
    track.left = null;
    track.right = null;
    if (Recorder.quiet[id] != 0) {
      return;
    }
    try {
      Call call = track.call();
      Kind kind = Kind.of(number);
      boolean isUpright = jump == Probe.IFEQ;
      if (call.rests(result == isUpright ? id : id + 1)) {
        return;
      }
      double distance = distance(kind, left, right, result);
      double toYes = result ? 1 : distance;
      double toNo = result ? distance : 1;
      Probe.sides(call, id, result == isUpright, isUpright ? toYes : toNo, isUpright ? toNo : toYes);
      if (call.mayObserve(id)) {
        tell(call, id, kind, left, right, result, track);
      }
    } catch (Throwable e) {
      Log.note("a comparison could not be told", e);
    }
  }

  /** From the answer that was given to the other. */
  private static double distance(Kind kind, Object left, Object right, boolean result) {
    if (kind == Kind.BEFORE || kind == Kind.AFTER) {
      double gap = Distance.gap(left, right);
      return Double.isNaN(gap) ? 1 : Math.abs(gap) + (result ? 0 : 1);
    }
    if (kind == Kind.EMPTY) {
      return result ? 1 : Math.max(1, size(left));
    }
    if (result) {
      return 1;
    }
    String text = Observe.plain(left);
    String other = Observe.plain(right);
    if (kind == Kind.MEMBER || kind == Kind.HAS_KEY) {
      return nearestMember(left, right);
    }
    if (kind == Kind.EQUAL) {
      return text != null && other != null
          ? Distance.texts(text, other)
          : Parts.distance(left, right);
    }
    if (text == null || other == null) {
      return 1;
    }
    switch (kind) {
      case SAME:
        return Distance.texts(text.toLowerCase(Locale.ROOT), other.toLowerCase(Locale.ROOT));
      case PREFIX:
        return Distance.prefix(text, other);
      case SUFFIX:
        return Distance.suffix(text, other);
      case CONTAINS:
        return Distance.contains(text, other);
      default:
        return 1;
    }
  }

  private static double size(Object value) {
    if (value instanceof CharSequence && value.getClass().getClassLoader() == null) {
      return ((CharSequence) value).length();
    }
    return value instanceof Collection && Observe.isOfTheJdk(value)
        ? ((Collection<?>) value).size()
        : 1;
  }

  private static double nearestMember(Object holder, Object value) {
    double best = Double.MAX_VALUE;
    for (Object member : Observe.members(holder)) {
      best = Math.min(best, Distance.equal(value, member));
    }
    return best == Double.MAX_VALUE ? 1 : best;
  }

  private static void tell(
      Call call, int id, Kind kind, Object left, Object right, boolean result, Track track) {
    String text = Observe.plain(left);
    String other = Observe.plain(right);
    switch (kind) {
      case EQUAL:
        if (!Parts.tell(call, id, left, right)) {
          Observe.pair(call, id, Seen.EQUAL, left, right);
        }
        break;
      case BEFORE:
      case AFTER:
        Observe.pair(call, id, Seen.ORDER, left, right);
        break;
      case SAME:
        Observe.parts(call, id, Seen.SAME, text, other);
        break;
      case TRUTH:
        Observe.parts(call, id, Seen.SAME, text, "true");
        break;
      case PREFIX:
        Observe.parts(call, id, Seen.PREFIX, text, other);
        break;
      case SUFFIX:
        Observe.parts(call, id, Seen.SUFFIX, text, other);
        break;
      case CONTAINS:
        Observe.parts(call, id, Seen.CONTAINS, text, other);
        break;
      case EMPTY:
        if (text != null) {
          Observe.pair(call, id, Seen.EQUAL, text, "");
        }
        break;
      case MEMBER:
        Observe.member(call, id, right, Observe.members(left));
        break;
      case HAS_KEY:
        Observe.member(call, id, right, Observe.members(left));
        Reads.fromMap(call, id, left, right, result);
        break;
      case HAS_ALL:
        tellPairs(call, id, left, right);
        break;
      case HAS_FIELD:
        Reads.field(call, id, left, right, result);
        break;
      default:
        tellPattern(call, id, kind, left, right, track);
        break;
    }
  }

  /** What is in one, and what the other wants to be in it. */
  private static void tellPairs(Call call, int id, Object left, Object right) {
    List<Object> there = Observe.members(left);
    List<Object> wanted = Observe.members(right);
    wanted.removeAll(there);
    there.removeAll(Observe.members(right));
    int count = Math.min(16, Math.min(there.size(), wanted.size()));
    for (int at = 0; at < count; at++) {
      Observe.pair(call, id, Seen.EQUAL, there.get(at), wanted.get(at));
    }
  }

  private static void tellPattern(
      Call call, int id, Kind kind, Object left, Object right, Track track) {
    switch (kind) {
      case TEXT_MATCHES:
        pattern(call, id, Observe.plain(left), right, 0, Seen.WHOLE);
        break;
      case PATTERN_MATCHES:
        pattern(call, id, Observe.plain(right), left, 0, Seen.WHOLE);
        break;
      case MATCHER_WHOLE:
      case MATCHER_START:
      case MATCHER_FIND:
        if (left instanceof Matcher) {
          Pattern pattern = ((Matcher) left).pattern();
          int how =
              kind == Kind.MATCHER_WHOLE
                  ? Seen.WHOLE
                  : kind == Kind.MATCHER_START ? Seen.FROM_START : Seen.ANYWHERE;
          pattern(call, id, track.textOf(left), pattern.pattern(), pattern.flags(), how);
        }
        break;
      case REGEX_WHOLE:
      case REGEX_ANYWHERE:
        int how = kind == Kind.REGEX_WHOLE ? Seen.WHOLE : Seen.ANYWHERE;
        pattern(call, id, Observe.plain(right), Reads.text(left), 0, how);
        break;
      default:
        break;
    }
  }

  private static void pattern(
      Call call, int id, String text, Object pattern, int flags, int how) {
    if (pattern instanceof String) {
      Observe.pattern(call, id, text, (String) pattern, flags, how);
    }
  }

  /** It has answered with the sign of a difference, and perhaps a jump follows that goes by it. */
  public static void ordered(int result, Track track, int id, int jump, int number) {
    Object left = track.left;
    Object right = track.right;
    track.left = null;
    track.right = null;
    if (id >= 0 && Recorder.quiet[id] != 0) {
      return;
    }
    try {
      Call call = track.call();
      Kind kind = Kind.of(number);
      if (id >= 0) {
        decideOrder(call, track, id, jump, result, gap(kind, left, right, jump, result));
      }
      if (call.mayObserve(id)) {
        tellOrder(call, Math.max(id, -1), kind, left, right, jump);
      }
    } catch (Throwable e) {
      Log.note("a comparison could not be told", e);
    }
  }

  private static void decideOrder(
      Call call, Track track, int id, int jump, int result, double gap) {
    Probe.decided(track, id, jump, result, gap);
  }

  private static double gap(Kind kind, Object left, Object right, int jump, int result) {
    String text = Observe.plain(left);
    String other = Observe.plain(right);
    if (text == null || other == null) {
      return kind == Kind.INDEX ? Double.NaN : Distance.gap(left, right);
    }
    if (kind == Kind.INDEX) {
      // Not found is -1: how far from being found.
      return result < 0 ? Distance.contains(text, other) : Double.NaN;
    }
    boolean isEquality = jump == Probe.IFEQ || jump == Probe.IFNE;
    return isEquality ? Distance.texts(text, other) : result;
  }

  private static void tellOrder(
      Call call, int id, Kind kind, Object left, Object right, int jump) {
    if (kind == Kind.INDEX) {
      String part = right instanceof Integer ? letter((Integer) right) : Observe.plain(right);
      Observe.parts(call, id, Seen.CONTAINS, Observe.plain(left), part);
      return;
    }
    boolean isEquality = id >= 0 && (jump == Probe.IFEQ || jump == Probe.IFNE);
    if (kind == Kind.COMPARE_SAME && isEquality) {
      Observe.parts(call, id, Seen.SAME, Observe.plain(left), Observe.plain(right));
    } else {
      Observe.pair(call, id, isEquality ? Seen.EQUAL : Seen.ORDER, left, right);
    }
  }

  private static String letter(int code) {
    return Character.isValidCodePoint(code) ? new String(Character.toChars(code)) : null;
  }

  /** It has looked something up, or made something. */
  public static void given(Object result, Track track, int id, int number) {
    Object left = track.left;
    Object right = track.right;
    track.left = null;
    track.right = null;
    try {
      Kind kind = Kind.of(number);
      if (kind == Kind.MATCHER) {
        track.rememberMatcher(result, Observe.plain(right));
        return;
      }
      if (kind == Kind.FORMATTER) {
        if (left instanceof String && result != null) {
          PATTERNS.put(result, (String) left);
        }
        return;
      }
      Call call = track.call();
      if (Recorder.isOn() && call.mayObserve(id)) {
        tellGiven(call, kind, left, right, result);
      }
    } catch (Throwable e) {
      Log.note("a look-up could not be told", e);
    }
  }

  private static void tellGiven(Call call, Kind kind, Object left, Object right, Object result) {
    boolean found = result != null;
    switch (kind) {
      case GET:
        Observe.member(call, -1, right, Observe.members(left));
        break;
      case SPLIT:
        Observe.parts(call, -1, Seen.CONTAINS, Observe.plain(left), literal(right));
        break;
      case GET_NAMED:
        Reads.fromMap(call, -1, left, right, found);
        break;
      case FIELD:
        Reads.field(call, -1, left, right, found && !Reads.isMissing(result));
        break;
      case HEADER:
        Reads.request(call, Seen.HEADER, left, right, found);
        break;
      case PARAMETER:
        Reads.request(call, Reads.isInQuery(call, right) ? Seen.QUERY : Reads.parameter(left), left, right, found);
        break;
      case QUERY:
        Reads.request(call, Seen.QUERY, left, right, found);
        break;
      case COOKIE:
        Reads.request(call, Seen.COOKIE, left, right, found);
        break;
      case FORM:
        Reads.request(call, Seen.FORM, left, right, found);
        break;
      case REGEX_MATCH:
        pattern(call, -1, Observe.plain(right), Reads.text(left), 0, Seen.WHOLE);
        break;
      default:
        break;
    }
  }

  /** A name is about to be looked up in an enumeration, which throws what it does not find. */
  public static void naming(Track track, int id) {
    Object kind = track.left;
    Object name = track.right;
    if (Recorder.isOn() && kind instanceof Class && name instanceof String) {
      Call call = track.call();
      if (call.mayObserve(id)) {
        Observe.member(call, -1, name, constants((Class<?>) kind));
      }
    }
  }

  /** What a pattern stands for that is a text with some escapes. */
  private static String literal(Object pattern) {
    if (!(pattern instanceof String)) {
      return null;
    }
    String text = ((String) pattern).replaceAll("\\\\(\\p{Punct})", "$1");
    boolean isPlain = text.length() <= 2 && !text.equals("\\s");
    return isPlain ? text : null;
  }

  static List<Object> constants(Class<?> kind) {
    Object[] all = kind.getEnumConstants();
    List<Object> names = new ArrayList<>();
    for (Object constant : all == null ? new Object[0] : all) {
      names.add(((Enum<?>) constant).name());
    }
    return names;
  }

}
