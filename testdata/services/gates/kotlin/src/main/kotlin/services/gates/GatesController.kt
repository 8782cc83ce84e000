package services.gates

import com.fasterxml.jackson.annotation.JsonAnySetter
import io.swagger.v3.oas.annotations.Hidden
import io.swagger.v3.oas.annotations.media.Content
import io.swagger.v3.oas.annotations.media.Schema
import io.swagger.v3.oas.annotations.responses.ApiResponse
import jakarta.servlet.http.HttpServletRequest
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController

data class Gate(val gate: String, val open: Boolean)

data class Order(val item: String) {
    @JsonAnySetter
    @get:Schema(hidden = true)
    val others: MutableMap<String, Any?> = mutableMapOf()
}

data class Basket(val items: List<String>)

data class Counts(val counts: List<Int>)

data class Transfer(val account: String, val amount: Int)

data class Entry(val amount: Int)

data class Closing(val total: Int)

data class Charter(val vessel: String, @get:Schema(hidden = true) val broker: String? = null)

/**
 * Some of the gates in another language, and what Kotlin has of its own; what opens them is in
 * `Gates.kt`.
 *
 * The document tells plain types, and nothing of the header, parameter and fields that are looked at
 * beside. POST /__reset forgets what earlier calls have left.
 */
@RestController
@ApiResponse(responseCode = "200", description = "The answer, whatever it opened", useReturnTypeSchema = true)
@ApiResponse(responseCode = "400", description = "An input is missing or of another type", content = [Content()])
@ApiResponse(responseCode = "404", description = "A segment of the path is empty", content = [Content()])
class GatesController {
    private val memory = Memory()

    @GetMapping("/words")
    fun words(@RequestParam word: String) = Gate("text-equal", textEqual(word))

    @GetMapping("/versions")
    fun versions(@RequestParam version: String) = Gate("regex-groups", regexGroups(version))

    @GetMapping("/codes/{code}")
    fun codes(@PathVariable code: String) = Gate("slice", slice(code))

    @GetMapping("/birthdays")
    fun birthdays(@RequestParam day: String) = Gate("leap-day", leapDay(day))

    @GetMapping("/numbers/{number}")
    fun numbers(@PathVariable number: Int) = Gate("big-integer", bigInteger(number))

    @GetMapping("/fees")
    fun fees(@RequestParam country: String, @RequestParam weight: Int) =
        Gate("table-code", tableCode(country, weight))

    @GetMapping("/commands")
    fun commands(@RequestParam command: String, @RequestParam argument: Int) =
        Gate("cases", cases(command, argument))

    @GetMapping("/mirrors")
    fun mirrors(@RequestParam left: String, @RequestParam right: String) =
        Gate("inputs-reversed", inputsReversed(left, right))

    @GetMapping("/tokens")
    fun tokens(@RequestParam token: String) = Gate("base64-json", base64Json(token))

    @PostMapping("/baskets")
    fun baskets(@RequestBody body: Basket) = Gate("array", array(body.items))

    @GetMapping("/reports")
    fun reports(request: HttpServletRequest): Gate {
        if (request.getHeader("X-Audit-Mode") == "full") {
            return Gate("header", true) // gate: header
        }
        return Gate("header", false)
    }

    @GetMapping("/listings")
    fun listings(@RequestParam page: Int, request: HttpServletRequest): Gate {
        if (request.getParameter("debug") == "timing") {
            return Gate("query", true) // gate: query
        }
        return Gate("query", false)
    }

    @PostMapping("/orders")
    fun orders(@RequestBody order: Order): Gate {
        if (order.others["voucher"] == "SPRING-11") {
            return Gate("field", true) // gate: field
        }
        return Gate("field", false)
    }

    @PostMapping("/charters")
    fun charters(@RequestBody charter: Charter): Gate {
        if (charter.broker == "Lindqvist") {
            return Gate("hidden-property", true) // gate: hidden-property
        }
        return Gate("hidden-property", false)
    }

    @PostMapping("/transfers")
    fun transfers(@RequestBody transfer: Transfer, request: HttpServletRequest): Gate {
        if (transfer.account.length >= 6 && request.getHeader("X-Account") == transfer.account) {
            return Gate("header-body", true) // gate: header-body
        }
        return Gate("header-body", false)
    }

    @PostMapping("/ledgers/{ledger}/entries")
    fun addEntry(@PathVariable ledger: String, @RequestBody body: Entry): Gate {
        memory.enter(ledger, body.amount)
        return Gate("stored-sum", false)
    }

    @PostMapping("/ledgers/{ledger}/closing")
    fun closeLedger(@PathVariable ledger: String, @RequestBody body: Closing) =
        Gate("stored-sum", memory.storedSum(ledger, body.total))

    @PostMapping("/bells/{bell}/rings")
    fun ringBell(@PathVariable bell: String) = Gate("counter", memory.counter(bell))

    @GetMapping("/soundings")
    fun soundings(@RequestParam depth: Int, @RequestParam tide: String) =
        Gate("when-range", whenRange(depth, tide))

    @GetMapping("/positions")
    fun positions(@RequestParam x: Int, @RequestParam y: Int) = Gate("data-equal", dataEqual(x, y))

    @GetMapping("/crates")
    fun crates(@RequestParam mark: String) = Gate("nullable-steps", nullableSteps(mark))

    @GetMapping("/fittings")
    fun fittings(@RequestParam label: String) = Gate("extensions", extensions(label))

    @GetMapping("/ranks/{title}")
    fun ranks(@PathVariable title: String) = Gate("enum-entries", enumEntries(title))

    @GetMapping("/signals")
    fun signals(@RequestParam signal: String) = Gate("sealed-when", sealedWhen(signal))

    @GetMapping("/ports/{port}")
    fun ports(@PathVariable port: String, @RequestParam area: String) = Gate("elvis", elvis(port, area))

    @GetMapping("/plots/{plot}")
    fun plots(@PathVariable plot: String) = Gate("destructured", destructured(plot))

    @GetMapping("/addresses")
    fun addresses(@RequestParam street: String, @RequestParam house: Int, @RequestParam line: String) =
        Gate("template", template(street, house, line))

    @PostMapping("/counts")
    fun counts(@RequestBody body: Counts) = Gate("doubling", doubling(body.counts))

    @Hidden
    @PostMapping("/__reset")
    fun reset() = memory.forget()
}
