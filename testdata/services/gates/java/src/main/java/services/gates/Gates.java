package services.gates;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.validation.Validator;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Month;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What opens a gate, each kind of condition once.
 *
 * <p>A method is one gate, and its line with the mark is run only when it opens. Gates that look at
 * the request itself are in the controller. {@link Memory} holds the gates that need several calls.
 */
final class Gates {
    private static final Map<String, Integer> FEES =
            Map.of("NO1", 310, "NO2", 545, "IS1", 420, "IS3", 1290, "FO2", 780);
    private static final Set<String> AIRPORTS = Set.of("KEF", "TRD", "BGO", "SVG");
    private static final Set<String> WATCHES = Set.of("dog", "forenoon", "middle");
    private static final Map<String, String> FLAGS =
            Map.of("uniform", "danger", "oscar", "overboard", "quebec", "healthy", "whiskey", "doctor");

    private static final Pattern SERIAL = Pattern.compile("[A-F]{2}[0-9]{4}-[xyz]");
    private static final Pattern VERSION = Pattern.compile("v([0-9]+)\\.([0-9]+)\\.([0-9]+)");
    private static final Pattern PAINT = Pattern.compile("(red|green|blue)-(light|dark)-([0-9]{2})");
    private static final Pattern STACK =
            Pattern.compile("(?<bay>[A-Z][0-9])/(?<row>[0-9]{1,3})/(?<tier>[0-9]{1,3})");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Position HOME = new Position(-217, 4408);

    enum Size { SMALL, MEDIUM, LARGE, COLOSSAL }

    enum Season { SPRING, SUMMER, AUTUMN, WINTER }

    record Position(int x, int y) {}

    record Cargo(String code, int weight) {}

    private Gates() {}

    static boolean textEqual(String word) {
        if (word.equals("porcupine")) {
            return true; // gate: text-equal
        }
        return false;
    }

    static boolean textFolded(String name) {
        if (name.strip().toLowerCase(Locale.ROOT).equals("armadillo")) {
            return true; // gate: text-folded
        }
        return false;
    }

    static boolean prefixSuffix(String plate) {
        if (plate.startsWith("KX-") && plate.endsWith("-9Q") && plate.length() == 12) {
            return true; // gate: prefix-suffix
        }
        return false;
    }

    static boolean contains(String note) {
        if (note.contains("overdue") && note.length() > 20) {
            return true; // gate: contains
        }
        return false;
    }

    static boolean regexWhole(String serial) {
        if (SERIAL.matcher(serial).matches()) {
            return true; // gate: regex-whole
        }
        return false;
    }

    static boolean regexGroups(String version) {
        Matcher matcher = VERSION.matcher(version);
        if (!matcher.matches()) {
            return false;
        }
        BigDecimal major = new BigDecimal(matcher.group(1));
        BigDecimal minor = new BigDecimal(matcher.group(2));
        BigDecimal patch = new BigDecimal(matcher.group(3));
        if (major.intValue() == 7 && minor.compareTo(patch) > 0 && patch.intValue() == 21) {
            return true; // gate: regex-groups
        }
        return false;
    }

    static boolean regexAlternatives(String paint) {
        Matcher matcher = PAINT.matcher(paint);
        if (matcher.lookingAt()
                && !matcher.group(1).equals("red")
                && matcher.group(2).equals("dark")
                && matcher.group(3).equals("42")) {
            return true; // gate: regex-alternatives
        }
        return false;
    }

    static boolean slice(String code) {
        if (code.length() >= 6 && code.substring(2, 5).equals("xyz") && code.charAt(code.length() - 1) == '7') {
            return true; // gate: slice
        }
        return false;
    }

    static boolean split(String route) {
        String[] stops = route.split(":");
        if (stops.length == 3 && stops[0].equals("oslo") && stops[2].equals("rome")) {
            return true; // gate: split
        }
        return false;
    }

    static boolean leapDay(String text) {
        LocalDate day;
        try {
            day = LocalDate.parse(text);
        } catch (DateTimeParseException wrong) {
            return false;
        }
        if (day.getMonth() == Month.FEBRUARY && day.getDayOfMonth() == 29 && day.getYear() < 2000) {
            return true; // gate: leap-day
        }
        return false;
    }

    static boolean weekday(String text) {
        OffsetDateTime moment;
        try {
            moment = OffsetDateTime.parse(text);
        } catch (DateTimeParseException wrong) {
            return false;
        }
        if (moment.getDayOfWeek() == DayOfWeek.SUNDAY && moment.getMonthValue() == 11 && moment.getHour() == 3) {
            return true; // gate: weekday
        }
        return false;
    }

    static boolean dateAfter(String arrival, String departure) {
        LocalDate first;
        LocalDate last;
        try {
            first = LocalDate.parse(arrival);
            last = LocalDate.parse(departure);
        } catch (DateTimeParseException wrong) {
            return false;
        }
        if (last.isAfter(first) && ChronoUnit.DAYS.between(first, last) == 28) {
            return true; // gate: date-after
        }
        return false;
    }

    static boolean bigInteger(int number) {
        if (number == 738_265_914) {
            return true; // gate: big-integer
        }
        return false;
    }

    static boolean sumProduct(int width, int height) {
        if ((long) width * height == 7387 && (long) width + height == 172) {
            return true; // gate: sum-product
        }
        return false;
    }

    /** Luhn's: from the right, each second digit counts twice, and its own digits are added. */
    static boolean checksum(String card) {
        boolean digits = card.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        if (card.length() != 12 || !digits || card.chars().distinct().count() == 1) {
            return false;
        }
        int total = 0;
        for (int place = 0; place < card.length(); place++) {
            int value = (card.charAt(card.length() - 1 - place) - '0') * (1 + place % 2);
            total += value > 9 ? value - 9 : value;
        }
        if (total % 10 == 0) {
            return true; // gate: checksum
        }
        return false;
    }

    static boolean floatRange(double celsius) {
        if (celsius > 36.61 && celsius < 36.62) {
            return true; // gate: float-range
        }
        return false;
    }

    static boolean tableCode(String country, int weight) {
        String area = country.substring(0, Math.min(2, country.length())).toUpperCase(Locale.ROOT);
        Integer fee = FEES.get(area + weight / 10);
        if (fee != null && fee > 1000) {
            return true; // gate: table-code
        }
        return false;
    }

    static boolean member(String airport) {
        if (AIRPORTS.contains(airport)) {
            return true; // gate: member
        }
        return false;
    }

    static boolean enumName(String name) {
        Size size;
        try {
            size = Size.valueOf(name);
        } catch (IllegalArgumentException unknown) {
            return false;
        }
        if (size == Size.COLOSSAL) {
            return true; // gate: enum-name
        }
        return false;
    }

    static boolean cases(String command, int argument) {
        switch (command) {
            case "fill", "empty":
                return false;
            case "drain":
                if (argument == 12) {
                    return true; // gate: cases
                }
                return false;
            default:
                return false;
        }
    }

    static boolean inputsEqual(String password, String repeated) {
        if (password.length() >= 8 && password.equals(repeated)) {
            return true; // gate: inputs-equal
        }
        return false;
    }

    static boolean inputsReversed(String left, String right) {
        String mirrored = new StringBuilder(left).reverse().toString();
        if (left.length() >= 5 && !left.equals(right) && right.equals(mirrored)) {
            return true; // gate: inputs-reversed
        }
        return false;
    }

    static boolean inputsUpper(String name, String label) {
        if (name.length() >= 4 && !name.equals(label) && label.equals(name.toUpperCase(Locale.ROOT))) {
            return true; // gate: inputs-upper
        }
        return false;
    }

    static boolean base64Json(String token) {
        JsonNode claims;
        try {
            claims = JSON.readTree(Base64.getDecoder().decode(token));
        } catch (IllegalArgumentException | IOException wrong) {
            return false;
        }
        if (claims.path("role").asText().equals("keeper")) {
            return true; // gate: base64-json
        }
        return false;
    }

    static boolean jsonText(String document) {
        JsonNode content;
        try {
            content = JSON.readTree(document);
        } catch (JsonProcessingException wrong) {
            return false;
        }
        if (content.path("kind").asText().equals("ledger")) {
            return true; // gate: json-text
        }
        return false;
    }

    static boolean uuidVersion(String text) {
        UUID identifier;
        try {
            identifier = UUID.fromString(text);
        } catch (IllegalArgumentException wrong) {
            return false;
        }
        if (identifier.version() == 5) {
            return true; // gate: uuid-version
        }
        return false;
    }

    static boolean array(List<String> items) {
        if (items.size() == 4 && "lemon".equals(items.get(2))) {
            return true; // gate: array
        }
        return false;
    }

    static boolean fourConditions(int amount, int months, String purpose, String grade) {
        if (amount > 50_000 && months % 12 == 0) {
            if (purpose.equals("houseboat") && (grade.equals("AA") || grade.equals("AAA"))) {
                return true; // gate: four-conditions
            }
        }
        return false;
    }

    // What Java has of its own

    static boolean switchText(String action, String reason) {
        int code = switch (action) {
            case "open", "close" -> 0;
            case "void-last" -> switch (reason) {
                case "mistake" -> 2;
                case "spillage" -> 3;
                default -> 1;
            };
            default -> 0;
        };
        if (code == 3) {
            return true; // gate: switch-text
        }
        return false;
    }

    static boolean switchEnum(String name, int days) {
        Season season;
        try {
            season = Season.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            return false;
        }
        switch (season) {
            case SPRING:
            case SUMMER:
                return false;
            case AUTUMN:
                if (days == 91) {
                    return true; // gate: switch-enum
                }
                return false;
            default:
                return false;
        }
    }

    static boolean mapDefault(String hoist) {
        String[] flags = hoist.split("-");
        if (flags.length == 2
                && FLAGS.getOrDefault(flags[0], "none").equals("overboard")
                && FLAGS.getOrDefault(flags[1], "none").equals("doctor")) {
            return true; // gate: map-default
        }
        return false;
    }

    static boolean dateSum(String start, String end) {
        try {
            LocalDate renewed = LocalDate.parse(start).plusMonths(18).minusDays(1);
            if (renewed.isEqual(LocalDate.parse(end)) && renewed.getDayOfWeek() == DayOfWeek.FRIDAY) {
                return true; // gate: date-sum
            }
        } catch (DateTimeParseException wrong) {
            return false;
        }
        return false;
    }

    static boolean namedGroups(String place) {
        Matcher stack = STACK.matcher(place);
        if (stack.matches()) {
            int row = Integer.parseInt(stack.group("row"));
            int tier = Integer.parseInt(stack.group("tier"));
            if (row == 3 * tier && tier > 40 && stack.group("bay").equals("Q7")) {
                return true; // gate: named-groups
            }
        }
        return false;
    }

    static boolean optional(String part) {
        Optional<String> kind = Optional.of(part)
                .map(String::strip)
                .filter(text -> text.startsWith("ptn:"))
                .map(text -> text.substring(4));
        if (kind.filter("halyard"::equals).isPresent()) {
            return true; // gate: optional
        }
        return false;
    }

    static boolean stream(List<Cargo> cargo) {
        int heavy = cargo.stream()
                .map(Cargo::weight)
                .filter(weight -> weight > 900)
                .mapToInt(weight -> weight - 900)
                .sum();
        if (heavy == 75 && cargo.stream().anyMatch(piece -> piece.code().endsWith("-keel"))) {
            return true; // gate: stream
        }
        return false;
    }

    static boolean decimal(String price) {
        BigDecimal amount;
        try {
            amount = new BigDecimal(price);
        } catch (NumberFormatException wrong) {
            return false;
        }
        if (amount.compareTo(new BigDecimal("1249.95")) == 0 && amount.scale() == 4) {
            return true; // gate: decimal
        }
        return false;
    }

    static boolean parsedPart(String invoice) {
        if (!invoice.startsWith("INV/")) {
            return false;
        }
        try {
            if (Integer.parseInt(invoice.substring(4)) == 47_110) {
                return true; // gate: parsed-part
            }
        } catch (NumberFormatException wrong) {
            return false;
        }
        return false;
    }

    static boolean caseless(String pilot, String harbour) {
        if (pilot.equalsIgnoreCase("Marigold") && harbour.contentEquals("Thurso")) {
            return true; // gate: caseless
        }
        return false;
    }

    static boolean textOrder(String surname) {
        if (surname.compareTo("mastodon") > 0 && surname.compareTo("mastoid") < 0) {
            return true; // gate: text-order
        }
        return false;
    }

    static boolean bits(int mask) {
        if ((mask & 0x0F0) == 0x0A0 && Integer.bitCount(mask) == 9) {
            return true; // gate: bits
        }
        return false;
    }

    static boolean longs(long milliseconds) {
        if (milliseconds / 86_400_000L == 20_021L && milliseconds % 1000L == 731L) {
            return true; // gate: longs
        }
        return false;
    }

    static boolean recordEqual(int x, int y) {
        if (new Position(x, y).equals(HOME)) {
            return true; // gate: record-equal
        }
        return false;
    }

    static boolean containsAll(Collection<String> watches) {
        if (watches.size() == 4 && watches.containsAll(WATCHES)) {
            return true; // gate: contains-all
        }
        return false;
    }

    static boolean formatted(String owner, int berth, String reference) {
        if (owner.length() > 2 && reference.equals(String.format(Locale.ROOT, "%s-%04d", owner, berth))) {
            return true; // gate: formatted
        }
        return false;
    }

    static boolean beanValidation(Validator validator, Moored moored) {
        if (validator.validate(moored).isEmpty()) {
            return true; // gate: bean-validation
        }
        return false;
    }

    /** What calls leave behind for later ones. */
    static final class Memory {
        private static final int SHELF_SIZE = 10_000;

        record Ticket(int ticket, int number) {}

        private final Map<Integer, Integer> numbers = new LinkedHashMap<>();
        private final Map<String, List<Integer>> ledgers = new LinkedHashMap<>();
        private final Map<String, String> valves = new LinkedHashMap<>();
        private final Map<String, Integer> rings = new LinkedHashMap<>();
        private int tickets;

        /** A new ticket and its number, which nobody can guess from the ticket. */
        synchronized Ticket draw() {
            makeRoom(numbers);
            tickets++;
            int number = (int) (1000 + tickets * 7919L % 8999);
            numbers.put(tickets, number);
            return new Ticket(tickets, number);
        }

        synchronized boolean sumOfAnswers(int first, int second, int total) {
            if (first == second || !numbers.containsKey(first) || !numbers.containsKey(second)) {
                return false;
            }
            if (numbers.get(first) + numbers.get(second) == total) {
                return true; // gate: sum-of-answers
            }
            return false;
        }

        synchronized void enter(String ledger, int amount) {
            makeRoom(ledgers);
            ledgers.computeIfAbsent(ledger, name -> new ArrayList<>()).add(amount);
        }

        synchronized boolean storedSum(String ledger, int total) {
            List<Integer> amounts = ledgers.getOrDefault(ledger, List.of());
            long sum = amounts.stream().mapToLong(Integer::longValue).sum();
            if (amounts.size() >= 2 && total > 1000 && sum == total) {
                return true; // gate: stored-sum
            }
            return false;
        }

        synchronized void turn(String valve, String position) {
            makeRoom(valves);
            valves.put(valve, position);
        }

        synchronized boolean state(String valve) {
            if ("bypass".equals(valves.get(valve))) {
                return true; // gate: state
            }
            return false;
        }

        synchronized boolean counter(String bell) {
            makeRoom(rings);
            if (rings.merge(bell, 1, Integer::sum) >= 3) {
                return true; // gate: counter
            }
            return false;
        }

        synchronized void forget() {
            numbers.clear();
            ledgers.clear();
            valves.clear();
            rings.clear();
            tickets = 0;
        }

        /** A long run must not eat the machine. */
        private static void makeRoom(Map<?, ?> shelf) {
            if (shelf.size() >= SHELF_SIZE) {
                shelf.remove(shelf.keySet().iterator().next());
            }
        }
    }
}
