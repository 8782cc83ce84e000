package services.customs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import services.customs.Bodies.Item;

/** What the customs office looks at closely; its remarks change no answer. */
final class Rules {
    private static final Map<String, String> CHAPTERS =
            Map.of("01", "animals", "24", "tobacco", "71", "jewels", "93", "arms", "97", "art");
    private static final Map<String, String> OFFICES = Map.of("HAM-3", "sea", "BSL-7", "rail", "FRA-2", "air");
    private static final Map<String, String> SIGNERS = Map.of("k1", "Adler", "k2", "Brandt");
    private static final Pattern REFERENCE = Pattern.compile("([A-Z]{2})-([0-9]{3})/([0-9]{3})");
    private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final ObjectMapper JSON = new ObjectMapper();

    private Rules() {}

    static void remark(String text) {
        if (System.getenv("CUSTOMS_REMARKS") != null) {
            System.err.println("remark " + text);
        }
    }

    /** A day, or null where the text is none. */
    private static LocalDate day(String text) {
        if (!DAY.matcher(text).matches()) {
            return null;
        }
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException wrong) {
            return null;
        }
    }

    static double duty(double base) {
        if (!(base >= 0 && base <= 1e9)) {
            return 0;
        }
        return 0.05 * base;
    }

    static void checkReference(String reference) {
        Matcher matcher = REFERENCE.matcher(reference);
        if (matcher.matches()) {
            String mirrored = new StringBuilder(matcher.group(3)).reverse().toString();
            if (matcher.group(2).equals(mirrored) && !matcher.group(2).equals(matcher.group(3))) {
                remark("MIRRORED_REFERENCE"); // gate: MIRRORED_REFERENCE
            }
        }
    }

    static void checkOrigin(String origin) {
        String plain = origin.replace(".", "").replace('-', ' ').toLowerCase(Locale.ROOT).strip();
        if (plain.replaceAll("\\s+", " ").equals("isle of man")) {
            remark("CROWN_ORIGIN"); // gate: CROWN_ORIGIN
        }
    }

    static void checkDay(String text) {
        LocalDate date = day(text);
        if (date != null && date.getMonthValue() == 2 && date.getDayOfMonth() == 29) {
            if (date.getDayOfWeek() == DayOfWeek.SUNDAY) {
                remark("LEAP_SUNDAY"); // gate: LEAP_SUNDAY
            }
        }
    }

    static void checkItems(List<Item> items) {
        List<Integer> quantities = items.stream().map(Item::quantity).toList();
        List<Integer> sorted = quantities.stream().sorted(Comparator.reverseOrder()).toList();
        if (items.size() >= 3 && quantities.equals(sorted)) {
            Item last = items.get(items.size() - 1);
            if (quantities.get(0) > last.quantity() && last.code().startsWith("99")) {
                remark("DWINDLING_ITEMS"); // gate: DWINDLING_ITEMS
            }
        }
    }

    static void checkSearch(String q) {
        Map<String, String> terms = new HashMap<>();
        for (String term : q.split(";")) {
            String[] parts = term.split(":", 2);
            terms.put(parts[0].strip(), parts.length == 2 ? parts[1].strip() : "");
        }
        if (terms.containsKey("office") && terms.containsKey("lane")) {
            String office = terms.get("office").toUpperCase(Locale.ROOT) + "-" + terms.get("lane");
            if ("rail".equals(OFFICES.get(office))) {
                remark("RAIL_LANE"); // gate: RAIL_LANE
            }
        }
    }

    static void checkAmendment(String reference, String reason) {
        int colon = reason.indexOf(": ");
        if (colon >= 0 && reason.substring(0, colon).equalsIgnoreCase("re") && reference.length() > 2) {
            if (reason.substring(colon + 2).startsWith(reference)) {
                remark("QUOTED_REFERENCE"); // gate: QUOTED_REFERENCE
            }
        }
    }

    static void checkCode(String code) {
        String chapter = code.substring(0, Math.min(2, code.length()));
        if ("arms".equals(CHAPTERS.get(chapter)) && code.matches("[0-9]{6}")) {
            if (Integer.parseInt(code.substring(2, 4)) % 7 == 3 && code.endsWith("0")) {
                remark("ARMS_SUBHEADING"); // gate: ARMS_SUBHEADING
            }
        }
    }

    static void checkLoad(int quantity, int weight) {
        if (weight > 0 && (long) quantity - weight == 77) {
            if ((quantity + (long) weight) % 13 == 4) {
                remark("ODD_LOAD"); // gate: ODD_LOAD
            }
        }
    }

    static void checkTreaty(String treaty) {
        if (treaty.startsWith("lome/")) {
            String edition = treaty.substring("lome/".length());
            if (edition.matches("[0-9]{1,3}")
                    && Integer.parseInt(edition) >= 2
                    && Integer.parseInt(edition) <= 4) {
                remark("LOME_TREATY"); // gate: LOME_TREATY
            }
        }
    }

    static void checkExemptions(JsonNode exemptions) {
        if (exemptions != null && exemptions.isObject()) {
            JsonNode diplomatic = exemptions.path("diplomatic");
            if (diplomatic.isObject() && "consular".equals(diplomatic.path("mission").textValue())) {
                remark("CONSULAR_WAIVER"); // gate: CONSULAR_WAIVER
            }
        }
    }

    static void checkCurrency(String currency, double value) {
        switch (currency) {
            case "EUR", "CHF":
                break;
            case "XDR":
                if (value > 5000 && value < 5250) {
                    remark("DRAWING_RIGHTS"); // gate: DRAWING_RIGHTS
                }
                break;
            default:
                break;
        }
    }

    static void checkLabel(String label) {
        if (!label.startsWith("b64,")) {
            return;
        }
        JsonNode content;
        try {
            content = JSON.readTree(Base64.getDecoder().decode(label.substring(4)));
        } catch (IllegalArgumentException | IOException wrong) {
            return;
        }
        if (content.path("hazard").isInt()) {
            if (content.path("hazard").intValue() >= 7) {
                remark("HAZARD_LABEL"); // gate: HAZARD_LABEL
            }
        }
    }

    static void checkStay(String arrived, String released) {
        LocalDate first = day(arrived);
        LocalDate last = day(released);
        if (first != null && last != null) {
            if (ChronoUnit.DAYS.between(first, last) == 40) {
                remark("QUARANTINE"); // gate: QUARANTINE
            }
        }
    }

    static void checkReturn(Office.Stored parcel, String via) {
        LocalDate arrived = day(parcel.told().arrived());
        LocalDate released = day(parcel.told().released());
        if ("return".equals(via) && arrived != null && released != null && released.isBefore(arrived)) {
            remark("returned on " + parcel.returns().get(0)); // fault: NO_RETURN
        }
    }

    static void checkWeights(List<Integer> weights) {
        if (weights.size() >= 4) {
            int last = weights.get(weights.size() - 1);
            if ((long) weights.get(0) + weights.get(1) == last) {
                long sum = weights.stream().mapToLong(Integer::longValue).sum();
                if (sum == 100 && weights.get(2) > last) {
                    remark("BALANCED_SEAL"); // gate: BALANCED_SEAL
                }
            }
        }
    }

    static void checkToken(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length == 3 && parts[0].equals("v2") && !SIGNERS.containsKey(parts[2])) {
            remark("signed by " + SIGNERS.get(parts[2]).toUpperCase(Locale.ROOT)); // fault: UNKNOWN_SIGNER
        }
    }
}
