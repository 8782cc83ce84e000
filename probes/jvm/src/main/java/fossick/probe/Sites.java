package fossick.probe;

import java.util.Arrays;

/** What places in rewritten code need to know beside their number: the keys of a switch. */
final class Sites {
  private static Object[] all = new Object[256];
  private static int count;

  private Sites() {}

  static synchronized int add(Object facts) {
    if (count == all.length) {
      all = Arrays.copyOf(all, count * 2);
    }
    all[count] = facts;
    return count++;
  }

  static Object at(int site) {
    return all[site];
  }
}
