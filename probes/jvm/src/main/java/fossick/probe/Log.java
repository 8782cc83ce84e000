package fossick.probe;

import java.io.FileWriter;
import java.io.PrintWriter;

/** What the probe could not do. Nobody else is told: the service goes on. */
final class Log {
  private static final boolean IS_LOUD = System.getenv("FOSSICK_PROBE_LOUD") != null;
  private static final String FOLDER = System.getenv("FOSSICK_PROBE_CACHE");
  private static int notes;

  private Log() {}

  static synchronized void note(String words, Throwable error) {
    // A fault that comes back with each call must not fill the disk.
    if (++notes > 200) {
      return;
    }
    try {
      if (IS_LOUD) {
        write(new PrintWriter(System.err, true), words, error);
      } else if (FOLDER != null) {
        new java.io.File(FOLDER).mkdirs();
        try (PrintWriter out = new PrintWriter(new FileWriter(FOLDER + "/jvm.log", true))) {
          write(out, words, error);
        }
      }
    } catch (Exception e) {
      // There is nobody left to tell.
      notes++;
    }
  }

  private static void write(PrintWriter out, String words, Throwable error) {
    out.println("fossick: " + words);
    if (error != null) {
      error.printStackTrace(out);
    }
    out.flush();
  }
}
