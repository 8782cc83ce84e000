"""The string case study as a GraphQL service: `scs.py` by fields.

A number that is missing or null is 0; a text that is missing or null is an error of the field.
"""

from collections.abc import Callable

import strawberry
from fastapi import FastAPI
from strawberry.fastapi import GraphQLRouter

import scs
from cases import QuietSchema, invalid_input


def answer(function: Callable[..., str], *arguments: str | float | None) -> str:
    if None in arguments:
        raise invalid_input()
    return function(*arguments)


@strawberry.type
class Query:
    @strawberry.field
    def calc(
        self, op: str | None = None, arg1: float | None = None, arg2: float | None = None
    ) -> str | None:
        return str(answer(scs.calc, op, arg1 or 0.0, arg2 or 0.0))

    @strawberry.field
    def cookie(
        self, name: str | None = None, val: str | None = None, site: str | None = None
    ) -> str | None:
        return answer(scs.cookie, name, val, site)

    @strawberry.field
    def costfuns(self, i: int | None = None, s: str | None = None) -> str | None:
        return answer(scs.costfuns, i or 0, s)

    @strawberry.field
    def date_parse(self, dayname: str | None = None, monthname: str | None = None) -> str | None:
        return answer(scs.date_parse, dayname, monthname)

    @strawberry.field
    def file_suffix(self, directory: str | None = None, file: str | None = None) -> str | None:
        return answer(scs.file_suffix, directory, file)

    @strawberry.field
    def noty_pevar(self, i: int | None = None, s: str | None = None) -> str | None:
        return answer(scs.not_y_pevar, i or 0, s)

    @strawberry.field
    def ordered4(
        self,
        w: str | None = None,
        x: str | None = None,
        z: str | None = None,
        y: str | None = None,
    ) -> str | None:
        return answer(scs.ordered4, w, x, z, y)

    @strawberry.field
    def pat(self, txt: str | None = None, pat: str | None = None) -> str | None:
        return answer(scs.pat, txt, pat)

    @strawberry.field
    def regex(self, txt: str | None = None) -> str | None:
        return answer(scs.regex, txt)

    @strawberry.field(name="text2Txt")
    def text2txt(
        self, word1: str | None = None, word2: str | None = None, word3: str | None = None
    ) -> str | None:
        return answer(scs.text2txt, word1, word2, word3)

    @strawberry.field
    def title(self, sex: str | None = None, title: str | None = None) -> str | None:
        return answer(scs.title, sex, title)


app = FastAPI(openapi_url=None)
app.include_router(GraphQLRouter(QuietSchema(Query), graphql_ide=None), prefix="/graphql")
