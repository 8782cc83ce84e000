/**
 * What opens a gate, each kind of condition once.
 *
 * A function is one gate, and its line with the mark is run only when it opens. Gates that look at
 * the request itself are in the controller. [Memory] holds the gates that need several calls.
 */
package services.gates

import com.fasterxml.jackson.databind.ObjectMapper
import java.time.LocalDate
import java.time.Month
import java.util.Base64

private const val SHELF_SIZE = 10_000

private val FEES = mapOf("NO1" to 310, "NO2" to 545, "IS1" to 420, "IS3" to 1290, "FO2" to 780)
private val PORTS = mapOf("leith" to "forth", "wick" to "moray", "oban" to "lorn")
private val VERSION = Regex("""v([0-9]+)\.([0-9]+)\.([0-9]+)""")
private val PLOT = Regex("([A-Z]{2})([0-9]{2,4})-([a-z]+)")
private val HOME = Position(-217, 4408)
private val JSON = ObjectMapper()

data class Position(val x: Int, val y: Int)

enum class Rank(val title: String) {
    MATE("second mate"),
    MASTER("sailing master"),
    BOATSWAIN("chief boatswain"),
}

sealed interface Signal {
    data class Whistle(val blasts: Int) : Signal

    data class Lamp(val colour: String) : Signal

    data object Silence : Signal
}

private fun String.isMirrorOf(other: String) = length >= 5 && this != other && this == other.reversed()

private fun String.toSignal(): Signal = when {
    startsWith("lamp ") -> Signal.Lamp(removePrefix("lamp "))
    startsWith("whistle ") -> substringAfter(' ').toIntOrNull()?.let(Signal::Whistle) ?: Signal.Silence
    else -> Signal.Silence
}

fun textEqual(word: String): Boolean {
    if (word == "porcupine") {
        return true // gate: text-equal
    }
    return false
}

fun regexGroups(version: String): Boolean {
    val match = VERSION.matchEntire(version) ?: return false
    val (major, minor, patch) = match.groupValues.drop(1).map { it.toBigInteger() }
    if (major == 7.toBigInteger() && minor > patch && patch == 21.toBigInteger()) {
        return true // gate: regex-groups
    }
    return false
}

fun slice(code: String): Boolean {
    if (code.length >= 6 && code.slice(2..4) == "xyz" && code.last() == '7') {
        return true // gate: slice
    }
    return false
}

fun leapDay(text: String): Boolean {
    val day = runCatching { LocalDate.parse(text) }.getOrNull() ?: return false
    if (day.month == Month.FEBRUARY && day.dayOfMonth == 29 && day.year < 2000) {
        return true // gate: leap-day
    }
    return false
}

fun bigInteger(number: Int): Boolean {
    if (number == 738_265_914) {
        return true // gate: big-integer
    }
    return false
}

fun tableCode(country: String, weight: Int): Boolean {
    val fee = FEES["${country.take(2).uppercase()}${weight / 10}"]
    if (fee != null && fee > 1000) {
        return true // gate: table-code
    }
    return false
}

fun cases(command: String, argument: Int): Boolean {
    when (command) {
        "fill", "empty" -> return false
        "drain" -> if (argument == 12) {
            return true // gate: cases
        }
    }
    return false
}

fun inputsReversed(left: String, right: String): Boolean {
    if (right.isMirrorOf(left)) {
        return true // gate: inputs-reversed
    }
    return false
}

fun base64Json(token: String): Boolean {
    val claims = runCatching { JSON.readTree(Base64.getDecoder().decode(token)) }.getOrNull()
    if (claims?.get("role")?.textValue() == "keeper") {
        return true // gate: base64-json
    }
    return false
}

fun array(items: List<String>): Boolean {
    if (items.size == 4 && items[2] == "lemon") {
        return true // gate: array
    }
    return false
}

// What Kotlin has of its own

fun whenRange(depth: Int, tide: String): Boolean {
    val level = when (depth) {
        in 0..99 -> 1
        in 4_711..4_713 -> if (tide == "slack") 9 else 2
        else -> 0
    }
    if (level == 9) {
        return true // gate: when-range
    }
    return false
}

fun dataEqual(x: Int, y: Int): Boolean {
    if (Position(x, y).copy(y = y - 1) == HOME) {
        return true // gate: data-equal
    }
    return false
}

fun nullableSteps(text: String): Boolean {
    val number = text.substringAfter('#', "").toIntOrNull()?.takeIf { it % 97 == 13 }
    if (number != null && number > 50_000) {
        return true // gate: nullable-steps
    }
    return false
}

fun extensions(label: String): Boolean {
    val plain = label.trim().removeSurrounding("<", ">").substringBeforeLast('@')
    if (plain.equals("capstan", ignoreCase = true) && label.endsWith("@aft>")) {
        return true // gate: extensions
    }
    return false
}

fun enumEntries(title: String): Boolean {
    val rank = Rank.entries.find { it.title == title }
    if (rank == Rank.BOATSWAIN) {
        return true // gate: enum-entries
    }
    return false
}

fun sealedWhen(text: String): Boolean {
    val heard = when (val signal = text.toSignal()) {
        is Signal.Lamp -> if (signal.colour == "violet") 2 else 0
        is Signal.Whistle -> if (signal.blasts == 41) 3 else 1
        Signal.Silence -> 0
    }
    if (heard == 3) {
        return true // gate: sealed-when
    }
    return false
}

fun elvis(port: String, area: String): Boolean {
    val known = PORTS[port] ?: return false
    if (known == area) {
        return true // gate: elvis
    }
    return false
}

fun destructured(plot: String): Boolean {
    val (area, number, owner) = PLOT.matchEntire(plot)?.destructured ?: return false
    if (area == "RV" && number.toInt() in 1200..1210 && owner.length == 7) {
        return true // gate: destructured
    }
    return false
}

fun template(street: String, house: Int, line: String): Boolean {
    if (street.isNotBlank() && line == "$house, $street") {
        return true // gate: template
    }
    return false
}

fun doubling(counts: List<Int>): Boolean {
    if (counts.size >= 4 && counts.first() > 10 && counts.zipWithNext().all { (one, next) -> next == 2 * one }) {
        return true // gate: doubling
    }
    return false
}

/** What calls leave behind for later ones. */
class Memory {
    private val ledgers = linkedMapOf<String, MutableList<Int>>()
    private val rings = linkedMapOf<String, Int>()

    @Synchronized
    fun enter(ledger: String, amount: Int) {
        ledgers.makeRoom()
        ledgers.getOrPut(ledger) { mutableListOf() } += amount
    }

    @Synchronized
    fun storedSum(ledger: String, total: Int): Boolean {
        val amounts = ledgers[ledger].orEmpty()
        if (amounts.size >= 2 && total > 1000 && amounts.sumOf { it.toLong() } == total.toLong()) {
            return true // gate: stored-sum
        }
        return false
    }

    @Synchronized
    fun counter(bell: String): Boolean {
        rings.makeRoom()
        val count = rings.getOrDefault(bell, 0) + 1
        rings[bell] = count
        if (count >= 3) {
            return true // gate: counter
        }
        return false
    }

    @Synchronized
    fun forget() {
        ledgers.clear()
        rings.clear()
    }

    /** A long run must not eat the machine. */
    private fun MutableMap<String, *>.makeRoom() {
        if (size >= SHELF_SIZE) {
            remove(keys.first())
        }
    }
}
