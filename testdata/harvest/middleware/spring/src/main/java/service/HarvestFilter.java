package service;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingRequestWrapper;

/**
 * Tells a collector of the calls that a Spring service answers. Where the collector is slow or
 * gone, calls are dropped and counted; the service never waits.
 */
public class HarvestFilter extends OncePerRequestFilter {
  static final int LARGEST = 65536;
  private static final Set<String> SECRET =
      Set.of("authorization", "proxy-authorization", "cookie", "x-api-key");

  private final URI collector;
  private final BlockingQueue<Map<String, Object>> waiting = new ArrayBlockingQueue<>(1000);
  private final AtomicLong dropped = new AtomicLong();
  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  public HarvestFilter(URI collector) {
    this.collector = collector;
    Thread sender = new Thread(this::send, "harvest");
    sender.setDaemon(true);
    sender.start();
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Call call = new Call(new Sent(request), new Answered(response));
    try {
      chain.doFilter(call.request, call.response);
    } catch (Exception error) {
      // The container makes the answer, out of sight of any filter.
      call.status = HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
      throw error;
    } finally {
      if (request.isAsyncStarted()) {
        request.getAsyncContext().addListener(call);
      } else {
        call.keep();
      }
    }
  }

  /** Keeps what the service reads, as it reads it. */
  private static class Sent extends ContentCachingRequestWrapper {
    boolean tooLarge;

    Sent(HttpServletRequest request) {
      super(request, LARGEST);
    }

    @Override
    protected void handleContentOverflow(int limit) {
      tooLarge = true;
    }
  }

  private class Call implements AsyncListener {
    final long at = System.currentTimeMillis();
    final long began = System.nanoTime();
    final Sent request;
    final Answered response;
    int status;

    Call(Sent request, Answered response) {
      this.request = request;
      this.response = response;
    }

    void keep() {
      try {
        if (request.tooLarge || !waiting.offer(told())) {
          dropped.incrementAndGet();
        }
      } catch (RuntimeException error) {
        dropped.incrementAndGet();
      }
    }

    private Map<String, Object> told() {
      String query = request.getQueryString();
      Map<String, Object> told = new LinkedHashMap<>();
      told.put("at", at);
      told.put("method", request.getMethod());
      told.put("target", request.getRequestURI() + (query == null ? "" : "?" + query));
      told.put("headers", headers());
      told.put("client", request.getRemoteAddr());
      told.put("status", status == 0 ? response.getStatus() : status);
      told.put("took_ms", (System.nanoTime() - began) / 1e6);
      told.put("answer_type", response.getContentType());
      put(told, "body", request.getContentAsByteArray());
      if (status == 0 && response.getHeader("content-encoding") == null) {
        put(told, "answer", response.bytes());
      }
      return told;
    }

    private Map<String, List<String>> headers() {
      Map<String, List<String>> headers = new LinkedHashMap<>();
      for (String name : Collections.list(request.getHeaderNames())) {
        if (!SECRET.contains(name.toLowerCase())) {
          headers.put(name, Collections.list(request.getHeaders(name)));
        }
      }
      return headers;
    }

    @Override
    public void onComplete(AsyncEvent event) {
      keep();
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }

  private static void put(Map<String, Object> told, String name, byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    try {
      var decoder = StandardCharsets.UTF_8.newDecoder();
      told.put(name, decoder.decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException error) {
      told.put(name + "_base64", Base64.getEncoder().encodeToString(bytes));
    }
  }

  private void send() {
    while (true) {
      List<Map<String, Object>> calls = new ArrayList<>();
      try {
        calls.add(waiting.take());
        Thread.sleep(250);
        waiting.drainTo(calls, 99);
        send(calls);
      } catch (InterruptedException error) {
        return;
      } catch (IOException | RuntimeException error) {
        dropped.addAndGet(calls.size());
      }
    }
  }

  private void send(List<Map<String, Object>> calls) throws IOException, InterruptedException {
    long told = dropped.get();
    StringBuilder lines = new StringBuilder();
    for (Map<String, Object> call : calls) {
      lines.append(json.writeValueAsString(call)).append('\n');
    }
    HttpRequest request =
        HttpRequest.newBuilder(collector)
            .timeout(Duration.ofSeconds(2))
            .header("content-type", "application/x-ndjson")
            .header("x-dropped", Long.toString(told))
            .POST(BodyPublishers.ofString(lines.toString()))
            .build();
    int status = client.send(request, BodyHandlers.discarding()).statusCode();
    if (status >= 300) {
      throw new IOException("the collector answered " + status);
    }
    dropped.addAndGet(-told);
  }
}
