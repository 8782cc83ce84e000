package fossick.probe;

/**
 * What a thread works on. Each method of the user's own asks for it once and keeps it in a variable,
 * so that a line costs no look-up.
 */
public final class Track {
  private static final InheritableThreadLocal<Track> CURRENT =
      new InheritableThreadLocal<Track>() {
        @Override
        protected Track initialValue() {
          return new Track(Call.STRAY);
        }

        @Override
        protected Track childValue(Track parent) {
          return new Track(parent.call());
        }
      };

  private Call call;

  // What a method that compares was given, between the call and its return.
  Object left;
  Object right;

  /** What was told of an attempt to parse, as long as nobody knows whether it works. */
  Seen attempt;

  // Texts that were handed to a matcher, the latest ones.
  private final Object[] matchers = new Object[4];
  private final String[] texts = new String[4];
  private int nextMatcher;

  // The calls further out, while something else is worked on.
  private Call[] outer = new Call[8];
  private int depth;

  private Track(Call call) {
    this.call = call;
  }

  static Track current() {
    return CURRENT.get();
  }

  Call call() {
    Call call = this.call;
    return call.isOver ? Call.STRAY : call;
  }

  /** Works on a call until `leave`. */
  void enter(Call entered) {
    if (depth == outer.length) {
      outer = java.util.Arrays.copyOf(outer, depth * 2);
    }
    outer[depth++] = call;
    call = entered;
    if (entered != Call.STRAY) {
      entered.active.incrementAndGet();
    }
  }

  void leave() {
    if (depth == 0) {
      return;
    }
    if (call != Call.STRAY) {
      call.active.decrementAndGet();
    }
    call = outer[--depth];
    outer[depth] = null;
  }

  /** A thread that waits for work has nothing to do with the call in which it was made. */
  void rest() {
    if (depth == 0) {
      call = Call.STRAY;
    }
  }

  void rememberMatcher(Object matcher, String text) {
    matchers[nextMatcher] = matcher;
    texts[nextMatcher] = text;
    nextMatcher = (nextMatcher + 1) & 3;
  }

  String textOf(Object matcher) {
    for (int at = 0; at < matchers.length; at++) {
      if (matchers[at] == matcher) {
        return texts[at];
      }
    }
    return null;
  }
}
