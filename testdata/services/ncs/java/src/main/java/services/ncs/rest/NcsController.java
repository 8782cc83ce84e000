package services.ncs.rest;

import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import services.ncs.functions.Ncs;
import services.ncs.functions.Refused;

/**
 * The numerical case study as a REST service: {@link Ncs} by paths.
 *
 * <p>All of its answers are in its document, 400 too: it has a body where a segment is not the number
 * that it should be, and none where a function refuses it.
 */
@RestController
@ApiResponse(responseCode = "200", description = "The result", useReturnTypeSchema = true)
@ApiResponse(responseCode = "400", description = "A number that is none, or is refused", content = @Content)
@ApiResponse(responseCode = "404", description = "A segment of the path is empty", content = @Content)
class NcsController {
    @GetMapping("/api/triangle/{a}/{b}/{c}")
    Result triangle(@PathVariable int a, @PathVariable int b, @PathVariable int c) {
        return Result.of(Ncs.triangle(a, b, c));
    }

    @GetMapping("/api/bessj/{n}/{x}")
    Result bessj(@PathVariable int n, @PathVariable double x) {
        return Result.of(Ncs.bessj(n, x));
    }

    @GetMapping("/api/expint/{n}/{x}")
    Result expint(@PathVariable int n, @PathVariable double x) {
        return Result.of(Ncs.expint(n, x));
    }

    @GetMapping("/api/fisher/{m}/{n}/{x}")
    Result fisher(@PathVariable int m, @PathVariable int n, @PathVariable double x) {
        return Result.of(Ncs.fisher(m, n, x));
    }

    @GetMapping("/api/gammq/{a}/{x}")
    Result gammq(@PathVariable double a, @PathVariable double x) {
        return Result.of(Ncs.gammq(a, x));
    }

    @GetMapping("/api/remainder/{a}/{b}")
    Result remainder(@PathVariable int a, @PathVariable int b) {
        return Result.of(Ncs.remainder(a, b));
    }

    @ExceptionHandler(Refused.class)
    ResponseEntity<Void> refused() {
        return ResponseEntity.badRequest().build();
    }
}
