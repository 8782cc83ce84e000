import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/** The conformance service: what each request does is said in `probes/protocol`. */
public final class App {
  private static final Set<String> WORDS = Set.of("alpha", "beta", "gamma");
  private static final Pattern PLATE = Pattern.compile("^[a-c]{3}[0-9]{2}$");

  private App() {}

  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(arguments[arguments.length - 1]);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    HttpServer server = HttpServer.create(address, 256);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", App::answer);
    server.start();
  }

  private static void answer(HttpExchange exchange) throws IOException {
    int status = 200;
    String words;
    try {
      words = handle(exchange);
    } catch (RuntimeException e) {
      status = 500;
      words = "something went wrong";
    }
    if (words.isEmpty()) {
      exchange.sendResponseHeaders(204, -1);
    } else {
      byte[] body = words.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  private static String handle(HttpExchange exchange) throws IOException {
    Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
    switch (exchange.getRequestURI().getPath()) {
      case "/ready":
        return "";
      case "/number":
        return number(query);
      case "/range":
        return range(query);
      case "/text":
        return text(query);
      case "/member":
        return member(query);
      case "/header":
        return header(exchange, query);
      case "/json":
        return role(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      case "/fail":
        return breakOnSeven(Integer.parseInt(query.get("n")));
      case "/slow":
        return slow(query);
      case "/exit":
        Runtime.getRuntime().halt(3);
        return "";
      default:
        return "nothing here";
    }
  }

  private static Map<String, String> query(String text) {
    Map<String, String> query = new HashMap<>();
    if (text != null) {
      for (String pair : text.split("&")) {
        int equals = pair.indexOf('=');
        query.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
    return query;
  }

  private static String number(Map<String, String> query) {
    int n = Integer.parseInt(query.get("n"));
    if (n == 42) {
      return "yes";
    }
    return "no";
  }

  private static String range(Map<String, String> query) {
    int n = Integer.parseInt(query.get("n"));
    if (n > 1000 && n < 1010) {
      return "yes";
    }
    return "no";
  }

  private static String text(Map<String, String> query) {
    String s = query.get("s");
    if (s.equals("let-me-in")) {
      return "yes";
    }
    if (s.startsWith("pre-")) {
      return "prefix";
    }
    if (PLATE.matcher(s).find()) {
      return "pattern";
    }
    return "no";
  }

  private static String member(Map<String, String> query) {
    if (WORDS.contains(query.get("s"))) {
      return "yes";
    }
    return "no";
  }

  private static String header(HttpExchange exchange, Map<String, String> query) {
    String secret = exchange.getRequestHeaders().getFirst("x-secret");
    String debug = query.get("debug");
    if ("open".equals(secret)) {
      return "yes";
    }
    return debug == null ? "no" : "no, but there is more to say";
  }

  private static String role(String body) {
    JsonObject order = JsonParser.parseString(body).getAsJsonObject();
    if (order.get("role").getAsString().equals("admin")) {
      return "yes";
    }
    return "no";
  }

  private static String breakOnSeven(int n) {
    if (n == 7) {
      throw new BrokenError("broken: " + n);
    }
    return "no";
  }

  /** Only its name matters. */
  private static final class BrokenError extends RuntimeException {
    private static final long serialVersionUID = 1;

    BrokenError(String message) {
      super(message);
    }
  }

  private static String slow(Map<String, String> query) {
    int n = Integer.parseInt(query.get("n"));
    pause();
    if (n == 0) {
      return "zero";
    }
    if (n == 1) {
      return "one";
    }
    if (n == 2) {
      return "two";
    }
    if (n == 3) {
      return "three";
    }
    if (n == 4) {
      return "four";
    }
    if (n == 5) {
      return "five";
    }
    if (n == 6) {
      return "six";
    }
    if (n == 7) {
      return "seven";
    }
    if (n == 8) {
      return "eight";
    }
    if (n == 9) {
      return "nine";
    }
    return "no";
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
