package fossick.probe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All targets and calls of this process. */
final class Recorder {
  static final int LINE = 0;
  static final int TRUE = 1;
  static final int FALSE = 2;
  static final int CALL = 3;
  static final int METHOD = 4;
  static final int EXCEPTION = 5;

  private static final int MOST_CALLS = 4096;
  private static final int MOST_STATEMENTS = 10_000;
  private static final int AT_ONCE = 2000;

  /**
   * By target: whether it need not be measured. Targets that are decided together (both sides of a
   * branch) become quiet together. Written under the lock; whoever reads an old one measures in
   * vain, no more.
   */
  static byte[] quiet = new byte[1 << 12];

  private static boolean isOn = true;
  private static byte[] covered = new byte[1 << 12];

  /** By target: the first of those that it is decided with, and how many they are. */
  private static int[] groups = new int[1 << 12];

  private static int[] sizes = new int[1 << 12];
  private static final List<Target> TARGETS = new ArrayList<>();
  private static final Map<Target, Integer> IDS = new HashMap<>();
  private static final Map<Long, Call> CALLS = new LinkedHashMap<>();
  private static List<byte[]> statements = new ArrayList<>();
  private static int told;

  private Recorder() {}

  /** A place that is worth reaching. */
  static final class Target {
    final String file;
    final int line;
    final int kind;
    final int ordinal;
    final String label;

    Target(String file, int line, int kind, int ordinal, String label) {
      this.file = file;
      this.line = line;
      this.kind = kind;
      this.ordinal = ordinal;
      this.label = label;
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof Target)) {
        return false;
      }
      Target that = (Target) other;
      return line == that.line
          && kind == that.kind
          && ordinal == that.ordinal
          && file.equals(that.file);
    }

    @Override
    public int hashCode() {
      return ((file.hashCode() * 31 + line) * 31 + kind) * 31 + ordinal;
    }
  }

  // Targets.

  /**
   * Numbers for targets that are decided together, one after the other; gives the first. The same
   * code loaded twice has the same. -1 where some are known and others not: another version of the
   * same class.
   */
  static synchronized int register(Target... group) {
    Integer known = IDS.get(group[0]);
    if (known != null) {
      boolean isSame = sizes[known] == group.length && groups[known] == known;
      for (int at = 0; isSame && at < group.length; at++) {
        isSame = TARGETS.get(known + at).equals(group[at]);
      }
      return isSame ? known : -1;
    }
    for (Target target : group) {
      if (IDS.containsKey(target)) {
        return -1;
      }
    }
    int first = TARGETS.size();
    grow(first + group.length);
    for (Target target : group) {
      int id = TARGETS.size();
      IDS.put(target, id);
      TARGETS.add(target);
      groups[id] = first;
      sizes[id] = group.length;
      quiet[id] = (byte) (isOn ? 0 : 1);
    }
    return first;
  }

  private static void grow(int room) {
    int length = quiet.length;
    if (room <= length) {
      return;
    }
    while (length < room) {
      length *= 2;
    }
    covered = Arrays.copyOf(covered, length);
    groups = Arrays.copyOf(groups, length);
    sizes = Arrays.copyOf(sizes, length);
    quiet = Arrays.copyOf(quiet, length);
  }

  static synchronized Target target(int id) {
    return id >= 0 && id < TARGETS.size() ? TARGETS.get(id) : null;
  }

  // Calls.

  static synchronized Call begin(long number) {
    Call call = new Call(number);
    if (number == 0) {
      return Call.STRAY;
    }
    drop(number);
    if (CALLS.size() >= MOST_CALLS) {
      Iterator<Call> all = CALLS.values().iterator();
      all.next().isOver = true;
      all.remove();
    }
    CALLS.put(number, call);
    return call;
  }

  /** The call that is in progress under a number; a request may come back on another thread. */
  static synchronized Call join(long number) {
    Call call = CALLS.get(number);
    return call != null ? call : begin(number);
  }

  private static void drop(long number) {
    Call dropped = CALLS.remove(number);
    if (dropped != null) {
      dropped.isOver = true;
    }
  }

  static synchronized boolean isAtWorkOn(long number) {
    Call call = CALLS.get(number);
    return call != null && call.active.get() > 0;
  }

  /** What a call reached, as a frame. */
  static synchronized byte[] end(long number) {
    if (number == 0) {
      byte[] delta = delta(0, Call.STRAY);
      Call.STRAY.clear();
      return delta;
    }
    Call call = CALLS.remove(number);
    if (call == null) {
      return delta(number, new Call(number));
    }
    call.isOver = true;
    return delta(number, call);
  }

  private static byte[] delta(long number, Call call) {
    List<Call.Hit> hits = call.hits();
    hits.removeIf(hit -> covered[hit.id] != 0);
    Target last = target(call.last - 1);
    String file = last == null ? null : last.file;
    int line = last == null ? 0 : last.line;
    return Wire.delta(number, hits, file, line, call.failures(), call.observations(), false);
  }

  // What need not be measured.

  static synchronized void cover(int[] ids) {
    for (int id : ids) {
      if (id >= 0 && id < TARGETS.size()) {
        covered[id] = 1;
      }
    }
    if (!isOn) {
      return;
    }
    for (int id : ids) {
      if (id >= 0 && id < TARGETS.size()) {
        hush(groups[id], sizes[id]);
      }
    }
  }

  private static void hush(int first, int count) {
    for (int id = first; id < first + count; id++) {
      if (covered[id] == 0) {
        return;
      }
    }
    Arrays.fill(quiet, first, first + count, (byte) 1);
  }

  static synchronized void reset() {
    for (Call call : CALLS.values()) {
      call.isOver = true;
    }
    CALLS.clear();
    Call.STRAY.clear();
    statements.clear();
    Arrays.fill(covered, (byte) 0);
    if (isOn) {
      Arrays.fill(quiet, (byte) 0);
    }
  }

  /** Nobody listens any more. */
  static synchronized void stop() {
    isOn = false;
    reset();
    Arrays.fill(quiet, (byte) 1);
  }

  static boolean isOn() {
    return isOn;
  }

  // What the tool has not been told.

  static synchronized List<byte[]> news() {
    List<byte[]> frames = new ArrayList<>();
    while (told < TARGETS.size()) {
      int to = Math.min(told + AT_ONCE, TARGETS.size());
      frames.add(Wire.register(told, TARGETS.subList(told, to)));
      told = to;
    }
    frames.addAll(statements);
    statements = new ArrayList<>();
    return frames;
  }

  static synchronized void statement(byte[] frame) {
    if (isOn && statements.size() < MOST_STATEMENTS) {
      statements.add(frame);
    }
  }
}
