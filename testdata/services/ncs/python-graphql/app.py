"""The numerical case study as a GraphQL service: `ncs.py` by fields.

A number that is missing or null is 0. What a function refuses is an error of the field, and so is
a result that is no finite number, which GraphQL cannot tell.
"""

import math
from collections.abc import Callable

import strawberry
from fastapi import FastAPI
from strawberry.fastapi import GraphQLRouter

import ncs
from cases import QuietSchema, invalid_input


def answer(function: Callable[..., float], *arguments: float | None) -> float:
    try:
        return function(*(argument or 0 for argument in arguments))
    except ncs.Refused as refused:
        raise invalid_input() from refused
    except (ArithmeticError, ValueError):
        return math.nan


@strawberry.type
class Query:
    @strawberry.field
    def triangle_classification(
        self, a: int | None = None, b: int | None = None, c: int | None = None
    ) -> int | None:
        return answer(ncs.triangle, a, b, c)

    @strawberry.field
    def bessj(self, n: int | None = None, x: float | None = None) -> float | None:
        return answer(ncs.bessj, n, x)

    @strawberry.field
    def expint(self, n: int | None = None, x: float | None = None) -> float | None:
        return answer(ncs.expint, n, x)

    @strawberry.field
    def fisher(
        self, m: int | None = None, n: int | None = None, x: float | None = None
    ) -> float | None:
        return answer(ncs.fisher, m, n, x)

    @strawberry.field
    def gammq(self, a: float | None = None, x: float | None = None) -> float | None:
        return answer(ncs.gammq, a, x)

    @strawberry.field
    def remainder(self, a: int | None = None, b: int | None = None) -> int | None:
        return answer(ncs.remainder, a, b)


app = FastAPI(openapi_url=None)
app.include_router(GraphQLRouter(QuietSchema(Query), graphql_ide=None), prefix="/graphql")
