package PACKAGE;
//#if start stop command

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
//#if start
import java.net.HttpURLConnection;
//#end
import java.util.concurrent.TimeUnit;
//#end

/** Starts and stops the service around all tests, and resets it before each. */
final class Service {
//#if start
START
//#end
//#if stop
STOP
//#end
//#if command url
RESET
//#end
//#if start stop command
  private static final int PATIENCE_SECONDS = 60;
  private static final File LOG = new File("target/service.log");
//#end
//#if start stop

  private static boolean started;
//#end

  private Service() {}
//#if start stop

  /** Only the first call does anything; the end of all tests stops what it started. */
  static synchronized void start() {
    if (started) {
      return;
    }
    started = true;
//#if start
    Process service = run(START);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(service)));
    awaitAnswer();
//#else
    Runtime.getRuntime().addShutdownHook(new Thread(Service::stop));
//#end
  }
//#end
//#if start

  private static void stop(Process service) {
//#if stop
    await(run(STOP));
//#end
    service.descendants().forEach(ProcessHandle::destroy);
    service.destroy();
  }
//#else
//#if stop

  private static void stop() {
    await(run(STOP));
  }
//#end
//#end
//#if command

  static void reset() {
    if (await(run(RESET)) != 0) {
      throw new AssertionError("the service could not be reset, see " + LOG);
    }
  }
//#end
//#if url

  static void reset() {
    int status = Api.given().when().post(RESET).statusCode();
    if (status >= 400) {
      throw new AssertionError("the reset of the service was answered with " + status);
    }
  }
//#end
//#if start

  /** Any answer will do. */
  private static void awaitAnswer() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!answers()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("no answer from " + Api.BASE_URL + ", see " + LOG);
      }
      pause();
    }
  }

  private static boolean answers() {
    try {
      HttpURLConnection connection = (HttpURLConnection) Api.BASE_URL.toURL().openConnection();
      connection.setConnectTimeout(1_000);
      connection.setReadTimeout(5_000);
      return connection.getResponseCode() > 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
//#end
//#if stop command

  private static int await(Process process) {
    try {
      if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return process.exitValue();
      }
      throw new AssertionError("a command took too long, see " + LOG);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
//#end
//#if start stop command

  private static Process run(String command) {
    try {
      return new ProcessBuilder("sh", "-c", command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(LOG))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
//#end
}
