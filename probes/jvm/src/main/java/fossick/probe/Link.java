package fossick.probe;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The connection to the tool, and the thread that answers it. */
final class Link implements Runnable {
  private static final List<String> ABILITIES =
      Arrays.asList(
          "lines", "branches", "calls", "methods", "exceptions", "observations", "reads",
          "patterns", "last-line", "header");

  /** How long an END waits for threads that are still at the call, in milliseconds. */
  private static final long QUIET = 20;

  private static String path;
  private static String tcp;
  private static Scope scope;
  private static boolean isConnected;
  private static volatile String refusal;

  private SocketChannel channel;
  private boolean isGreeted;

  private Link() {}

  static void prepare(String path, String tcp, Scope scope) {
    Link.path = path;
    Link.tcp = tcp;
    Link.scope = scope;
  }

  /** Connects when the first class of the user's own is loaded; tools that load none stay silent. */
  static synchronized void connect() {
    if (isConnected) {
      return;
    }
    isConnected = true;
    Thread thread = new Thread(null, new Link(), "fossick-probe");
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
  }

  /** Whoever asks is told why there is nothing to see. */
  static void refuse(String reason) {
    refusal = reason;
    Log.note(reason, null);
    connect();
  }

  @Override
  public void run() {
    try {
      channel = open();
      answerAll();
    } catch (Throwable e) {
      Log.note("the connection to the tool has ended", e);
    } finally {
      Recorder.stop();
      close();
    }
  }

  private void close() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      channel = null;
    }
  }

  private static SocketChannel open() throws Exception {
    if (path == null || path.isEmpty()) {
      return openTcp();
    }
    try {
      return openLocal();
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      // Before Java 16 there are no such sockets.
      if (tcp == null || tcp.isEmpty()) {
        throw e;
      }
      return openTcp();
    }
  }

  private static SocketChannel openLocal() throws ReflectiveOperationException, IOException {
    Class<?> kind = Class.forName("java.net.UnixDomainSocketAddress");
    Method of = kind.getMethod("of", String.class);
    Method open = SocketChannel.class.getMethod("open", ProtocolFamily.class);
    SocketAddress address = (SocketAddress) of.invoke(null, path);
    ProtocolFamily family = StandardProtocolFamily.valueOf("UNIX");
    SocketChannel channel = (SocketChannel) open.invoke(null, family);
    channel.connect(address);
    return channel;
  }

  /** `127.0.0.1:PORT/SECRET`: the secret goes first, so that nobody else is taken for the service. */
  private static SocketChannel openTcp() throws IOException {
    int slash = tcp.indexOf('/');
    int colon = tcp.lastIndexOf(':', slash);
    int port = Integer.parseInt(tcp.substring(colon + 1, slash));
    SocketChannel channel = SocketChannel.open(new InetSocketAddress(tcp.substring(0, colon), port));
    channel.socket().setTcpNoDelay(true);
    byte[] secret = (tcp.substring(slash + 1) + "\n").getBytes(StandardCharsets.US_ASCII);
    ByteBuffer out = ByteBuffer.wrap(secret);
    while (out.hasRemaining()) {
      channel.write(out);
    }
    return channel;
  }

  private void answerAll() throws IOException {
    while (true) {
      byte[] head = read(4);
      if (head == null) {
        return;
      }
      int length = 0;
      for (int at = 3; at >= 0; at--) {
        length = length << 8 | head[at] & 0xFF;
      }
      if (length < 0 || length > Wire.LONGEST_FRAME) {
        send(Wire.error("a frame of " + (length & 0xFFFFFFFFL) + " bytes is too long"));
        return;
      }
      byte[] frame = read(length);
      if (frame == null || !answer(frame)) {
        return;
      }
    }
  }

  /** So many bytes; null if the stream ends before. */
  private byte[] read(int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        return null;
      }
    }
    return bytes.array();
  }

  private void send(byte[] bytes) throws IOException {
    ByteBuffer out = ByteBuffer.wrap(bytes);
    while (out.hasRemaining()) {
      channel.write(out);
    }
  }

  /** Answers a message; false if it was the last. */
  private boolean answer(byte[] frame) throws IOException {
    Wire.Message message;
    try {
      message = Wire.read(frame);
    } catch (Wire.FrameError e) {
      send(Wire.error(e.getMessage()));
      return true;
    }
    if (message.type == Wire.BYE) {
      return false;
    }
    if (message.type == Wire.HELLO) {
      send(hello(message));
    } else if (!isGreeted) {
      send(Wire.error("nobody has said hello"));
    } else {
      answer(message);
    }
    return true;
  }

  private byte[] hello(Wire.Message message) {
    if (message.version != Wire.VERSION) {
      return Wire.error("the probe speaks version " + Wire.VERSION);
    }
    if (refusal != null) {
      return Wire.error(refusal);
    }
    isGreeted = true;
    return Wire.hello("jvm", process(), scope.sources.roots(), ABILITIES);
  }

  private void answer(Wire.Message message) throws IOException {
    switch (message.type) {
      case Wire.BEGIN:
        Recorder.begin(message.call);
        send(Wire.begin(message.call));
        break;
      case Wire.END:
        waitForQuiet(message.call);
        // What the delta names was there before it was made.
        byte[] delta = Recorder.end(message.call);
        sendNews(delta);
        break;
      case Wire.COVERED:
        Recorder.cover(message.ids);
        break;
      case Wire.RESET:
        Recorder.reset();
        send(Wire.reset());
        break;
      default:
        sendNews(Wire.pong());
        break;
    }
  }

  private void sendNews(byte[] last) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] frame : Recorder.news()) {
      all.write(frame);
    }
    all.write(last);
    send(all.toByteArray());
  }

  private static void waitForQuiet(long call) {
    long until = System.nanoTime() + QUIET * 1_000_000;
    while (Recorder.isAtWorkOn(call) && System.nanoTime() < until) {
      try {
        Thread.sleep(0, 300_000);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static int process() {
    try {
      Class<?> handle = Class.forName("java.lang.ProcessHandle");
      Object own = handle.getMethod("current").invoke(null);
      return ((Long) handle.getMethod("pid").invoke(own)).intValue();
    } catch (ReflectiveOperationException e) {
      return processOfOld();
    }
  }

  /** Java 8 does not say; Linux does. */
  private static int processOfOld() {
    try {
      return Integer.parseInt(new File("/proc/self").getCanonicalFile().getName());
    } catch (IOException | NumberFormatException e) {
      return 1;
    }
  }
}
