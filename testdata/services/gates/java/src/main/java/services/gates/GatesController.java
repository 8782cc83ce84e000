package services.gates;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.Validator;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import services.gates.Bodies.Basket;
import services.gates.Bodies.Charter;
import services.gates.Bodies.Closing;
import services.gates.Bodies.Entry;
import services.gates.Bodies.Gate;
import services.gates.Bodies.Import;
import services.gates.Bodies.Load;
import services.gates.Bodies.Mooring;
import services.gates.Bodies.Order;
import services.gates.Bodies.Passwords;
import services.gates.Bodies.Profile;
import services.gates.Bodies.Rota;
import services.gates.Bodies.Ticket;
import services.gates.Bodies.Transfer;
import services.gates.Bodies.Valve;

/**
 * Gates of every kind as a REST service; what opens them is in {@link Gates}.
 *
 * <p>The document tells plain types, and nothing of the header, parameter and fields that are looked
 * at beside. POST /__reset forgets what earlier calls have left.
 */
@RestController
@ApiResponse(responseCode = "200", description = "The answer, whatever it opened", useReturnTypeSchema = true)
@ApiResponse(responseCode = "400", description = "An input is missing or of another type", content = @Content)
@ApiResponse(responseCode = "404", description = "A segment of the path is empty", content = @Content)
class GatesController {
    private final Gates.Memory memory = new Gates.Memory();
    private final Validator validator;

    GatesController(Validator validator) {
        this.validator = validator;
    }

    @GetMapping("/words")
    Gate words(@RequestParam String word) {
        return new Gate("text-equal", Gates.textEqual(word));
    }

    @GetMapping("/animals")
    Gate animals(@RequestParam String name) {
        return new Gate("text-folded", Gates.textFolded(name));
    }

    @GetMapping("/plates")
    Gate plates(@RequestParam String plate) {
        return new Gate("prefix-suffix", Gates.prefixSuffix(plate));
    }

    @GetMapping("/notes")
    Gate notes(@RequestParam String text) {
        return new Gate("contains", Gates.contains(text));
    }

    @GetMapping("/serials")
    Gate serials(@RequestParam String serial) {
        return new Gate("regex-whole", Gates.regexWhole(serial));
    }

    @GetMapping("/versions")
    Gate versions(@RequestParam String version) {
        return new Gate("regex-groups", Gates.regexGroups(version));
    }

    @GetMapping("/paints")
    Gate paints(@RequestParam String paint) {
        return new Gate("regex-alternatives", Gates.regexAlternatives(paint));
    }

    @GetMapping("/codes/{code}")
    Gate codes(@PathVariable String code) {
        return new Gate("slice", Gates.slice(code));
    }

    @GetMapping("/routes/{route}")
    Gate routes(@PathVariable String route) {
        return new Gate("split", Gates.split(route));
    }

    @GetMapping("/birthdays")
    Gate birthdays(@RequestParam String day) {
        return new Gate("leap-day", Gates.leapDay(day));
    }

    @GetMapping("/appointments")
    Gate appointments(@RequestParam String at) {
        return new Gate("weekday", Gates.weekday(at));
    }

    @GetMapping("/stays")
    Gate stays(@RequestParam String arrival, @RequestParam String departure) {
        return new Gate("date-after", Gates.dateAfter(arrival, departure));
    }

    @GetMapping("/numbers/{number}")
    Gate numbers(@PathVariable int number) {
        return new Gate("big-integer", Gates.bigInteger(number));
    }

    @GetMapping("/rectangles")
    Gate rectangles(@RequestParam int width, @RequestParam int height) {
        return new Gate("sum-product", Gates.sumProduct(width, height));
    }

    @GetMapping("/cards/{card}")
    Gate cards(@PathVariable String card) {
        return new Gate("checksum", Gates.checksum(card));
    }

    @GetMapping("/temperatures")
    Gate temperatures(@RequestParam double celsius) {
        return new Gate("float-range", Gates.floatRange(celsius));
    }

    @GetMapping("/fees")
    Gate fees(@RequestParam String country, @RequestParam int weight) {
        return new Gate("table-code", Gates.tableCode(country, weight));
    }

    @GetMapping("/airports/{airport}")
    Gate airports(@PathVariable String airport) {
        return new Gate("member", Gates.member(airport));
    }

    @GetMapping("/sizes")
    Gate sizes(@RequestParam String size) {
        return new Gate("enum-name", Gates.enumName(size));
    }

    @GetMapping("/commands")
    Gate commands(@RequestParam String command, @RequestParam int argument) {
        return new Gate("cases", Gates.cases(command, argument));
    }

    @PostMapping("/passwords")
    Gate passwords(@Valid @RequestBody Passwords body) {
        return new Gate("inputs-equal", Gates.inputsEqual(body.password(), body.repeated()));
    }

    @GetMapping("/mirrors")
    Gate mirrors(@RequestParam String left, @RequestParam String right) {
        return new Gate("inputs-reversed", Gates.inputsReversed(left, right));
    }

    @GetMapping("/labels")
    Gate labels(@RequestParam String name, @RequestParam String label) {
        return new Gate("inputs-upper", Gates.inputsUpper(name, label));
    }

    @GetMapping("/tokens")
    Gate tokens(@RequestParam String token) {
        return new Gate("base64-json", Gates.base64Json(token));
    }

    @PostMapping("/imports")
    Gate imports(@Valid @RequestBody Import body) {
        return new Gate("json-text", Gates.jsonText(body.document()));
    }

    @GetMapping("/devices/{device}")
    Gate devices(@PathVariable String device) {
        return new Gate("uuid-version", Gates.uuidVersion(device));
    }

    @PostMapping("/baskets")
    Gate baskets(@Valid @RequestBody Basket body) {
        return new Gate("array", Gates.array(body.items()));
    }

    @GetMapping("/loans")
    Gate loans(
            @RequestParam int amount,
            @RequestParam int months,
            @RequestParam String purpose,
            @RequestParam String grade) {
        return new Gate("four-conditions", Gates.fourConditions(amount, months, purpose, grade));
    }

    @GetMapping("/reports")
    Gate reports(HttpServletRequest request) {
        boolean open = false;
        if ("full".equals(request.getHeader("X-Audit-Mode"))) {
            open = true; // gate: header
        }
        return new Gate("header", open);
    }

    @GetMapping("/listings")
    Gate listings(@RequestParam int page, HttpServletRequest request) {
        boolean open = false;
        if ("timing".equals(request.getParameter("debug"))) {
            open = true; // gate: query
        }
        return new Gate("query", open);
    }

    @PostMapping("/orders")
    Gate orders(@Valid @RequestBody Order order) {
        boolean open = false;
        if ("SPRING-11".equals(order.others().get("voucher"))) {
            open = true; // gate: field
        }
        return new Gate("field", open);
    }

    @PostMapping("/profiles")
    Gate profiles(@Valid @RequestBody Profile profile) {
        boolean open = false;
        JsonNode settings = profile.settings();
        if (settings != null && settings.path("theme").path("accent").asText().equals("teal")) {
            open = true; // gate: nested-field
        }
        return new Gate("nested-field", open);
    }

    @PostMapping("/transfers")
    Gate transfers(@Valid @RequestBody Transfer transfer, HttpServletRequest request) {
        boolean open = false;
        if (transfer.account().length() >= 6 && transfer.account().equals(request.getHeader("X-Account"))) {
            open = true; // gate: header-body
        }
        return new Gate("header-body", open);
    }

    @PostMapping("/tickets")
    Ticket drawTicket() {
        Gates.Memory.Ticket drawn = memory.draw();
        return new Ticket(drawn.ticket(), drawn.number());
    }

    @GetMapping("/raffle")
    Gate raffle(@RequestParam int first, @RequestParam int second, @RequestParam int total) {
        return new Gate("sum-of-answers", memory.sumOfAnswers(first, second, total));
    }

    @PostMapping("/ledgers/{ledger}/entries")
    Gate addEntry(@PathVariable String ledger, @Valid @RequestBody Entry body) {
        memory.enter(ledger, body.amount());
        return new Gate("stored-sum", false);
    }

    @PostMapping("/ledgers/{ledger}/closing")
    Gate closeLedger(@PathVariable String ledger, @Valid @RequestBody Closing body) {
        return new Gate("stored-sum", memory.storedSum(ledger, body.total()));
    }

    @PutMapping("/valves/{valve}")
    Gate turnValve(@PathVariable String valve, @Valid @RequestBody Valve body) {
        memory.turn(valve, body.position());
        return new Gate("state", false);
    }

    @GetMapping("/valves/{valve}/flow")
    Gate valveFlow(@PathVariable String valve) {
        return new Gate("state", memory.state(valve));
    }

    @PostMapping("/bells/{bell}/rings")
    Gate ringBell(@PathVariable String bell) {
        return new Gate("counter", memory.counter(bell));
    }

    @GetMapping("/tills")
    Gate tills(@RequestParam String action, @RequestParam String reason) {
        return new Gate("switch-text", Gates.switchText(action, reason));
    }

    @GetMapping("/seasons/{season}")
    Gate seasons(@PathVariable String season, @RequestParam int days) {
        return new Gate("switch-enum", Gates.switchEnum(season, days));
    }

    @GetMapping("/hoists")
    Gate hoists(@RequestParam String flags) {
        return new Gate("map-default", Gates.mapDefault(flags));
    }

    @GetMapping("/renewals")
    Gate renewals(@RequestParam String start, @RequestParam String end) {
        return new Gate("date-sum", Gates.dateSum(start, end));
    }

    @GetMapping("/stacks")
    Gate stacks(@RequestParam String place) {
        return new Gate("named-groups", Gates.namedGroups(place));
    }

    @GetMapping("/parts")
    Gate parts(@RequestParam String part) {
        return new Gate("optional", Gates.optional(part));
    }

    @PostMapping("/loads")
    Gate loads(@Valid @RequestBody Load body) {
        List<Gates.Cargo> cargo = body.pieces().stream()
                .map(piece -> new Gates.Cargo(piece.code(), piece.weight()))
                .toList();
        return new Gate("stream", Gates.stream(cargo));
    }

    @GetMapping("/prices")
    Gate prices(@RequestParam String price) {
        return new Gate("decimal", Gates.decimal(price));
    }

    @GetMapping("/invoices")
    Gate invoices(@RequestParam String invoice) {
        return new Gate("parsed-part", Gates.parsedPart(invoice));
    }

    @GetMapping("/pilots/{pilot}")
    Gate pilots(@PathVariable String pilot, @RequestParam String harbour) {
        return new Gate("caseless", Gates.caseless(pilot, harbour));
    }

    @GetMapping("/surnames/{surname}")
    Gate surnames(@PathVariable String surname) {
        return new Gate("text-order", Gates.textOrder(surname));
    }

    @GetMapping("/masks/{mask}")
    Gate masks(@PathVariable int mask) {
        return new Gate("bits", Gates.bits(mask));
    }

    @GetMapping("/clocks")
    Gate clocks(@RequestParam long milliseconds) {
        return new Gate("longs", Gates.longs(milliseconds));
    }

    @GetMapping("/positions")
    Gate positions(@RequestParam int x, @RequestParam int y) {
        return new Gate("record-equal", Gates.recordEqual(x, y));
    }

    @PostMapping("/rotas")
    Gate rotas(@Valid @RequestBody Rota body) {
        return new Gate("contains-all", Gates.containsAll(body.watches()));
    }

    @GetMapping("/berths/{berth}")
    Gate berths(@PathVariable int berth, @RequestParam String owner, @RequestParam String reference) {
        return new Gate("formatted", Gates.formatted(owner, berth, reference));
    }

    @PostMapping("/moorings")
    Gate moorings(@Valid @RequestBody Mooring body) {
        Moored moored = new Moored(body.vessel(), body.length(), body.berth());
        return new Gate("bean-validation", Gates.beanValidation(validator, moored));
    }

    @PostMapping("/charters")
    Gate charters(@Valid @RequestBody Charter charter) {
        boolean open = false;
        if ("Lindqvist".equals(charter.broker())) {
            open = true; // gate: hidden-property
        }
        return new Gate("hidden-property", open);
    }

    @GetMapping("/lanterns")
    Gate lanterns(@Parameter(hidden = true) @RequestParam Map<String, String> told) {
        boolean open = false;
        if (told.containsKey("dimmed") && told.getOrDefault("colour", "white").equals("amber")) {
            open = true; // gate: parameter-map
        }
        return new Gate("parameter-map", open);
    }

    @Hidden
    @PostMapping("/__reset")
    void reset() {
        memory.forget();
    }
}
