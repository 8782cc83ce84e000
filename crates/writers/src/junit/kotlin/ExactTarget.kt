package PACKAGE

import io.restassured.filter.Filter
import org.apache.http.HttpRequestInterceptor
import org.apache.http.impl.client.AbstractHttpClient
import org.apache.http.impl.client.RequestWrapper
import java.net.URI

/**
 * Sends the path and query just as they stand, whatever the request says: REST Assured would join
 * slashes and sort parameters.
 */
@Suppress("DEPRECATION")
internal fun exactly(target: String): Filter {
    val uri = URI.create(baseUrl.rawPath + target)
    return Filter { request, response, context ->
        val client = request.httpClient as AbstractHttpClient
        client.addRequestInterceptor(HttpRequestInterceptor { message, _ -> (message as RequestWrapper).uri = uri })
        context.next(request, response)
    }
}
