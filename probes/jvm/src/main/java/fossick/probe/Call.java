package fossick.probe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** What one call has reached so far. Several threads may work on it at once. */
final class Call {
  static final int MOST_OBSERVATIONS = 512;
  static final int MOST_FAILURES = 8;

  /** All observations of a call together, so that an answer fits into its frame. */
  private static final int MOST_BYTES = 1 << 20;

  /** Of one target in one call: what a loop compares is seen after a few turns. */
  private static final int MOST_ALIKE = 8;

  /** How many turns of a loop are measured, and which of those after. */
  private static final int ALL_TURNS = 256;

  private static final int SOME_TURNS = 64;

  /** What belongs to no call. */
  static final Call STRAY = new Call(0);

  final long number;

  /** How many threads are at work on it. */
  final AtomicInteger active = new AtomicInteger();

  /** What comes after its end counts as belonging to no call. */
  volatile boolean isOver;

  /** The line that ran last, one more than its number; 0 is none. */
  int last;

  /** The text behind the question mark of its request, where that is known. */
  volatile String query;

  private Table table = new Table(64);
  private final Map<Seen, Seen> observations = new LinkedHashMap<>();
  private int bytes;
  private final List<Failure> failures = new ArrayList<>();

  Call(long number) {
    this.number = number;
  }

  /** Keeps the best value of a target. */
  void near(int id, double value) {
    // Mostly it is known and no better; to look takes no lock.
    Table seen = table;
    int at = seen.find(id);
    if (at >= 0 && seen.best[at] >= value) {
      return;
    }
    synchronized (this) {
      Table table = roomy();
      int place = table.place(id);
      if (table.best[place] < value) {
        table.best[place] = value;
      }
    }
  }

  /**
   * Whether a side that is decided for again and again need not be measured this time. In a loop
   * the first turns are measured, and after that one now and then. Threads may count at once: what
   * is lost is only a turn.
   */
  boolean rests(int side) {
    Table seen = table;
    int at = seen.find(side);
    if (at < 0) {
      return false;
    }
    int turns = seen.turns[at]++;
    return turns > ALL_TURNS && turns % SOME_TURNS != 0;
  }

  /** Whether more of a target may be told; counts what is told. */
  boolean mayObserve(int id) {
    if (observations.size() >= MOST_OBSERVATIONS) {
      return false;
    }
    Table seen = table;
    int there = seen.find(id);
    if (there >= 0 && seen.told[there] >= MOST_ALIKE) {
      return false;
    }
    synchronized (this) {
      Table table = roomy();
      int place = table.place(id);
      if (table.told[place] >= MOST_ALIKE) {
        return false;
      }
      table.told[place]++;
      return true;
    }
  }

  private Table roomy() {
    if (table.isFull()) {
      table = table.grown();
    }
    return table;
  }

  synchronized void observe(Seen seen) {
    if (observations.size() < MOST_OBSERVATIONS && bytes + seen.bytes.length <= MOST_BYTES) {
      if (observations.put(seen, seen) == null) {
        bytes += seen.bytes.length;
      }
    }
  }

  /** Puts one observation in the place of another that has turned out otherwise. */
  synchronized void correct(Seen wrong, Seen right) {
    if (observations.remove(wrong) != null) {
      bytes -= wrong.bytes.length;
    }
    observe(right);
  }

  synchronized void fail(Failure failure) {
    if (failures.size() >= 2 * MOST_FAILURES) {
      failures.subList(0, MOST_FAILURES).clear();
    }
    failures.add(failure);
  }

  synchronized boolean knows(Throwable error) {
    for (Failure failure : failures) {
      if (failure.error == error) {
        return true;
      }
    }
    return false;
  }

  synchronized void clear() {
    table = new Table(64);
    observations.clear();
    bytes = 0;
    failures.clear();
    last = 0;
    query = null;
  }

  /** Pairs of a target and its value, in the order of the targets. */
  synchronized List<Hit> hits() {
    List<Hit> hits = new ArrayList<>();
    for (int at = 0; at < table.ids.length; at++) {
      if (table.ids[at] != 0 && table.best[at] > 0) {
        hits.add(new Hit(table.ids[at] - 1, table.best[at]));
      }
    }
    hits.sort((a, b) -> Integer.compare(a.id, b.id));
    return hits;
  }

  synchronized List<Seen> observations() {
    return new ArrayList<>(observations.keySet());
  }

  synchronized List<Failure> failures() {
    int from = Math.max(0, failures.size() - MOST_FAILURES);
    return new ArrayList<>(failures.subList(from, failures.size()));
  }

  static final class Hit {
    final int id;
    final double value;

    Hit(int id, double value) {
      this.id = id;
      this.value = value;
    }
  }

  static final class Failure {
    final Throwable error;
    final String exception;
    final String message;
    final String file;
    final int line;

    Failure(Throwable error, String exception, String message, String file, int line) {
      this.error = error;
      this.exception = exception;
      this.message = message;
      this.file = file;
      this.line = line;
    }
  }

  /** Targets by their numbers, without an object for each. */
  private static final class Table {
    final int[] ids;
    final double[] best;
    final byte[] told;
    final int[] turns;
    private int size;

    Table(int room) {
      ids = new int[room];
      best = new double[room];
      told = new byte[room];
      turns = new int[room];
    }

    int find(int id) {
      int mask = ids.length - 1;
      for (int at = mixed(id) & mask; ; at = (at + 1) & mask) {
        int there = ids[at];
        if (there == id + 1) {
          return at;
        }
        if (there == 0) {
          return -1;
        }
      }
    }

    int place(int id) {
      int mask = ids.length - 1;
      int at = mixed(id) & mask;
      while (ids[at] != 0 && ids[at] != id + 1) {
        at = (at + 1) & mask;
      }
      if (ids[at] == 0) {
        ids[at] = id + 1;
        size++;
      }
      return at;
    }

    boolean isFull() {
      return size * 2 >= ids.length;
    }

    Table grown() {
      Table larger = new Table(ids.length * 2);
      for (int at = 0; at < ids.length; at++) {
        if (ids[at] != 0) {
          int place = larger.place(ids[at] - 1);
          larger.best[place] = best[at];
          larger.told[place] = told[at];
          larger.turns[place] = turns[at];
        }
      }
      return larger;
    }

    private static int mixed(int id) {
      int mixed = id * 0x9E3779B9;
      return mixed ^ (mixed >>> 15);
    }
  }

  @Override
  public String toString() {
    return "call " + number + " " + Arrays.toString(hits().toArray());
  }
}
