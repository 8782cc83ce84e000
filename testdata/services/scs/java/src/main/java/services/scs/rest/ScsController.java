package services.scs.rest;

import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import services.scs.functions.Scs;

/**
 * The string case study as a REST service: {@link Scs} by paths, answered with bare texts.
 *
 * <p>All of its answers are in its document, 400 too, which is for numbers that are none. `/api/regex`
 * is `/api/pat/{txt}` once more, with a parameter that may have slashes in it, as addresses need.
 */
@RestController
@RequestMapping(path = "/api", produces = MediaType.TEXT_PLAIN_VALUE)
@ApiResponse(responseCode = "200", description = "The result", useReturnTypeSchema = true)
@ApiResponse(responseCode = "400", description = "A number that is none, or a wrong path", content = @Content)
@ApiResponse(responseCode = "404", description = "A segment of the path is empty", content = @Content)
class ScsController {
    @GetMapping("/calc/{op}/{arg1}/{arg2}")
    String calc(@PathVariable String op, @PathVariable double arg1, @PathVariable double arg2) {
        return Double.toString(Scs.calc(op, arg1, arg2));
    }

    @GetMapping("/cookie/{name}/{val}/{site}")
    String cookie(@PathVariable String name, @PathVariable String val, @PathVariable String site) {
        return Scs.cookie(name, val, site);
    }

    @GetMapping("/costfuns/{i}/{s}")
    String costfuns(@PathVariable int i, @PathVariable String s) {
        return Scs.costfuns(i, s);
    }

    @GetMapping("/dateparse/{dayname}/{monthname}")
    String dateParse(@PathVariable String dayname, @PathVariable String monthname) {
        return Scs.dateParse(dayname, monthname);
    }

    @GetMapping("/filesuffix/{directory}/{file}")
    String fileSuffix(@PathVariable String directory, @PathVariable String file) {
        return Scs.fileSuffix(directory, file);
    }

    @GetMapping("/notypevar/{i}/{s}")
    String notyPevar(@PathVariable int i, @PathVariable String s) {
        return Scs.notyPevar(i, s);
    }

    @GetMapping("/ordered4/{w}/{x}/{z}/{y}")
    String ordered4(
            @PathVariable String w, @PathVariable String x, @PathVariable String z, @PathVariable String y) {
        return Scs.ordered4(w, x, z, y);
    }

    @GetMapping("/pat/{txt}/{pat}")
    String pat(@PathVariable String txt, @PathVariable String pat) {
        return Scs.pat(txt, pat);
    }

    @GetMapping("/pat/{txt}")
    String regex(@PathVariable String txt) {
        return Scs.regex(txt);
    }

    @GetMapping("/regex")
    String regexOfParameter(@RequestParam String txt) {
        return Scs.regex(txt);
    }

    @GetMapping("/text2txt/{word1}/{word2}/{word3}")
    String text2Txt(@PathVariable String word1, @PathVariable String word2, @PathVariable String word3) {
        return Scs.text2Txt(word1, word2, word3);
    }

    @GetMapping("/title/{sex}/{title}")
    String title(@PathVariable String sex, @PathVariable String title) {
        return Scs.title(sex, title);
    }
}
