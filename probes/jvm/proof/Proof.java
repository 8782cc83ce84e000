import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Runs the tests of real packages with the probe and without it: what becomes of each must be the
 * same.
 *
 * <p>{@code java Proof.java FOLDER AGENT [--all]}: the folder with the jars in {@code lib}, and the
 * jar of the probe. The package and its tests both have probes put in.
 */
public final class Proof {
  /** What is run each time, and what takes minutes. */
  private static final List<Package> SHORT =
      List.of(
          new Package("commons-cli", "org.apache.commons.cli"),
          new Package("commons-csv", "org.apache.commons.csv"),
          new Package("commons-validator", "org.apache.commons.validator"));

  private static final List<Package> LONG =
      List.of(
          new Package("commons-lang3", "org.apache.commons.lang3"),
          new Package("commons-text", "org.apache.commons.text"),
          new Package("commons-numbers-core", "org.apache.commons.numbers.core"));

  record Package(String jar, String name) {}

  private final Path folder;
  private final Path agent;

  private Proof(Path folder, Path agent) {
    this.folder = folder;
    this.agent = agent;
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]).toAbsolutePath();
    Proof proof = new Proof(folder, Path.of(arguments[1]).toAbsolutePath());
    List<Package> packages = new ArrayList<>(SHORT);
    if (Arrays.asList(arguments).contains("--all")) {
      packages.addAll(LONG);
    }
    boolean isSame = true;
    for (Package one : packages) {
      isSame &= proof.holds(one);
    }
    System.exit(isSame ? 0 : 1);
  }

  /** What differs is tried once more: some tests hang on the clock. */
  private boolean holds(Package one) throws Exception {
    Map<String, String> plain = Map.of();
    for (int turn = 0; turn < 2; turn++) {
      plain = outcomes(one, null);
      try (Listener listener = new Listener(folder.resolve("proof.sock"))) {
        Map<String, String> probed = outcomes(one, listener.path);
        List<String> different = different(plain, probed);
        long passed = plain.values().stream().filter("passed"::equals).count();
        System.out.printf(
            "%s: %d tests, %d pass, %d targets, %d differ%n",
            one.jar, plain.size(), passed, listener.targets.get(), different.size());
        boolean isProof = passed > 100 && listener.targets.get() > 1000;
        if (different.isEmpty() && isProof) {
          return true;
        }
        different.stream().limit(20).forEach(System.out::println);
      }
    }
    return false;
  }

  private static List<String> different(Map<String, String> plain, Map<String, String> probed) {
    List<String> different = new ArrayList<>();
    TreeMap<String, String> all = new TreeMap<>(plain);
    probed.forEach(all::putIfAbsent);
    for (String name : all.keySet()) {
      String before = plain.getOrDefault(name, "not there");
      String after = probed.getOrDefault(name, "not there");
      if (!before.equals(after)) {
        different.add("  " + name + ": " + before + ", with the probe " + after);
      }
    }
    return different;
  }

  private Map<String, String> outcomes(Package one, Path socket) throws Exception {
    Path reports = Files.createTempDirectory(folder, "reports");
    try {
      run(one, socket, reports);
      return read(reports);
    } finally {
      try (Stream<Path> files = Files.list(reports)) {
        files.map(Path::toFile).forEach(File::delete);
      }
      Files.delete(reports);
    }
  }

  private void run(Package one, Path socket, Path reports) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    if (socket != null) {
      command.add("-javaagent:" + agent);
    }
    for (String opened : List.of("java.lang", "java.util", "java.time", "java.lang.invoke")) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-cp", folder.resolve("lib") + "/*"));
    command.addAll(List.of("org.junit.platform.console.ConsoleLauncher", "execute"));
    command.addAll(List.of("--disable-banner", "--details=none"));
    command.add("--scan-classpath=" + tests(one));
    // They measure, and take minutes where each turn of a loop is told.
    command.add("--exclude-classname=.*Performance.*");
    command.add("--reports-dir=" + reports);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(folder.toFile());
    builder.environment().remove("FOSSICK_PROBE");
    if (socket != null) {
      builder.environment().put("FOSSICK_PROBE", socket.toString());
      builder.environment().put("FOSSICK_COVER", one.name);
      builder.environment().put("FOSSICK_PROBE_LOUD", "1");
    }
    File log = folder.resolve(one.jar + (socket == null ? "-plain" : "-probed") + ".log").toFile();
    builder.redirectErrorStream(true).redirectOutput(log);
    builder.start().waitFor();
  }

  private Path tests(Package one) throws IOException {
    try (Stream<Path> jars = Files.list(folder.resolve("lib"))) {
      return jars.filter(jar -> isOf(jar, one)).findFirst().orElseThrow();
    }
  }

  private static boolean isOf(Path jar, Package one) {
    String name = jar.getFileName().toString();
    return name.startsWith(one.jar + "-") && name.endsWith("-tests.jar");
  }

  /** What became of each test, by its names. Several of one name count one after the other. */
  private static Map<String, String> read(Path reports) throws Exception {
    Map<String, String> outcomes = new TreeMap<>();
    List<Path> files;
    try (Stream<Path> all = Files.list(reports)) {
      files = all.sorted().toList();
    }
    for (Path file : files) {
      var document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
      NodeList cases = document.getElementsByTagName("testcase");
      for (int at = 0; at < cases.getLength(); at++) {
        Element test = (Element) cases.item(at);
        String name = test.getAttribute("classname") + "." + test.getAttribute("name");
        String numbered = name;
        for (int n = 2; outcomes.containsKey(numbered); n++) {
          numbered = name + " (" + n + ")";
        }
        outcomes.put(numbered, outcome(test));
      }
    }
    return outcomes;
  }

  private static String outcome(Element test) {
    for (String word : List.of("failure", "error", "skipped")) {
      NodeList found = test.getElementsByTagName(word);
      if (found.getLength() > 0) {
        return word + " " + ((Element) found.item(0)).getAttribute("type");
      }
    }
    return "passed";
  }

  /** As much of the tool as it takes: it greets, and asks now and then what was reached. */
  private static final class Listener implements AutoCloseable {
    final Path path;
    final AtomicLong targets = new AtomicLong();
    private final ServerSocketChannel server;

    Listener(Path path) throws IOException {
      this.path = path;
      Files.deleteIfExists(path);
      server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of(path));
      daemon(this::listen);
    }

    private static void daemon(Runnable work) {
      Thread thread = new Thread(work);
      thread.setDaemon(true);
      thread.start();
    }

    private void listen() {
      while (server.isOpen()) {
        try {
          SocketChannel channel = server.accept();
          daemon(() -> talk(channel));
        } catch (IOException e) {
          return;
        }
      }
    }

    private void talk(SocketChannel channel) {
      try (channel) {
        say(channel, 1, 0, 1, 3, 0, 0);
        hear(channel);
        while (true) {
          say(channel, 9);
          while (hear(channel) != 10) {
            // Descriptors come first.
          }
          Thread.sleep(200);
          say(channel, 4, 0);
          while (hear(channel) != 5) {
            // Likewise.
          }
        }
      } catch (IOException | InterruptedException e) {
        // The process has ended.
        return;
      }
    }

    private static void say(SocketChannel channel, int... bytes) throws IOException {
      ByteBuffer frame = ByteBuffer.allocate(4 + bytes.length).order(ByteOrder.LITTLE_ENDIAN);
      frame.putInt(bytes.length);
      for (int one : bytes) {
        frame.put((byte) one);
      }
      channel.write(frame.flip());
    }

    /** The type of the next message. */
    private int hear(SocketChannel channel) throws IOException {
      var in = Channels.newInputStream(channel);
      byte[] head = in.readNBytes(4);
      if (head.length < 4) {
        throw new IOException("the end");
      }
      byte[] frame = in.readNBytes(ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt());
      if (frame[0] == 2) {
        // The first id of a batch is close enough to how many there are.
        targets.set(Math.max(targets.get(), number(frame, 1)));
      }
      return frame[0];
    }

    private static long number(byte[] frame, int from) {
      long value = 0;
      int at = from;
      for (int shift = 0; ; shift += 7) {
        value |= (long) (frame[at] & 0x7F) << shift;
        if ((frame[at++] & 0x80) == 0) {
          return value;
        }
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
      Files.deleteIfExists(path);
    }
  }
}
