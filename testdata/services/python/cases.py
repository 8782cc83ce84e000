"""What the case studies in Python share: numbers of paths, and a document that tells the truth."""

from typing import Annotated

import strawberry
from fastapi import FastAPI, Path, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from graphql import GraphQLError
from pydantic import AfterValidator, WithJsonSchema


def fits_32_bits(number: int) -> int:
    if not -(2**31) <= number < 2**31:
        raise ValueError("the number does not fit 32 bits")
    return number


NO_PATH = {404: {"description": "A segment of the path is empty or has a slash"}}

# The bounds are checked, but not told: the document declares types and formats only.
Int32 = Annotated[
    int,
    Path(),
    AfterValidator(fits_32_bits),
    WithJsonSchema({"type": "integer", "format": "int32"}),
]
Double = Annotated[float, Path(), WithJsonSchema({"type": "number", "format": "double"})]


class Api(FastAPI):
    """Answers 400 where the framework has a 422 of its own; so its document does not tell of it."""

    def __init__(self, **settings) -> None:
        super().__init__(
            docs_url=None, redoc_url=None, redirect_slashes=False, responses=NO_PATH, **settings
        )
        self.add_exception_handler(RequestValidationError, bad_request)

    def openapi(self) -> dict:
        if self.openapi_schema:
            return self.openapi_schema
        document = super().openapi()
        for operations in document["paths"].values():
            for operation in operations.values():
                del operation["responses"]["422"]
        for name in ("HTTPValidationError", "ValidationError"):
            del document["components"]["schemas"][name]
        return document


async def bad_request(_: Request, error: RequestValidationError):
    return JSONResponse({"status": 400, "message": error.errors()[0]["msg"]}, 400)


class QuietSchema(strawberry.Schema):
    """A refusal is no news to whoever runs the service."""

    def process_errors(self, errors, execution_context=None) -> None:
        pass


def invalid_input() -> GraphQLError:
    told = {"errorCode": 400, "errorMessage": "Invalid input"}
    return GraphQLError("Invalid input", extensions=told)
