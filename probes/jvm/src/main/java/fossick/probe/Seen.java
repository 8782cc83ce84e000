package fossick.probe;

import java.util.Arrays;

/** One observation, as it is sent. */
final class Seen {
  static final int EQUAL = 0;
  static final int ORDER = 1;
  static final int PREFIX = 2;
  static final int SUFFIX = 3;
  static final int CONTAINS = 4;
  static final int SAME = 5;
  static final int MEMBER = 6;
  static final int PATTERN = 7;
  static final int PARSE = 8;
  static final int READ = 9;

  static final int ANYWHERE = 0;
  static final int FROM_START = 1;
  static final int WHOLE = 2;

  static final int HEADER = 0;
  static final int QUERY = 1;
  static final int COOKIE = 2;
  static final int FORM = 3;
  static final int KEY = 4;

  final byte[] bytes;
  private final int hash;

  Seen(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Seen && Arrays.equals(bytes, ((Seen) other).bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
