#!/usr/bin/env python3
"""usage: check.py [SERVICE ...]

Starts the numerical case study in each language, by REST and by GraphQL, or only the services that
are named, and fails where one of them answers otherwise than it should.
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from casestudies import check


def of_int(result: int) -> tuple[int, dict]:
    return 200, {"resultAsInt": result, "resultAsDouble": None}


def of_double(result: float | None) -> tuple[int, dict]:
    return 200, {"resultAsInt": None, "resultAsDouble": result}


REFUSED = (400, "")
NO_NUMBER = (400, None)

PATHS = {
    "/api/triangle/3/4/5": of_int(1),
    "/api/triangle/2147483647/2147483647/1": of_int(2),
    "/api/triangle/2147483648/1/1": NO_NUMBER,
    "/api/triangle/three/4/5": NO_NUMBER,
    "/api/bessj/3/2": of_double(0.128943249),
    "/api/bessj/3/NaN": of_double(None),
    "/api/bessj/3/1e400": of_double(None),
    "/api/bessj/2/1": REFUSED,
    "/api/bessj/3/x": NO_NUMBER,
    "/api/expint/1/1": of_double(0.2193839),
    "/api/expint/0/0": REFUSED,
    "/api/expint/3/Infinity": REFUSED,
    "/api/fisher/4/5/0.5": of_double(0.26079803),
    "/api/fisher/2/2/0": of_double(None),
    "/api/fisher/0/0/0": of_double(None),
    "/api/fisher/1001/1/1": REFUSED,
    "/api/gammq/1/2": of_double(0.135335),
    "/api/gammq/1000/1000": REFUSED,
    "/api/remainder/-8/3": of_int(-2),
    "/api/remainder/10001/3": REFUSED,
}

OPERATIONS = {
    "{ triangleClassification(a: 3, b: 4, c: 5) }": {"triangleClassification": 1},
    "{ triangleClassification(a: 3) }": {"triangleClassification": 0},
    "{ bessj(n: 3, x: 2) }": {"bessj": 0.128943249},
    "{ bessj(x: 2) }": {"bessj": None},
    "{ expint(n: 1, x: 1) }": {"expint": 0.2193839},
    "{ fisher(m: 2, n: 2, x: 1) remainder(a: 7, b: -3) }": {"fisher": 0.5, "remainder": 1},
    "{ fisher(m: 2, n: 2, x: 0) remainder(a: null) }": {"fisher": None, "remainder": -1},
    "{ gammq(a: 1, x: 2) }": {"gammq": 0.135335},
    "{ gammq }": {"gammq": None},
}

if __name__ == "__main__":
    check(HERE, PATHS, OPERATIONS)
