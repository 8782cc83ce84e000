package fossick.probe;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * How far two values are from comparing otherwise. Only values of the JDK's own classes are looked
 * at: measuring runs no code of the user's.
 */
final class Distance {
  /** The largest value that is not yet covered, and the least that is above nothing. */
  private static final double NEARLY = 1 - Math.ulp(0.5);

  private static final double HARDLY = 1e-300;

  /** Characters of a text that are looked at, and pieces of it. */
  private static final int LONGEST = 4096;

  private static final int WINDOWS = 256;

  private Distance() {}

  /** How near a side is that was not taken. */
  static double share(double distance) {
    double value = 1 / (1 + distance);
    if (value >= 1) {
      return NEARLY;
    }
    // Also for what is no number.
    return value > HARDLY ? value : HARDLY;
  }

  static double texts(CharSequence left, CharSequence right) {
    return texts(left, 0, left.length(), right);
  }

  /** Of the piece of a text between two places. */
  private static double texts(CharSequence text, int from, int to, CharSequence part) {
    int shared = Math.min(Math.min(to - from, part.length()), LONGEST);
    double sum = 65536.0 * Math.abs(to - from - part.length());
    for (int at = 0; at < shared; at++) {
      sum += Math.abs(text.charAt(from + at) - part.charAt(at));
    }
    return sum / 65536;
  }

  static double prefix(CharSequence text, CharSequence part) {
    return texts(text, 0, Math.min(text.length(), part.length()), part);
  }

  static double suffix(CharSequence text, CharSequence part) {
    return texts(text, Math.max(0, text.length() - part.length()), text.length(), part);
  }

  /** The piece that is nearest. */
  static double contains(CharSequence text, CharSequence part) {
    double best = prefix(text, part);
    int last = Math.min(text.length() - part.length(), WINDOWS);
    for (int at = 1; at <= last && best > 0; at++) {
      best = Math.min(best, texts(text, at, at + part.length(), part));
    }
    return best;
  }

  /** How far from being equal; 1 if that can't be told. */
  static double equal(Object left, Object right) {
    if (left instanceof String && right instanceof String) {
      return texts((String) left, (String) right);
    }
    double gap = gap(left, right);
    return Double.isNaN(gap) || gap == 0 ? 1 : Math.abs(gap);
  }

  /** Left minus right where there is a slope, else NaN. */
  static double gap(Object left, Object right) {
    Double a = number(left);
    Double b = number(right);
    if (a == null || b == null) {
      return Double.NaN;
    }
    if (left instanceof Long && right instanceof Long) {
      return minus((Long) left, (Long) right);
    }
    if (left instanceof BigDecimal && right instanceof BigDecimal) {
      return ((BigDecimal) left).subtract((BigDecimal) right).doubleValue();
    }
    if (left instanceof BigInteger && right instanceof BigInteger) {
      return ((BigInteger) left).subtract((BigInteger) right).doubleValue();
    }
    return a - b;
  }

  /** Exact as long as it can be. */
  static double minus(long left, long right) {
    long gap = left - right;
    boolean runsOver = ((left ^ right) & (left ^ gap)) < 0;
    return runsOver ? (double) left - (double) right : (double) gap;
  }

  private static Double number(Object value) {
    if (value == null) {
      return null;
    }
    Class<?> kind = value.getClass();
    if (kind == Integer.class
        || kind == Long.class
        || kind == Double.class
        || kind == Float.class
        || kind == Short.class
        || kind == Byte.class
        || kind == BigDecimal.class
        || kind == BigInteger.class) {
      return ((Number) value).doubleValue();
    }
    if (kind == Character.class) {
      return (double) (Character) value;
    }
    if (kind == Boolean.class) {
      return (Boolean) value ? 1.0 : 0.0;
    }
    return Moments.number(value);
  }

  /** How many characters keep a text from being a number. */
  static double toNumber(String text) {
    if (text == null) {
      return 65536;
    }
    if (text.isEmpty()) {
      return 1;
    }
    double sum = 0;
    int length = Math.min(text.length(), LONGEST);
    for (int at = 0; at < length; at++) {
      char letter = text.charAt(at);
      boolean isSign = at == 0 && letter == '-' && length > 1;
      if (letter < '0' && !isSign) {
        sum += ('0' - letter) / 65536.0 + 0.1;
      } else if (letter > '9') {
        sum += (letter - '9') / 65536.0 + 0.1;
      }
    }
    return sum + Math.max(0, length - 18);
  }
}
