#!/usr/bin/env python3
"""usage: check.py [SERVICE ...]

Starts the string case study in each language, by REST and by GraphQL, or only the services that
are named, and fails where one of them answers otherwise than it should.
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from casestudies import check

PATHS = {
    "/api/calc/divide/3/2": (200, "1.5"),
    "/api/calc/pi/x/2": (400, None),
    "/api/cookie/session/am/abc.com": (200, "1"),
    "/api/costfuns/-4/abab": (200, "0"),
    "/api/costfuns/3000000000/abab": (400, None),
    "/api/dateparse/thur/DEC": (200, "13"),
    "/api/filesuffix/acrobat/a.pdf": (200, "2"),
    "/api/notypevar/5/hello": (200, "0"),
    "/api/notypevar/5.5/hello": (400, None),
    "/api/ordered4/aaaaa/bbbbb/ddddd/ccccc": (200, "increasing"),
    "/api/pat/xabcxcbax/abc": (200, "1"),
    "/api/pat/thur31dec": (200, "date"),
    "/api/regex?txt=http//:a/b": (200, "url"),
    "/api/regex": (400, None),
    "/api/text2txt/by/the/way": (200, "btw"),
    "/api/text2txt/by/the/by": (200, ""),
    "/api/title/none/prof": (200, "2"),
}

OPERATIONS = {
    '{ calc(op: "divide", arg1: 3, arg2: 2) }': {"calc": "1.5"},
    '{ calc(op: "pi") title(sex: "male") }': {"calc": "3.141592653589793", "title": None},
    '{ cookie(name: "userid", val: "user123", site: "") }': {"cookie": "1"},
    '{ costfuns(i: -4, s: "abab") }': {"costfuns": "0"},
    '{ dateParse(dayname: "thur", monthname: "DEC") }': {"dateParse": "13"},
    '{ fileSuffix(directory: "lib", file: "a.dll") }': {"fileSuffix": "5"},
    '{ notyPevar(s: "help") }': {"notyPevar": "2"},
    '{ ordered4(w: "aaaaa", x: "bbbbb", z: "ddddd", y: "ccccc") }': {"ordered4": "increasing"},
    '{ pat(txt: "cba", pat: "abc") regex(txt: null) }': {"pat": "2", "regex": None},
    '{ regex(txt: "http//:a/b") }': {"regex": "url"},
    '{ text2Txt(word1: "by", word2: "the", word3: "way") }': {"text2Txt": "btw"},
    '{ title(sex: "female", title: "Dr") }': {"title": "0"},
}

if __name__ == "__main__":
    check(HERE, PATHS, OPERATIONS)
