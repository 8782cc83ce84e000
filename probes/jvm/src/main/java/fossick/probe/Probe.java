package fossick.probe;

/**
 * What rewritten code of the user's own calls. Nothing here throws, and nothing runs code of the
 * user's but the text of an exception.
 *
 * <p>A branch has two numbers, one after the other: its true side first. The condition that the
 * compiler jumps on is the opposite of what is in the source, so the true side is where it does not
 * jump.
 */
public final class Probe {
  // The conditions under which a jump is made, as the JVM numbers them.
  static final int IFEQ = 153;
  static final int IFNE = 154;
  static final int IFLT = 155;
  static final int IFGE = 156;
  static final int IFGT = 157;
  static final int IFLE = 158;

  private Probe() {}

  public static Track track() {
    return Track.current();
  }

  public static void line(Track track, int id) {
    Call call = track.call();
    call.last = id + 1;
    if (Recorder.quiet[id] == 0) {
      call.near(id, 1);
    }
  }

  /** A call is about to be made. */
  public static void entering(Track track, int id) {
    if (Recorder.quiet[id] == 0) {
      track.call().near(id, 0.5);
    }
  }

  public static void returned(Track track, int id) {
    if (Recorder.quiet[id] == 0) {
      track.call().near(id, 1);
    }
  }

  // Branches.

  public static void ints(int left, int right, Track track, int id, int jump) {
    if (Recorder.quiet[id] == 0) {
      Call call = decided(track, id, jump, Integer.compare(left, right), (double) left - right);
      if (call.mayObserve(id)) {
        numbers(call, id, jump, (long) left, (long) right);
      }
    }
  }

  /** Against nothing. */
  public static void zero(int value, Track track, int id, int jump) {
    ints(value, 0, track, id, jump);
  }

  public static void truth(int value, Track track, int id, int jump) {
    if (Recorder.quiet[id] == 0) {
      decided(track, id, jump, value, value);
    }
  }

  public static int longs(long left, long right, Track track, int id, int jump) {
    int result = Long.compare(left, right);
    if (Recorder.quiet[id] == 0) {
      Call call = decided(track, id, jump, result, Distance.minus(left, right));
      if (call.mayObserve(id)) {
        numbers(call, id, jump, left, right);
      }
    }
    return result;
  }

  /** `unordered` is what comes out where one is no number. */
  public static int floats(float left, float right, int unordered, Track track, int id, int jump) {
    return doubles(left, right, unordered, track, id, jump);
  }

  public static int doubles(
      double left, double right, int unordered, Track track, int id, int jump) {
    int result = left > right ? 1 : left < right ? -1 : left == right ? 0 : unordered;
    if (Recorder.quiet[id] == 0) {
      Call call = decided(track, id, jump, result, left - right);
      if (call.mayObserve(id)) {
        numbers(call, id, jump, left, right);
      }
    }
    return result;
  }

  public static void nothing(Object value, Track track, int id, int jump) {
    if (Recorder.quiet[id] == 0) {
      Call call = decided(track, id, jump, value == null ? 0 : 1, 1);
      if (value instanceof String && call.mayObserve(id)) {
        Observe.pair(call, id, Seen.EQUAL, value, null);
      }
    }
  }

  public static void same(Object left, Object right, Track track, int id, int jump) {
    if (Recorder.quiet[id] == 0) {
      Call call = decided(track, id, jump, left == right ? 0 : 1, Double.NaN);
      if (left != null && right != null && call.mayObserve(id)) {
        Observe.pair(call, id, Seen.EQUAL, left, right);
      }
    }
  }

  private static void numbers(Call call, int id, int jump, Object left, Object right) {
    int kind = jump == IFEQ || jump == IFNE ? Seen.EQUAL : Seen.ORDER;
    Observe.pair(call, id, kind, left, right);
  }

  /**
   * Both sides of a jump that is made if `result` compares with nothing in some way, where it is
   * the sign of the gap.
   */
  static Call decided(Track track, int id, int jump, int result, double gap) {
    Call call = track.call();
    double size = Double.isNaN(gap) ? 1 : Math.abs(gap);
    boolean isSloped = !Double.isNaN(gap);
    double beyond = isSloped ? size + 1 : 1;
    double onto = isSloped ? size : 1;
    boolean holds;
    double toTrue;
    double toFalse;
    switch (jump) {
      case IFNE:
        holds = result == 0;
        toTrue = onto;
        toFalse = 1;
        break;
      case IFEQ:
        holds = result != 0;
        toTrue = 1;
        toFalse = onto;
        break;
      case IFGE:
      case IFLE:
        // Less, or greater: to get there, equal is not enough.
        holds = jump == IFGE ? result < 0 : result > 0;
        toTrue = beyond;
        toFalse = onto;
        break;
      default:
        holds = jump == IFGT ? result <= 0 : result >= 0;
        toTrue = onto;
        toFalse = beyond;
        break;
    }
    if (!call.rests(holds ? id : id + 1)) {
      sides(call, id, holds, toTrue, toFalse);
    }
    return call;
  }

  static void sides(Call call, int id, boolean holds, double toTrue, double toFalse) {
    call.near(id, holds ? 1 : Distance.share(toTrue));
    call.near(id + 1, holds ? Distance.share(toFalse) : 1);
  }

  // Cases of a switch: a true and a false side each.

  public static void cases(int value, Track track, int id, int site) {
    if (Recorder.quiet[id] != 0) {
      return;
    }
    int[] keys = (int[]) Sites.at(site);
    Call call = track.call();
    if (call.rests(taken(keys, value, id))) {
      return;
    }
    for (int at = 0; at < keys.length; at++) {
      int one = id + 2 * at;
      sides(call, one, value == keys[at], Math.abs((double) value - keys[at]), 1);
      if (value != keys[at] && call.mayObserve(one)) {
        Observe.pair(call, one, Seen.EQUAL, (long) value, (long) keys[at]);
      }
    }
  }

  /** Of numbers that stand for something else: an enumeration, a type. */
  public static void mutely(int value, Track track, int id, int site) {
    if (Recorder.quiet[id] != 0) {
      return;
    }
    int[] keys = (int[]) Sites.at(site);
    Call call = track.call();
    if (call.rests(taken(keys, value, id))) {
      return;
    }
    for (int at = 0; at < keys.length; at++) {
      sides(call, id + 2 * at, value == keys[at], 1, 1);
    }
  }

  /** The side of the case that is taken; if it is none, the other side of the first. */
  private static int taken(int[] keys, int value, int id) {
    for (int at = 0; at < keys.length; at++) {
      if (keys[at] == value) {
        return id + 2 * at;
      }
    }
    return id + 1;
  }

  /** The constant of an enumeration that a switch looks at; the cases themselves are told after. */
  public static void constant(Object value, Track track, int id) {
    if (Recorder.quiet[id] != 0 || !(value instanceof Enum)) {
      return;
    }
    Call call = track.call();
    if (call.mayObserve(id)) {
      Class<?> kind = ((Enum<?>) value).getDeclaringClass();
      Observe.member(call, id, value, Watch.constants(kind));
    }
  }

  /** Of texts, whose hash codes the compiled code looks at. */
  public static void texts(Object value, Track track, int id, int site) {
    if (Recorder.quiet[id] != 0 || !(value instanceof String)) {
      return;
    }
    String[] keys = (String[]) Sites.at(site);
    String text = (String) value;
    Call call = track.call();
    for (int at = 0; at < keys.length; at++) {
      int one = id + 2 * at;
      boolean holds = text.equals(keys[at]);
      sides(call, one, holds, Distance.texts(text, keys[at]), 1);
      if (!holds && call.mayObserve(one)) {
        Observe.pair(call, one, Seen.EQUAL, text, keys[at]);
      }
    }
  }

  /** An exception leaves a method. */
  public static void left(Throwable error) {
    try {
      if (Recorder.isOn()) {
        Failures.left(error, Track.current().call());
      }
    } catch (Throwable e) {
      Log.note("an exception could not be told", e);
    }
  }
}
