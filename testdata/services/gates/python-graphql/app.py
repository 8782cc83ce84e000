"""Some of the gates as a GraphQL service; what opens them is in `../python/gates.py`.

POST /__reset forgets what earlier calls have left.
"""

import strawberry
from fastapi import FastAPI
from strawberry.fastapi import GraphQLRouter
from strawberry.types import Info

import gates

memory = gates.Memory()


@strawberry.type
class Gate:
    gate: str
    open: bool


@strawberry.input
class Terms:
    amount: int
    months: int
    purpose: str
    grade: str


@strawberry.type
class Query:
    @strawberry.field
    def word(self, word: str) -> Gate:
        return Gate(gate="text-equal", open=gates.text_equal(word))

    @strawberry.field
    def version(self, version: str) -> Gate:
        return Gate(gate="regex-groups", open=gates.regex_groups(version))

    @strawberry.field
    def code(self, code: str) -> Gate:
        return Gate(gate="slice", open=gates.slice_of_text(code))

    @strawberry.field
    def birthday(self, day: str) -> Gate:
        return Gate(gate="leap-day", open=gates.leap_day(day))

    @strawberry.field
    def number(self, number: int) -> Gate:
        return Gate(gate="big-integer", open=gates.big_integer(number))

    @strawberry.field
    def rectangle(self, width: int, height: int) -> Gate:
        return Gate(gate="sum-product", open=gates.sum_product(width, height))

    @strawberry.field
    def fee(self, country: str, weight: int) -> Gate:
        return Gate(gate="table-code", open=gates.table_code(country, weight))

    @strawberry.field
    def mirror(self, left: str, right: str) -> Gate:
        return Gate(gate="inputs-reversed", open=gates.inputs_reversed(left, right))

    @strawberry.field
    def token(self, token: str) -> Gate:
        return Gate(gate="base64-json", open=gates.base64_json(token))

    @strawberry.field
    def basket(self, items: list[str]) -> Gate:
        return Gate(gate="array", open=gates.array(items))

    @strawberry.field
    def loan(self, terms: Terms) -> Gate:
        opens = gates.four_conditions(terms.amount, terms.months, terms.purpose, terms.grade)
        return Gate(gate="four-conditions", open=opens)

    @strawberry.field
    def report(self, info: Info) -> Gate:
        gate = Gate(gate="header", open=False)
        if info.context["request"].headers.get("x-audit-mode") == "full":
            gate.open = True  # gate: header
        return gate

    @strawberry.field
    def flow(self, valve: str) -> Gate:
        return Gate(gate="state", open=memory.state(valve))


@strawberry.type
class Mutation:
    @strawberry.mutation
    def add_entry(self, ledger: str, amount: int) -> Gate:
        memory.enter(ledger, amount)
        return Gate(gate="stored-sum", open=False)

    @strawberry.mutation
    def close_ledger(self, ledger: str, total: int) -> Gate:
        return Gate(gate="stored-sum", open=memory.stored_sum(ledger, total))

    @strawberry.mutation
    def turn_valve(self, valve: str, position: str) -> Gate:
        memory.turn(valve, position)
        return Gate(gate="state", open=False)

    @strawberry.mutation
    def ring_bell(self, bell: str) -> Gate:
        return Gate(gate="counter", open=memory.counter(bell))


app = FastAPI(openapi_url=None)
schema = strawberry.Schema(query=Query, mutation=Mutation)
app.include_router(GraphQLRouter(schema, graphql_ide=None), prefix="/graphql")


@app.post("/__reset")
async def reset() -> None:
    memory.__init__()
