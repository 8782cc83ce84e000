"""usage: python3 -m unittest"""

import itertools
import math
import unittest

from scs import (
    calc,
    cookie,
    costfuns,
    date_parse,
    file_suffix,
    not_y_pevar,
    ordered4,
    pat,
    regex,
    text2txt,
    title,
)

ANSWERS = [
    (calc, ("PI", 0, 0), 3.141592653589793),
    (calc, ("e", 0, 0), 2.718281828459045),
    (calc, ("sqrt", 9, 0), 3),
    (calc, ("log", 1, 0), 0),
    (calc, ("sine", 0, 0), 0),
    (calc, ("cosine", 0, 0), 1),
    (calc, ("tangent", 0, 0), 0),
    (calc, ("plus", 1, 2), 3),
    (calc, ("subtract", 1, 2), -1),
    (calc, ("multiply", 3, 2), 6),
    (calc, ("divide", 3, 2), 1.5),
    (calc, ("power", 3, 2), 0),
    (cookie, ("UserId", "user123", ""), "1"),
    (cookie, ("userid", "user12", ""), "0"),
    (cookie, ("userid", "guest123", ""), "0"),
    (cookie, ("session", "am", "abc.com"), "1"),
    (cookie, ("session", "am", "abc.org"), "2"),
    (cookie, ("other", "am", "abc.com"), "0"),
    (costfuns, (5, "abab"), "6"),
    (costfuns, (-4, "abab"), "0"),
    (costfuns, (-4, "baab"), "10"),
    (date_parse, ("mon", "x"), "1"),
    (date_parse, ("thur", "DEC"), "13"),
    (date_parse, ("thu", "jan"), "1"),
    (date_parse, ("x", "y"), "0"),
    (file_suffix, ("text", "a.txt"), "1"),
    (file_suffix, ("acrobat", "a.b.pdf"), "2"),
    (file_suffix, ("word", "a.doc"), "3"),
    (file_suffix, ("bin", "a.exe"), "4"),
    (file_suffix, ("lib", "a.dll"), "5"),
    (file_suffix, ("text", "txt"), "0"),
    (file_suffix, ("text", "a.doc"), "0"),
    (not_y_pevar, (6, ""), "3"),
    (not_y_pevar, (28, "a"), "3"),
    (not_y_pevar, (5, "help"), "2"),
    (not_y_pevar, (5, "hello"), "0"),
    (ordered4, ("aaaaa", "bbbbbb", "ddddd", "ccccc"), "increasing"),
    (ordered4, ("ddddd", "ccccc", "aaaaa", "bbbbb"), "decreasing"),
    (ordered4, ("aaaaa", "bbbbb", "ccccc", "ddddd"), "unordered"),
    (ordered4, ("aaaa", "bbbbb", "ddddd", "ccccc"), "unordered"),
    (pat, ("abccba", "abc"), "0"),
    (pat, ("xabcxcbax", "abc"), "1"),
    (pat, ("xxcbaabc", "abc"), "2"),
    (pat, ("abc", "abc"), "1"),
    (pat, ("cba", "abc"), "2"),
    (pat, ("abcba", "abc"), "2"),
    (pat, ("acba", "abca"), "0"),
    (pat, ("xxxabccba", "abc"), "3"),
    (pat, ("abab", "ab"), "0"),
    (regex, ("mon00jan",), "date"),
    (regex, ("thur31dec",), "date"),
    (regex, ("1.5e+10",), "fpe"),
    (regex, ("12.34e-05",), "fpe"),
    (regex, ("1.5e10",), "none"),
    (regex, ("http//:a/b",), "url"),
    (regex, ("http://a/b",), "none"),
    (regex, ("mon00jan\n",), "none"),
    (text2txt, ("two", "", ""), "2"),
    (text2txt, ("FOR", "", ""), "4"),
    (text2txt, ("four", "", ""), "4"),
    (text2txt, ("you", "", ""), "u"),
    (text2txt, ("and", "", ""), "n"),
    (text2txt, ("are", "", ""), "r"),
    (text2txt, ("see", "you", ""), "cu"),
    (text2txt, ("by", "the", "way"), "btw"),
    (text2txt, ("by", "the", "by"), ""),
    (title, ("male", "Sir"), "1"),
    (title, ("male", "lady"), "-1"),
    (title, ("female", "rthon"), "0"),
    (title, ("none", "prof"), "2"),
    (title, ("none", "mr"), "-1"),
    (costfuns, (-445, "abab"), "6"),
    (costfuns, (-333, "abab"), "6"),
    (costfuns, (667, "abab"), "6"),
    (costfuns, (555, "ababba"), "10"),
    (not_y_pevar, (7, "hello"), "3"),
    (date_parse, ("", "jan"), "1"),
    (date_parse, ("", "feb"), "2"),
    (date_parse, ("", "mar"), "3"),
    (date_parse, ("", "apr"), "4"),
    (date_parse, ("", "may"), "5"),
    (date_parse, ("", "jun"), "6"),
    (date_parse, ("", "jul"), "7"),
    (date_parse, ("", "aug"), "8"),
    (date_parse, ("", "sep"), "9"),
    (date_parse, ("", "oct"), "10"),
    (date_parse, ("", "nov"), "11"),
    (file_suffix, ("acrobat", "a.b"), "0"),
    (file_suffix, ("word", "a.b"), "0"),
    (file_suffix, ("bin", "a.b"), "0"),
    (file_suffix, ("lib", "a.b"), "0"),
    (title, ("female", "mr"), "-1"),
    (title, ("other", "mr"), "-1"),
]


def expected_pat(txt: str, pat: str) -> str:
    """The rule in words of its own: hits from left to right, of which one may end the search."""
    if len(pat) < 3:
        return "0"
    rev, last = pat[::-1], "0"
    for start in range(len(txt) - len(pat) + 1):
        here, rest = txt[start : start + len(pat)], txt[start + len(pat) :]
        if here == pat:
            other, last = rev, "1"
        elif here == rev and pat[0] != pat[-1]:
            other, last = pat, "2"
        else:
            continue
        if other in rest:
            return str(start)
    return last


class Functions(unittest.TestCase):
    def test_known_answers(self):
        for function, arguments, expected in ANSWERS:
            with self.subTest(f"{function.__name__}{arguments}"):
                self.assertEqual(function(*arguments), expected)

    def test_what_has_no_value(self):
        for arguments in [("sqrt", -1, 0), ("log", -1, 0), ("divide", 0, 0)]:
            with self.subTest(arguments):
                self.assertTrue(math.isnan(calc(*arguments)))

    def test_pat_agrees_with_its_rule(self):
        texts = ["".join(t) for n in range(8) for t in itertools.product("ab", repeat=n)]
        parts = ["".join(p) for n in (2, 3, 4) for p in itertools.product("ab", repeat=n)]
        for text, part in itertools.product(texts, parts):
            self.assertEqual(pat(text, part), expected_pat(text, part), (text, part))


if __name__ == "__main__":
    unittest.main()
