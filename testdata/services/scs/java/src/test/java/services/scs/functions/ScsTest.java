package services.scs.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static services.scs.functions.Scs.calc;
import static services.scs.functions.Scs.cookie;
import static services.scs.functions.Scs.costfuns;
import static services.scs.functions.Scs.dateParse;
import static services.scs.functions.Scs.fileSuffix;
import static services.scs.functions.Scs.notyPevar;
import static services.scs.functions.Scs.ordered4;
import static services.scs.functions.Scs.pat;
import static services.scs.functions.Scs.regex;
import static services.scs.functions.Scs.text2Txt;
import static services.scs.functions.Scs.title;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScsTest {
    @Test
    void calculations() {
        assertEquals(3.141592653589793, calc("PI", 0, 0));
        assertEquals(2.718281828459045, calc("e", 0, 0));
        assertEquals(3, calc("sqrt", 9, 0));
        assertEquals(0, calc("log", 1, 0));
        assertEquals(0, calc("sine", 0, 0));
        assertEquals(1, calc("cosine", 0, 0));
        assertEquals(0, calc("tangent", 0, 0));
        assertEquals(3, calc("plus", 1, 2));
        assertEquals(-1, calc("subtract", 1, 2));
        assertEquals(6, calc("multiply", 3, 2));
        assertEquals(1.5, calc("divide", 3, 2));
        assertEquals(0, calc("power", 3, 2));
    }

    @Test
    void whatHasNoValue() {
        assertTrue(Double.isNaN(calc("sqrt", -1, 0)));
        assertTrue(Double.isNaN(calc("log", -1, 0)));
        assertTrue(Double.isNaN(calc("divide", 0, 0)));
    }

    @Test
    void cookies() {
        assertEquals("1", cookie("UserId", "user123", ""));
        assertEquals("0", cookie("userid", "user12", ""));
        assertEquals("0", cookie("userid", "guest123", ""));
        assertEquals("1", cookie("session", "am", "abc.com"));
        assertEquals("2", cookie("session", "am", "abc.org"));
        assertEquals("0", cookie("other", "am", "abc.com"));
    }

    @Test
    void costFunctions() {
        for (int i : new int[] {5, -445, -333, 667}) {
            assertEquals("6", costfuns(i, "abab"));
        }
        assertEquals("0", costfuns(-4, "abab"));
        assertEquals("10", costfuns(-4, "baab"));
        assertEquals("10", costfuns(555, "ababba"));
    }

    @Test
    void daysAndMonths() {
        assertEquals("1", dateParse("mon", "x"));
        assertEquals("13", dateParse("thur", "DEC"));
        assertEquals("1", dateParse("thu", "jan"));
        assertEquals("0", dateParse("x", "y"));
        List<String> months =
                List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
        for (String month : months) {
            assertEquals(Integer.toString(months.indexOf(month) + 1), dateParse("", month));
        }
    }

    @Test
    void suffixes() {
        assertEquals("1", fileSuffix("text", "a.txt"));
        assertEquals("2", fileSuffix("acrobat", "a.b.pdf"));
        assertEquals("3", fileSuffix("word", "a.doc"));
        assertEquals("4", fileSuffix("bin", "a.exe"));
        assertEquals("5", fileSuffix("lib", "a.dll"));
        assertEquals("0", fileSuffix("text", "txt"));
        assertEquals("0", fileSuffix("text", "txt."));
        for (String directory : List.of("text", "acrobat", "word", "bin", "lib")) {
            assertEquals("0", fileSuffix(directory, "a.b"));
        }
    }

    @Test
    void numbersAndGreetings() {
        assertEquals("3", notyPevar(6, ""));
        assertEquals("3", notyPevar(28, "a"));
        assertEquals("2", notyPevar(5, "help"));
        assertEquals("0", notyPevar(5, "hello"));
        assertEquals("3", notyPevar(7, "hello"));
        assertEquals("0", notyPevar(-2147483620, "a"));
    }

    @Test
    void orders() {
        assertEquals("increasing", ordered4("aaaaa", "bbbbbb", "ddddd", "ccccc"));
        assertEquals("decreasing", ordered4("ddddd", "ccccc", "aaaaa", "bbbbb"));
        assertEquals("unordered", ordered4("aaaaa", "bbbbb", "ccccc", "ddddd"));
        assertEquals("unordered", ordered4("aaaa", "bbbbb", "ddddd", "ccccc"));
    }

    @Test
    void mirrors() {
        assertEquals("0", pat("abccba", "abc"));
        assertEquals("1", pat("xabcxcbax", "abc"));
        assertEquals("2", pat("xxcbaabc", "abc"));
        assertEquals("1", pat("abc", "abc"));
        assertEquals("2", pat("cba", "abc"));
        assertEquals("2", pat("abcba", "abc"));
        assertEquals("0", pat("acba", "abca"));
        assertEquals("3", pat("xxxabccba", "abc"));
    }

    @Test
    void mirrorsAgreeWithTheirRule() {
        for (String part : words(2, 4)) {
            for (String text : words(0, 7)) {
                assertEquals(expectedPat(text, part), pat(text, part), text + " and " + part);
            }
        }
    }

    /** All words of two letters, of so many of them. */
    private static List<String> words(int least, int most) {
        List<String> words = new ArrayList<>();
        for (int length = least; length <= most; length++) {
            for (int bits = 0; bits < 1 << length; bits++) {
                String binary = Integer.toBinaryString(1 << length | bits).substring(1);
                words.add(binary.replace('0', 'a').replace('1', 'b'));
            }
        }
        return words;
    }

    /** The rule in words of its own: hits from left to right, of which one may end the search. */
    private static String expectedPat(String txt, String pat) {
        if (pat.length() < 3) {
            return "0";
        }
        String rev = new StringBuilder(pat).reverse().toString();
        boolean tellsApart = pat.charAt(0) != rev.charAt(0);
        String last = "0";
        for (int start = 0; start + pat.length() <= txt.length(); start++) {
            boolean forward = txt.startsWith(pat, start);
            if (!forward && !(tellsApart && txt.startsWith(rev, start))) {
                continue;
            }
            last = forward ? "1" : "2";
            if (txt.indexOf(forward ? rev : pat, start + pat.length()) >= 0) {
                return Integer.toString(start);
            }
        }
        return last;
    }

    @Test
    void patterns() {
        assertEquals("date", regex("mon00jan"));
        assertEquals("date", regex("thur31dec"));
        assertEquals("fpe", regex("1.5e+10"));
        assertEquals("fpe", regex("12.34e-05"));
        assertEquals("none", regex("1.5e10"));
        assertEquals("url", regex("http//:a/b"));
        assertEquals("none", regex("http://a/b"));
        assertEquals("none", regex("mon00jan\n"));
    }

    @Test
    void shortenedWords() {
        assertEquals("2", text2Txt("two", "", ""));
        assertEquals("4", text2Txt("FOR", "", ""));
        assertEquals("4", text2Txt("four", "", ""));
        assertEquals("u", text2Txt("you", "", ""));
        assertEquals("n", text2Txt("and", "", ""));
        assertEquals("r", text2Txt("are", "", ""));
        assertEquals("cu", text2Txt("see", "you", ""));
        assertEquals("btw", text2Txt("by", "the", "way"));
        assertEquals("", text2Txt("by", "the", "by"));
    }

    @Test
    void titles() {
        assertEquals("1", title("male", "Sir"));
        assertEquals("-1", title("male", "lady"));
        assertEquals("0", title("female", "rthon"));
        assertEquals("-1", title("female", "mr"));
        assertEquals("2", title("none", "prof"));
        assertEquals("-1", title("none", "mr"));
        assertEquals("-1", title("other", "mr"));
    }
}
