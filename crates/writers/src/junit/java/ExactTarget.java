package PACKAGE;

import io.restassured.filter.Filter;
import java.net.URI;
import org.apache.http.impl.client.AbstractHttpClient;
import org.apache.http.impl.client.RequestWrapper;

/** Paths and queries that REST Assured would tidy up: it joins slashes and sorts parameters. */
final class ExactTarget {
  private ExactTarget() {}

  /** Sends the path and query just as they stand, whatever the request says. */
  static Filter exactly(String target) {
    URI uri = URI.create(Api.BASE_URL.getRawPath() + target);
    return (request, response, context) -> {
      AbstractHttpClient client = (AbstractHttpClient) request.getHttpClient();
      client.addRequestInterceptor((message, http) -> ((RequestWrapper) message).setURI(uri));
      return context.next(request, response);
    };
  }
}
