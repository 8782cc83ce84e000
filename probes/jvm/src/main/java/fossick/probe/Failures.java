package fossick.probe;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;

/** Exceptions that leave methods of the user's own code. */
final class Failures {
  private static final int LONGEST = 1024;

  /** The source files of the user's own classes. */
  static final Map<String, String> FILES = new ConcurrentHashMap<>();

  private Failures() {}

  static void left(Throwable error, Call call) {
    if (error instanceof ThreadDeath || isFlow(error) || call.knows(error)) {
      return;
    }
    Recorder.Target last = Recorder.target(call.last - 1);
    String file = last == null ? "" : last.file;
    int line = last == null ? 0 : last.line;
    for (StackTraceElement element : error.getStackTrace()) {
      String own = FILES.get(element.getClassName());
      if (own != null && element.getLineNumber() > 0) {
        file = own;
        line = element.getLineNumber();
        break;
      }
    }
    String name = name(error);
    call.fail(new Call.Failure(error, name, message(error), file, line));
    // The same kind at the same place has the same number in each process.
    int kind = crc(name);
    int id =
        Recorder.register(new Recorder.Target(file, line, Recorder.EXCEPTION, kind, name));
    if (id >= 0) {
      call.near(id, 1);
    }
  }

  /** Not that anything went wrong: coroutines are ended in this way. */
  private static boolean isFlow(Throwable error) {
    return error instanceof java.util.concurrent.CancellationException;
  }

  private static String name(Throwable error) {
    String name = error.getClass().getName();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Words of the exception, unless saying them goes wrong too. */
  private static String message(Throwable error) {
    String words;
    try {
      words = error.getMessage();
    } catch (Throwable e) {
      return "";
    }
    if (words == null) {
      return "";
    }
    byte[] bytes = Wire.encoded(words);
    if (bytes.length <= LONGEST) {
      return words;
    }
    int length = LONGEST;
    while ((bytes[length] & 0xC0) == 0x80) {
      length--;
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  static int crc(String text) {
    CRC32 sum = new CRC32();
    byte[] bytes = Wire.encoded(text);
    sum.update(bytes, 0, bytes.length);
    return (int) sum.getValue();
  }
}
