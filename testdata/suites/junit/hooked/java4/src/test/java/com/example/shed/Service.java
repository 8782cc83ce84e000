package com.example.shed;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.util.concurrent.TimeUnit;

/** Starts and stops the service around all tests, and resets it before each. */
final class Service {
  private static final String START = "exec python3 \"${SHED:-shed.py}\" 8461";
  private static final String STOP = "echo 'the shed is closed' >> \"${SHED_LOG:-/dev/null}\"";
  private static final String RESET = "http://127.0.0.1:8461/reset";
  private static final int PATIENCE_SECONDS = 60;
  private static final File LOG = new File("target/service.log");

  private static boolean started;

  private Service() {}

  /** Only the first call does anything; the end of all tests stops what it started. */
  static synchronized void start() {
    if (started) {
      return;
    }
    started = true;
    Process service = run(START);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(service)));
    awaitAnswer();
  }

  private static void stop(Process service) {
    await(run(STOP));
    service.descendants().forEach(ProcessHandle::destroy);
    service.destroy();
  }

  static void reset() {
    int status = Api.given().when().post(RESET).statusCode();
    if (status >= 400) {
      throw new AssertionError("the reset of the service was answered with " + status);
    }
  }

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
}
