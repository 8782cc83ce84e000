package services.customs;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import services.customs.Bodies.Declaration;
import services.customs.Bodies.DeclarationView;
import services.customs.Bodies.Parcel;
import services.customs.Bodies.Seal;

/** What earlier calls have left. */
final class Office {
    private static final Pattern CLOCK = Pattern.compile("([01][0-9]|2[0-3]):[0-5][0-9]");

    /** A parcel, and the days on which it came back. */
    record Stored(Parcel told, List<String> returns) {}

    private final Map<Integer, DeclarationView> declarations = new LinkedHashMap<>();
    private final Map<String, Stored> parcels = new HashMap<>();
    private final Map<String, Seal> seals = new HashMap<>();
    private final Map<String, Integer> failures = new HashMap<>();
    private boolean alarmed;

    synchronized void forget() {
        declarations.clear();
        parcels.clear();
        seals.clear();
        failures.clear();
        alarmed = false;
    }

    synchronized DeclarationView declare(Declaration told) {
        int number = declarations.size() + 1;
        DeclarationView declaration = new DeclarationView(number, told.reference(), told.items().size());
        declarations.put(number, declaration);
        return declaration;
    }

    synchronized List<DeclarationView> declarationsWith(String part) {
        return declarations.values().stream()
                .filter(declaration -> declaration.reference().contains(part))
                .limit(20)
                .toList();
    }

    synchronized DeclarationView declaration(int number) {
        return found(declarations.get(number));
    }

    synchronized void register(Parcel parcel) {
        parcels.put(parcel.barcode(), new Stored(parcel, List.of()));
    }

    synchronized Stored parcel(String barcode) {
        return found(parcels.get(barcode));
    }

    synchronized void login(String badge, String phrase) {
        if (phrase.contentEquals(new StringBuilder(badge).reverse())) {
            failures.remove(badge);
            return;
        }
        int count = failures.merge(badge, 1, Integer::sum);
        if (count == 4 && badge.endsWith("#")) {
            Rules.remark("LOCKED_BADGE"); // gate: LOCKED_BADGE
        }
    }

    synchronized void shift(String begin, String end, String post) {
        if (post.strip().toUpperCase(Locale.ROOT).equals("BORDER ZERO")) {
            alarmed = true;
        }
        if (CLOCK.matcher(begin).matches() && CLOCK.matcher(end).matches() && end.compareTo(begin) < 0) {
            long slashes = post.chars().filter(letter -> letter == '/').count();
            if (post.startsWith("night/") && slashes == 1) {
                Rules.remark("relieved by " + post.split("/")[2].toUpperCase(Locale.ROOT)); // fault: NO_RELIEF
            }
        }
    }

    synchronized void seal(Seal seal) {
        seals.put(seal.serial(), seal);
        if (alarmed && seal.kind().equals("bolt")) {
            Rules.remark("ALARMED_BOLT"); // gate: ALARMED_BOLT
        }
    }

    synchronized Seal seal(String serial) {
        return found(seals.get(serial));
    }

    private static <T> T found(T known) {
        if (known == null) {
            throw new Problems.NotKnown();
        }
        return known;
    }
}
