package fossick.probe;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Methods that compare, parse or look up: which they are, and where their operands lie. */
final class Known {
  /** Where the operands lie on the stack. */
  enum Operands {
    /** The one on top. */
    ONE,
    /** The one below the top. */
    ONE_BELOW,
    /** The two on top. */
    TWO,
    TWO_WITH_INT,
    TWO_INTS,
    /** The two below the top. */
    TWO_BELOW,
    /** The two below three constants, which the compiler adds. */
    TWO_BELOW_CONSTANTS
  }

  final Kind kind;
  final Operands operands;

  private Known(Kind kind, Operands operands) {
    this.kind = kind;
    this.operands = operands;
  }

  private static final String TEXT = "Ljava/lang/String;";
  private static final String CHARS = "Ljava/lang/CharSequence;";
  private static final String ANY = "Ljava/lang/Object;";

  /** By owner, name and types. */
  private static final Map<String, Known> METHODS = new HashMap<>();

  /** By name and types, whoever has them. */
  private static final Map<String, Known> ANYBODYS = new HashMap<>();

  private static final Set<String> MAPS = new HashSet<>();

  static Known of(String owner, String name, String types) {
    Known known = METHODS.get(owner + "." + name + types);
    if (known != null) {
      return known;
    }
    known = ANYBODYS.get(name + types);
    if (known != null) {
      return known;
    }
    return name.equals("compareTo") ? comparison(types) : null;
  }

  /** Of `Comparable`, with whatever type it has. */
  private static Known comparison(String types) {
    boolean isOne = types.startsWith("(L") && types.endsWith(";)I") && types.indexOf(';') == types.length() - 3;
    return isOne ? new Known(Kind.COMPARE, Operands.TWO) : null;
  }

  static boolean isMap(String owner) {
    return MAPS.contains(owner);
  }

  private static void add(String owner, Kind kind, Operands operands, String... methods) {
    for (String method : methods) {
      METHODS.put(owner + "." + method, new Known(kind, operands));
    }
  }

  private static void addAll(String[] owners, Kind kind, Operands operands, String... methods) {
    for (String owner : owners) {
      add(owner, kind, operands, methods);
    }
  }

  private static String[] owners(String base, String... names) {
    String[] owners = new String[names.length];
    for (int at = 0; at < names.length; at++) {
      owners[at] = base + names[at];
    }
    return owners;
  }

  static {
    texts();
    collections();
    patterns();
    numbers();
    times();
    others();
    json();
    requests();
    kotlin();
  }

  private static void texts() {
    ANYBODYS.put("equals(" + ANY + ")Z", new Known(Kind.EQUAL, Operands.TWO));
    String string = "java/lang/String";
    add(string, Kind.EQUAL, Operands.TWO, "contentEquals(" + CHARS + ")Z");
    add(string, Kind.EQUAL, Operands.TWO, "contentEquals(Ljava/lang/StringBuffer;)Z");
    add(string, Kind.SAME, Operands.TWO, "equalsIgnoreCase(" + TEXT + ")Z");
    add(string, Kind.PREFIX, Operands.TWO, "startsWith(" + TEXT + ")Z");
    add(string, Kind.SUFFIX, Operands.TWO, "endsWith(" + TEXT + ")Z");
    add(string, Kind.CONTAINS, Operands.TWO, "contains(" + CHARS + ")Z");
    add(string, Kind.EMPTY, Operands.ONE, "isEmpty()Z", "isBlank()Z");
    String parts = "[" + TEXT;
    add(string, Kind.SPLIT, Operands.TWO, "split(" + TEXT + ")" + parts);
    add(string, Kind.SPLIT, Operands.TWO_BELOW, "split(" + TEXT + "I)" + parts);
    add(string, Kind.TEXT_MATCHES, Operands.TWO, "matches(" + TEXT + ")Z");
    add(string, Kind.COMPARE_SAME, Operands.TWO, "compareToIgnoreCase(" + TEXT + ")I");
    add(string, Kind.INDEX, Operands.TWO, "indexOf(" + TEXT + ")I", "lastIndexOf(" + TEXT + ")I");
    add(string, Kind.INDEX, Operands.TWO_WITH_INT, "indexOf(I)I", "lastIndexOf(I)I");
    String two = "(" + ANY + ANY + ")Z";
    add("java/util/Objects", Kind.EQUAL, Operands.TWO, "equals" + two, "deepEquals" + two);
    for (String lang : owners("org/apache/commons/", "lang3/StringUtils", "lang/StringUtils")) {
      String pair = "(" + CHARS + CHARS + ")Z";
      add(lang, Kind.EQUAL, Operands.TWO, "equals" + pair);
      add(lang, Kind.SAME, Operands.TWO, "equalsIgnoreCase" + pair);
      add(lang, Kind.PREFIX, Operands.TWO, "startsWith" + pair);
      add(lang, Kind.SUFFIX, Operands.TWO, "endsWith" + pair);
      add(lang, Kind.CONTAINS, Operands.TWO, "contains" + pair);
      String one = "(" + CHARS + ")Z";
      add(lang, Kind.EMPTY, Operands.ONE, "isEmpty" + one, "isBlank" + one);
    }
    add("org/springframework/util/StringUtils", Kind.EMPTY, Operands.ONE, "isEmpty(" + ANY + ")Z");
  }

  private static void collections() {
    String[] maps =
        owners(
            "java/util/", "Map", "HashMap", "LinkedHashMap", "TreeMap", "SortedMap", "NavigableMap",
            "AbstractMap", "EnumMap", "Hashtable", "Properties", "concurrent/ConcurrentHashMap",
            "concurrent/ConcurrentMap", "concurrent/ConcurrentSkipListMap");
    MAPS.addAll(Arrays.asList(maps));
    addAll(maps, Kind.GET, Operands.TWO, "get(" + ANY + ")" + ANY);
    addAll(maps, Kind.GET, Operands.TWO_BELOW, "getOrDefault(" + ANY + ANY + ")" + ANY);
    addAll(maps, Kind.HAS_KEY, Operands.TWO, "containsKey(" + ANY + ")Z");
    String[] holders =
        owners(
            "java/util/", "Collection", "List", "Set", "HashSet", "LinkedHashSet", "TreeSet",
            "ArrayList", "LinkedList", "EnumSet", "SortedSet", "NavigableSet", "Queue", "Deque",
            "ArrayDeque", "AbstractCollection", "concurrent/CopyOnWriteArrayList");
    addAll(holders, Kind.MEMBER, Operands.TWO, "contains(" + ANY + ")Z");
    addAll(holders, Kind.HAS_ALL, Operands.TWO, "containsAll(Ljava/util/Collection;)Z");
    addAll(holders, Kind.EMPTY, Operands.ONE, "isEmpty()Z");
    add("java/lang/Enum", Kind.ENUM, Operands.TWO, "valueOf(Ljava/lang/Class;" + TEXT + ")Ljava/lang/Enum;");
  }

  private static void patterns() {
    String pattern = "java/util/regex/Pattern";
    add(pattern, Kind.PATTERN_MATCHES, Operands.TWO, "matches(" + TEXT + CHARS + ")Z");
    add(pattern, Kind.MATCHER, Operands.TWO, "matcher(" + CHARS + ")Ljava/util/regex/Matcher;");
    String matcher = "java/util/regex/Matcher";
    add(matcher, Kind.MATCHER_WHOLE, Operands.ONE, "matches()Z");
    add(matcher, Kind.MATCHER_START, Operands.ONE, "lookingAt()Z");
    add(matcher, Kind.MATCHER_FIND, Operands.ONE, "find()Z");
  }

  private static void numbers() {
    number("Integer", "I", "parseInt", Kind.INTEGER);
    number("Long", "J", "parseLong", Kind.INTEGER);
    number("Short", "S", "parseShort", Kind.INTEGER);
    number("Byte", "B", "parseByte", Kind.INTEGER);
    number("Double", "D", "parseDouble", Kind.REAL);
    number("Float", "F", "parseFloat", Kind.REAL);
    String truth = "java/lang/Boolean";
    add(truth, Kind.TRUTH, Operands.ONE, "parseBoolean(" + TEXT + ")Z");
    add("java/math/BigDecimal", Kind.DECIMAL, Operands.ONE, "<init>(" + TEXT + ")V");
    add("java/math/BigInteger", Kind.INTEGER, Operands.ONE, "<init>(" + TEXT + ")V");
    add("java/lang/Integer", Kind.COMPARE, Operands.TWO_INTS, "compare(II)I");
  }

  private static void number(String box, String bare, String parse, Kind kind) {
    String owner = "java/lang/" + box;
    String boxed = "L" + owner + ";";
    add(owner, kind, Operands.ONE, parse + "(" + TEXT + ")" + bare);
    add(owner, kind, Operands.ONE, "valueOf(" + TEXT + ")" + boxed);
    add(owner, kind, Operands.ONE, "decode(" + TEXT + ")" + boxed);
    // In another base than ten what the text should be is not known.
    add(owner, Kind.OTHER, Operands.ONE_BELOW, parse + "(" + TEXT + "I)" + bare);
  }

  private static void times() {
    time("LocalDate", Kind.DATE);
    time("LocalTime", Kind.TIME);
    for (String moment : new String[] {"LocalDateTime", "OffsetDateTime", "ZonedDateTime"}) {
      time(moment, Kind.MOMENT);
    }
    add("java/time/Instant", Kind.MOMENT, Operands.ONE, "parse(" + CHARS + ")Ljava/time/Instant;");
    for (String other : new String[] {"Duration", "Period", "Year", "YearMonth"}) {
      String owner = "java/time/" + other;
      add(owner, Kind.OTHER, Operands.ONE, "parse(" + CHARS + ")L" + owner + ";");
    }
    String formatter = "Ljava/time/format/DateTimeFormatter;";
    String owner = "java/time/format/DateTimeFormatter";
    add(owner, Kind.FORMATTER, Operands.ONE, "ofPattern(" + TEXT + ")" + formatter);
    add(owner, Kind.FORMATTER, Operands.ONE_BELOW, "ofPattern(" + TEXT + "Ljava/util/Locale;)" + formatter);
    String date = "(" + TEXT + ")Ljava/util/Date;";
    for (String format : owners("java/text/", "SimpleDateFormat", "DateFormat")) {
      add(format, Kind.MOMENT, Operands.TWO, "parse" + date);
    }
    add("java/util/Date", Kind.BEFORE, Operands.TWO, "before(Ljava/util/Date;)Z");
    add("java/util/Date", Kind.AFTER, Operands.TWO, "after(Ljava/util/Date;)Z");
  }

  private static void time(String name, Kind kind) {
    String owner = "java/time/" + name;
    String own = "L" + owner + ";";
    add(owner, kind, Operands.ONE, "parse(" + CHARS + ")" + own);
    add(owner, kind, Operands.TWO, "parse(" + CHARS + "Ljava/time/format/DateTimeFormatter;)" + own);
  }

  static {
    String chrono = "java/time/chrono/Chrono";
    compared("java/time/LocalDate", chrono + "LocalDate");
    compared("java/time/LocalDateTime", chrono + "LocalDateTime");
    compared("java/time/ZonedDateTime", chrono + "ZonedDateTime");
    for (String name : new String[] {"Instant", "LocalTime", "OffsetDateTime", "YearMonth", "Year"}) {
      compared("java/time/" + name, "java/time/" + name);
    }
  }

  private static void compared(String owner, String other) {
    String types = "(L" + other + ";)Z";
    add(owner, Kind.BEFORE, Operands.TWO, "isBefore" + types);
    add(owner, Kind.AFTER, Operands.TWO, "isAfter" + types);
    add(owner, Kind.EQUAL, Operands.TWO, "isEqual" + types);
  }

  private static void others() {
    add("java/util/UUID", Kind.UUID, Operands.ONE, "fromString(" + TEXT + ")Ljava/util/UUID;");
    add("java/net/URI", Kind.URL, Operands.ONE, "<init>(" + TEXT + ")V");
    add("java/net/URI", Kind.URL, Operands.ONE, "create(" + TEXT + ")Ljava/net/URI;");
    add("java/net/URL", Kind.URL, Operands.ONE, "<init>(" + TEXT + ")V");
    String decoder = "java/util/Base64$Decoder";
    add(decoder, Kind.BASE64, Operands.TWO, "decode(" + TEXT + ")[B", "decode([B)[B");
  }

  private static void json() {
    for (String jackson : owners("", "com/fasterxml/jackson/databind/", "tools/jackson/databind/")) {
      String node = "L" + jackson + "JsonNode;";
      for (String owner : owners(jackson, "JsonNode", "node/ObjectNode")) {
        add(owner, Kind.FIELD, Operands.TWO, "get(" + TEXT + ")" + node, "path(" + TEXT + ")" + node);
        add(owner, Kind.FIELD, Operands.TWO, "required(" + TEXT + ")" + node);
        add(owner, Kind.HAS_FIELD, Operands.TWO, "has(" + TEXT + ")Z", "hasNonNull(" + TEXT + ")Z");
      }
      for (String mapper : owners(jackson, "ObjectMapper", "json/JsonMapper")) {
        add(mapper, Kind.JSON, Operands.TWO, "readTree(" + TEXT + ")" + node, "readTree([B)" + node);
        for (String type : new String[] {"Ljava/lang/Class;", "L" + jackson + "JavaType;"}) {
          add(mapper, Kind.JSON, Operands.TWO_BELOW, "readValue(" + TEXT + type + ")" + ANY);
          add(mapper, Kind.JSON, Operands.TWO_BELOW, "readValue([B" + type + ")" + ANY);
        }
        for (String core : new String[] {"com/fasterxml/jackson/core/type/", "tools/jackson/core/type/"}) {
          String type = "L" + core + "TypeReference;)" + ANY;
          add(mapper, Kind.JSON, Operands.TWO_BELOW, "readValue(" + TEXT + type, "readValue([B" + type);
        }
      }
    }
    String gson = "com/google/gson/";
    String element = "(" + TEXT + ")L" + gson + "JsonElement;";
    add(gson + "JsonParser", Kind.JSON, Operands.ONE, "parseString" + element);
    add(gson + "Gson", Kind.JSON, Operands.TWO_BELOW, "fromJson(" + TEXT + "Ljava/lang/Class;)" + ANY);
    add(gson + "Gson", Kind.JSON, Operands.TWO_BELOW, "fromJson(" + TEXT + "Ljava/lang/reflect/Type;)" + ANY);
    String object = gson + "JsonObject";
    add(object, Kind.FIELD, Operands.TWO, "get" + element);
    add(object, Kind.HAS_FIELD, Operands.TWO, "has(" + TEXT + ")Z");
    String json = "org/json/JSONObject";
    add(json, Kind.JSON, Operands.ONE, "<init>(" + TEXT + ")V");
    add(json, Kind.HAS_FIELD, Operands.TWO, "has(" + TEXT + ")Z");
    add(json, Kind.FIELD, Operands.TWO, "get(" + TEXT + ")" + ANY, "opt(" + TEXT + ")" + ANY);
    add(json, Kind.FIELD, Operands.TWO, "getString(" + TEXT + ")" + TEXT, "optString(" + TEXT + ")" + TEXT);
  }

  private static void requests() {
    for (String base : owners("", "jakarta", "javax")) {
      for (String request : owners(base + "/servlet/", "ServletRequest", "http/HttpServletRequest")) {
        add(request, Kind.HEADER, Operands.TWO, "getHeader(" + TEXT + ")" + TEXT);
        add(request, Kind.PARAMETER, Operands.TWO, "getParameter(" + TEXT + ")" + TEXT);
        add(request, Kind.PARAMETER, Operands.TWO, "getParameterValues(" + TEXT + ")[" + TEXT);
        add(request, Kind.FORM, Operands.TWO, "getPart(" + TEXT + ")L" + base + "/servlet/http/Part;");
      }
      String headers = base + "/ws/rs/core/HttpHeaders";
      add(headers, Kind.HEADER, Operands.TWO, "getHeaderString(" + TEXT + ")" + TEXT);
      String context = base + "/ws/rs/container/ContainerRequestContext";
      add(context, Kind.HEADER, Operands.TWO, "getHeaderString(" + TEXT + ")" + TEXT);
      String cookie = "L" + base + "/servlet/http/Cookie;";
      add(
          "org/springframework/web/util/WebUtils", Kind.COOKIE, Operands.TWO,
          "getCookie(L" + base + "/servlet/http/HttpServletRequest;" + TEXT + ")" + cookie);
    }
    String spring = "org/springframework/";
    for (String web : owners(spring + "web/context/request/", "WebRequest", "NativeWebRequest")) {
      add(web, Kind.HEADER, Operands.TWO, "getHeader(" + TEXT + ")" + TEXT);
      add(web, Kind.PARAMETER, Operands.TWO, "getParameter(" + TEXT + ")" + TEXT);
    }
    add(spring + "http/HttpHeaders", Kind.HEADER, Operands.TWO, "getFirst(" + TEXT + ")" + TEXT);
    String sun = "com/sun/net/httpserver/Headers";
    add(sun, Kind.HEADER, Operands.TWO, "getFirst(" + TEXT + ")" + TEXT);
    add(sun, Kind.HEADER, Operands.TWO, "get(" + ANY + ")Ljava/util/List;", "get(" + ANY + ")" + ANY);
    String javalin = "io/javalin/http/Context";
    add(javalin, Kind.HEADER, Operands.TWO, "header(" + TEXT + ")" + TEXT);
    add(javalin, Kind.QUERY, Operands.TWO, "queryParam(" + TEXT + ")" + TEXT);
    add(javalin, Kind.FORM, Operands.TWO, "formParam(" + TEXT + ")" + TEXT);
    add(javalin, Kind.COOKIE, Operands.TWO, "cookie(" + TEXT + ")" + TEXT);
  }

  private static void kotlin() {
    String two = "(" + ANY + ANY + ")Z";
    add("kotlin/jvm/internal/Intrinsics", Kind.EQUAL, Operands.TWO, "areEqual" + two);
    add("kotlin/jvm/internal/Intrinsics", Kind.COMPARE, Operands.TWO_INTS, "compare(II)I");
    String texts = "kotlin/text/StringsKt";
    add(texts, Kind.SAME, Operands.TWO_BELOW, "equals(" + TEXT + TEXT + "Z)Z");
    String byDefault = "ZILjava/lang/Object;)Z";
    String pair = "(" + TEXT + TEXT + byDefault;
    add(texts, Kind.EQUAL, Operands.TWO_BELOW_CONSTANTS, "equals$default" + pair);
    add(texts, Kind.PREFIX, Operands.TWO_BELOW_CONSTANTS, "startsWith$default" + pair);
    add(texts, Kind.SUFFIX, Operands.TWO_BELOW_CONSTANTS, "endsWith$default" + pair);
    String loose = "(" + CHARS + CHARS + byDefault;
    add(texts, Kind.CONTAINS, Operands.TWO_BELOW_CONSTANTS, "contains$default" + loose);
    add(texts, Kind.PREFIX, Operands.TWO_BELOW_CONSTANTS, "startsWith$default" + loose);
    add(texts, Kind.SUFFIX, Operands.TWO_BELOW_CONSTANTS, "endsWith$default" + loose);
    add(texts, Kind.EMPTY, Operands.ONE, "isBlank(" + CHARS + ")Z");
    add(texts, Kind.INTEGER, Operands.ONE, "toIntOrNull(" + TEXT + ")Ljava/lang/Integer;");
    add(texts, Kind.INTEGER, Operands.ONE, "toLongOrNull(" + TEXT + ")Ljava/lang/Long;");
    add(texts, Kind.REAL, Operands.ONE, "toDoubleOrNull(" + TEXT + ")Ljava/lang/Double;");
    add(
        "kotlin/collections/CollectionsKt", Kind.MEMBER, Operands.TWO,
        "contains(Ljava/lang/Iterable;" + ANY + ")Z");
    add("kotlin/collections/ArraysKt", Kind.MEMBER, Operands.TWO, "contains([" + ANY + ANY + ")Z");
    String regex = "kotlin/text/Regex";
    add(regex, Kind.REGEX_WHOLE, Operands.TWO, "matches(" + CHARS + ")Z");
    add(regex, Kind.REGEX_ANYWHERE, Operands.TWO, "containsMatchIn(" + CHARS + ")Z");
    String match = "(" + CHARS + ")Lkotlin/text/MatchResult;";
    add(regex, Kind.REGEX_MATCH, Operands.TWO, "matchEntire" + match);
  }
}
