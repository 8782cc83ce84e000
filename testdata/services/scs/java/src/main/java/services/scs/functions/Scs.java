package services.scs.functions;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Eleven functions of texts with branches that only few inputs reach.
 *
 * <p>Each keeps the decisions that it is known for: where tests follow one another and the last that
 * holds decides, all of them are made. Texts are compared as Java does, by their UTF-16 units.
 */
public final class Scs {
    private static final String NAME = "[a-z_-][a-z0-9_-]*";
    private static final Pattern URL = Pattern.compile("(http|ftp|afs|gopher)//:" + NAME + "/" + NAME);
    private static final Pattern DATE = Pattern.compile(
            "(mon|tue|wed|thur|fri|sat|sun)[0-9]{2}(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)");
    private static final Pattern FLOAT = Pattern.compile("[0-9]+\\.[0-9]+e[+-][0-9]{2}");

    private Scs() {}

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    public static double calc(String operation, double arg1, double arg2) {
        String op = lower(operation);
        if (op.equals("pi")) {
            return Math.PI;
        }
        if (op.equals("e")) {
            return Math.E;
        }
        if (op.equals("sqrt")) {
            return Math.sqrt(arg1);
        }
        if (op.equals("log")) {
            return Math.log(arg1);
        }
        if (op.equals("sine")) {
            return Math.sin(arg1);
        }
        if (op.equals("cosine")) {
            return Math.cos(arg1);
        }
        if (op.equals("tangent")) {
            return Math.tan(arg1);
        }
        if (op.equals("plus")) {
            return arg1 + arg2;
        }
        if (op.equals("subtract")) {
            return arg1 - arg2;
        }
        if (op.equals("multiply")) {
            return arg1 * arg2;
        }
        if (op.equals("divide")) {
            return arg1 / arg2;
        }
        return 0;
    }

    public static String cookie(String toldName, String toldVal, String toldSite) {
        String name = lower(toldName);
        String val = lower(toldVal);
        String site = lower(toldSite);
        if (name.equals("userid")) {
            if (val.length() > 6) {
                if (val.substring(0, 4).equals("user")) {
                    return "1";
                }
            }
        } else if (name.equals("session")) {
            if (val.equals("am") && site.equals("abc.com")) {
                return "1";
            }
            return "2";
        }
        return "0";
    }

    public static String costfuns(int i, String s) {
        int result = 0;
        if (i == 5) {
            result = 1;
        }
        if (i < -444) {
            result = 2;
        }
        if (i <= -333) {
            result = 3;
        }
        if (i > 666) {
            result = 4;
        }
        if (i >= 555) {
            result = 5;
        }
        if (i != -4) {
            result = 6;
        }
        if (s.equals("baab")) {
            result = 7;
        }
        if (s.compareTo("ababba") > 0) {
            result = 8;
        }
        if (s.compareTo("ababba") >= 0) {
            result = 9;
        }
        if (!s.equals("abab")) {
            result = 10;
        }
        return Integer.toString(result);
    }

    /** 1 for the name of a day and the number of a month, added up. */
    public static String dateParse(String dayname, String monthname) {
        int result = 0;
        String day = lower(dayname);
        String month = lower(monthname);
        if (day.equals("mon")
                || day.equals("tue")
                || day.equals("wed")
                || day.equals("thur")
                || day.equals("fri")
                || day.equals("sat")
                || day.equals("sun")) {
            result = 1;
        }
        if (month.equals("jan")) {
            result += 1;
        }
        if (month.equals("feb")) {
            result += 2;
        }
        if (month.equals("mar")) {
            result += 3;
        }
        if (month.equals("apr")) {
            result += 4;
        }
        if (month.equals("may")) {
            result += 5;
        }
        if (month.equals("jun")) {
            result += 6;
        }
        if (month.equals("jul")) {
            result += 7;
        }
        if (month.equals("aug")) {
            result += 8;
        }
        if (month.equals("sep")) {
            result += 9;
        }
        if (month.equals("oct")) {
            result += 10;
        }
        if (month.equals("nov")) {
            result += 11;
        }
        if (month.equals("dec")) {
            result += 12;
        }
        return Integer.toString(result);
    }

    /** A number where the name of a file ends as those in its directory do. */
    public static String fileSuffix(String directory, String file) {
        int result = 0;
        String[] parts = file.split("\\.", -1);
        if (parts.length > 1) {
            String suffix = parts[parts.length - 1];
            if (directory.equals("text")) {
                if (suffix.equals("txt")) {
                    result = 1;
                }
            }
            if (directory.equals("acrobat")) {
                if (suffix.equals("pdf")) {
                    result = 2;
                }
            }
            if (directory.equals("word")) {
                if (suffix.equals("doc")) {
                    result = 3;
                }
            }
            if (directory.equals("bin")) {
                if (suffix.equals("exe")) {
                    result = 4;
                }
            }
            if (directory.equals("lib")) {
                if (suffix.equals("dll")) {
                    result = 5;
                }
            }
        }
        return Integer.toString(result);
    }

    public static String notyPevar(int i, String s) {
        int result = 0;
        if ((long) i + i == 56) {
            result = i;
        }
        if (("hello" + i).equals("hello7")) {
            result = 1;
        }
        if (s.compareTo("hello") > 0) {
            result = 2;
        }
        if (i > 5) {
            result = 3;
        }
        return Integer.toString(result);
    }

    /** Note the order in which they are told: the last two change places. */
    public static String ordered4(String w, String x, String z, String y) {
        if (w.length() >= 5
                && w.length() <= 6
                && x.length() >= 5
                && x.length() <= 6
                && y.length() >= 5
                && y.length() <= 6
                && z.length() >= 5
                && z.length() <= 6) {
            if (z.compareTo(y) > 0 && y.compareTo(x) > 0 && x.compareTo(w) > 0) {
                return "increasing";
            }
            if (w.compareTo(x) > 0 && x.compareTo(y) > 0 && y.compareTo(z) > 0) {
                return "decreasing";
            }
        }
        return "unordered";
    }

    /** Where a text and its reverse both stand in another, and which of them if only one does. */
    public static String pat(String txt, String pat) {
        if (pat.length() <= 2) {
            return "0";
        }
        int result = 0;
        int length = pat.length();
        String rev = reverse(pat);
        for (int start = 0; start + length <= txt.length(); start++) {
            if (txt.charAt(start) == pat.charAt(0)) {
                if (txt.substring(start, start + length).equals(pat)) {
                    result = 1;
                    int after = start + length;
                    int found = find(txt, rev, after);
                    if (found == after) {
                        return Integer.toString(start); // a palindrome
                    }
                    if (found > after) {
                        return Integer.toString(start);
                    }
                    continue;
                }
            }
            // What both begin with cannot tell them apart: only the forward one is looked for.
            if (txt.charAt(start) == rev.charAt(0) && rev.charAt(0) != pat.charAt(0)) {
                if (txt.substring(start, start + length).equals(rev)) {
                    result = 2;
                    int after = start + length;
                    int found = find(txt, pat, after);
                    if (found == after) {
                        return Integer.toString(start); // a palindrome
                    }
                    if (found > after) {
                        return Integer.toString(start);
                    }
                }
            }
        }
        return Integer.toString(result);
    }

    /** The first place of a part from a start on, or -1. */
    private static int find(String txt, String part, int start) {
        for (int place = start; place + part.length() <= txt.length(); place++) {
            if (txt.charAt(place) == part.charAt(0)) {
                if (txt.substring(place, place + part.length()).equals(part)) {
                    return place;
                }
            }
        }
        return -1;
    }

    /** By units: StringBuilder would keep the two units of a character in their order. */
    private static String reverse(String text) {
        StringBuilder result = new StringBuilder(text.length());
        for (int place = text.length() - 1; place >= 0; place--) {
            result.append(text.charAt(place));
        }
        return result.toString();
    }

    public static String regex(String txt) {
        if (URL.matcher(txt).matches()) {
            return "url";
        }
        if (DATE.matcher(txt).matches()) {
            return "date";
        }
        if (FLOAT.matcher(txt).matches()) {
            return "fpe";
        }
        return "none";
    }

    /** Words as they are shortened in messages. */
    public static String text2Txt(String first, String second, String third) {
        String result = "";
        String word1 = lower(first);
        String word2 = lower(second);
        String word3 = lower(third);
        if (word1.equals("two")) {
            result = "2";
        }
        if (word1.equals("for") || word1.equals("four")) {
            result = "4";
        }
        if (word1.equals("you")) {
            result = "u";
        }
        if (word1.equals("and")) {
            result = "n";
        }
        if (word1.equals("are")) {
            result = "r";
        } else if (word1.equals("see") && word2.equals("you")) {
            result = "cu";
        } else if (word1.equals("by") && word2.equals("the") && word3.equals("way")) {
            result = "btw";
        }
        return result;
    }

    /** Whether a title goes with a sex: a code of the sex, or -1. */
    public static String title(String toldSex, String toldTitle) {
        String sex = lower(toldSex);
        String title = lower(toldTitle);
        int result = -1;
        if (sex.equals("male")) {
            if (title.equals("mr")
                    || title.equals("dr")
                    || title.equals("sir")
                    || title.equals("rev")
                    || title.equals("rthon")
                    || title.equals("prof")) {
                result = 1;
            }
        } else if (sex.equals("female")) {
            if (title.equals("mrs")
                    || title.equals("miss")
                    || title.equals("ms")
                    || title.equals("dr")
                    || title.equals("lady")
                    || title.equals("rev")
                    || title.equals("rthon")
                    || title.equals("prof")) {
                result = 0;
            }
        } else if (sex.equals("none")) {
            if (title.equals("dr") || title.equals("rev") || title.equals("rthon") || title.equals("prof")) {
                result = 2;
            }
        }
        return Integer.toString(result);
    }
}
