package fossick.probe;

/** What a known method does. The number is what rewritten code says. */
enum Kind {
  // It answers yes or no.
  EQUAL,
  SAME,
  PREFIX,
  SUFFIX,
  CONTAINS,
  EMPTY,
  MEMBER,
  HAS_KEY,
  BEFORE,
  AFTER,
  /** Of a text, a pattern as text. */
  TEXT_MATCHES,
  /** Of a pattern as text, a text. */
  PATTERN_MATCHES,
  MATCHER_WHOLE,
  MATCHER_START,
  MATCHER_FIND,
  REGEX_WHOLE,
  REGEX_ANYWHERE,
  TRUTH,
  HAS_FIELD,
  HAS_ALL,
  // It answers with a number: less, equal, greater; or a place in a text.
  COMPARE,
  COMPARE_SAME,
  INDEX,
  // It looks something up.
  GET,
  /** By a name that stands in the source. */
  GET_NAMED,
  FIELD,
  HEADER,
  PARAMETER,
  QUERY,
  COOKIE,
  FORM,
  MATCHER,
  SPLIT,
  FORMATTER,
  REGEX_MATCH,
  ENUM,
  // It parses, or fails.
  INTEGER("integer"),
  REAL("real"),
  DECIMAL("decimal"),
  DATE("date"),
  TIME("time"),
  MOMENT("moment"),
  UUID("uuid"),
  JSON("json"),
  BASE64("base64"),
  BASE64URL("base64url"),
  URL("url"),
  OTHER("other");

  private static final Kind[] ALL = values();

  /** What a text is parsed as, if it is. */
  final String as;

  Kind() {
    this(null);
  }

  Kind(String as) {
    this.as = as;
  }

  static Kind of(int number) {
    return ALL[number];
  }
}
