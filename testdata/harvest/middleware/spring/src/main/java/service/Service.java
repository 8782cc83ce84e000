package service;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** A small service to try the filter with: --server.port=PORT --harvest.collector=URL */
@SpringBootApplication
@RestController
public class Service {
  public static void main(String[] arguments) {
    SpringApplication.run(Service.class, arguments);
  }

  @Bean
  FilterRegistrationBean<HarvestFilter> harvest(
      @Value("${harvest.collector}") URI collector) {
    var filter = new FilterRegistrationBean<>(new HarvestFilter(collector));
    // Inside it everything else happens.
    filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return filter;
  }

  @GetMapping("/books")
  List<Map<String, Object>> books(@RequestParam String tag) {
    return List.of(Map.of("id", 1, "tag", tag));
  }

  @PostMapping("/books")
  @ResponseStatus(HttpStatus.CREATED)
  Map<String, Object> create(@RequestBody Map<String, Object> book) {
    return Map.of("id", 2, "title", book.get("title"));
  }

  @PostMapping("/login")
  void login(@RequestParam String user, HttpServletResponse response) throws IOException {
    response.setContentType(MediaType.TEXT_PLAIN_VALUE);
    response.getWriter().print("welcome " + user);
  }

  @GetMapping(path = "/large", produces = MediaType.TEXT_PLAIN_VALUE)
  String large() {
    return "x".repeat(200_000);
  }

  @GetMapping("/fail")
  String fail() {
    throw new IllegalStateException("as it should");
  }
}
