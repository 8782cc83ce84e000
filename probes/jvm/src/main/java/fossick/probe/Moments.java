package fossick.probe;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.Temporal;
import java.util.Date;

/** Dates, times and moments: as numbers, and in ISO 8601. */
final class Moments {
  private Moments() {}

  /** A point on a line of seconds, or of days; null for what is none. */
  static Double number(Object value) {
    if (value instanceof LocalDate) {
      return (double) ((LocalDate) value).toEpochDay();
    }
    if (value instanceof LocalDateTime) {
      LocalDateTime moment = (LocalDateTime) value;
      double seconds = moment.toLocalDate().toEpochDay() * 86400.0;
      return seconds + moment.toLocalTime().toNanoOfDay() / 1e9;
    }
    if (value instanceof LocalTime) {
      return ((LocalTime) value).toNanoOfDay() / 1e9;
    }
    if (value instanceof Instant
        || value instanceof OffsetDateTime
        || value instanceof ZonedDateTime) {
      Temporal moment = (Temporal) value;
      return moment.getLong(ChronoField.INSTANT_SECONDS)
          + moment.get(ChronoField.NANO_OF_SECOND) / 1e9;
    }
    if (value instanceof YearMonth) {
      return (double) ((YearMonth) value).getLong(ChronoField.PROLEPTIC_MONTH);
    }
    return value.getClass() == Date.class ? (Double) (((Date) value).getTime() / 1e3) : null;
  }

  /** In ISO 8601, or null for what is no moment. */
  static String text(Object value) {
    if (value instanceof LocalDate
        || value instanceof LocalTime
        || value instanceof Instant
        || value instanceof OffsetDateTime
        || value instanceof YearMonth) {
      return value.toString();
    }
    if (value instanceof LocalDateTime) {
      return DateTimeFormatter.ISO_LOCAL_DATE_TIME.format((LocalDateTime) value);
    }
    if (value instanceof ZonedDateTime) {
      return ((ZonedDateTime) value).toOffsetDateTime().toString();
    }
    return value.getClass() == Date.class ? ((Date) value).toInstant().toString() : null;
  }

  private static final String[][] NOTATION = {
    {"yyyy", "%Y"}, {"uuuu", "%Y"}, {"yy", "%y"}, {"uu", "%y"}, {"MMMM", "%B"}, {"MMM", "%b"},
    {"MM", "%m"}, {"dd", "%d"}, {"HH", "%H"}, {"mm", "%M"}, {"ss", "%S"}, {"EEEE", "%A"},
    {"EEE", "%a"}, {"XXX", "%:z"}, {"xx", "%z"}, {"Z", "%z"},
  };

  /** A pattern of Java's in the notation of C's strftime; nothing where it has no such form. */
  static String notation(String pattern) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < pattern.length()) {
      char letter = pattern.charAt(at);
      if (letter == '\'') {
        int end = pattern.indexOf('\'', at + 1);
        if (end < 0) {
          return "";
        }
        out.append(end == at + 1 ? "'" : pattern.substring(at + 1, end).replace("%", "%%"));
        at = end + 1;
      } else if (Character.isLetter(letter)) {
        int end = at;
        while (end < pattern.length() && pattern.charAt(end) == letter) {
          end++;
        }
        String known = known(pattern.substring(at, end));
        if (known == null) {
          return "";
        }
        out.append(known);
        at = end;
      } else {
        out.append(letter == '%' ? "%%" : String.valueOf(letter));
        at++;
      }
    }
    return out.toString();
  }

  private static String known(String letters) {
    for (String[] pair : NOTATION) {
      if (pair[0].equals(letters)) {
        return pair[1];
      }
    }
    return null;
  }
}
