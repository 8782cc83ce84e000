"""The numerical case study as a REST service: `ncs.py` by paths.

All of its answers are in its document, 400 too: it has a body where a segment is not the number
that it should be, and none where a function refuses it.
"""

import math
from collections.abc import Callable
from typing import Annotated

from fastapi import Response
from pydantic import BaseModel, WithJsonSchema

import ncs
from cases import Api, Double, Int32


NullableInt = Annotated[
    int | None, WithJsonSchema({"type": ["integer", "null"], "format": "int32"})
]
NullableDouble = Annotated[
    float | None, WithJsonSchema({"type": ["number", "null"], "format": "double"})
]


class Result(BaseModel):
    """One of the two is null. Both are, where the result has no value or is infinite."""

    resultAsInt: NullableInt
    resultAsDouble: NullableDouble


app = Api(title="Numerical case study", version="1.0")
BAD_REQUEST = {400: {"description": "A number that is none, or that the function refuses"}}


@app.exception_handler(ncs.Refused)
async def refused(*_):
    return Response(status_code=400)


def of_int(result: int) -> Result:
    return Result(resultAsInt=result, resultAsDouble=None)


def of_double(function: Callable[..., float], *arguments: float) -> Result:
    """Where Python refuses to divide by zero, others have a NaN; neither can be told in JSON."""
    try:
        result = function(*arguments)
    except (ArithmeticError, ValueError):
        result = math.nan
    return Result(resultAsInt=None, resultAsDouble=result if math.isfinite(result) else None)


@app.get("/api/triangle/{a}/{b}/{c}", responses=BAD_REQUEST)
async def triangle(a: Int32, b: Int32, c: Int32) -> Result:
    return of_int(ncs.triangle(a, b, c))


@app.get("/api/bessj/{n}/{x}", responses=BAD_REQUEST)
async def bessj(n: Int32, x: Double) -> Result:
    return of_double(ncs.bessj, n, x)


@app.get("/api/expint/{n}/{x}", responses=BAD_REQUEST)
async def expint(n: Int32, x: Double) -> Result:
    return of_double(ncs.expint, n, x)


@app.get("/api/fisher/{m}/{n}/{x}", responses=BAD_REQUEST)
async def fisher(m: Int32, n: Int32, x: Double) -> Result:
    return of_double(ncs.fisher, m, n, x)


@app.get("/api/gammq/{a}/{x}", responses=BAD_REQUEST)
async def gammq(a: Double, x: Double) -> Result:
    return of_double(ncs.gammq, a, x)


@app.get("/api/remainder/{a}/{b}", responses=BAD_REQUEST)
async def remainder(a: Int32, b: Int32) -> Result:
    return of_int(ncs.remainder(a, b))
