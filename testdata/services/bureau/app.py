"""A translation bureau in memory: projects have documents, which are assigned to translators; glossaries
have terms; all of them name languages.

FAULTS chooses what is wrong with it: `none` (the default), `all`, or some names, as `B1,B3`.

    B1   POST, PATCH /projects          500 when dueOn is a 29 February
    B2   PUT …/documents/{id}/assignment  500 for a translator whose dailyWords is 0
    B3   DELETE /glossaries/{slug}      409 because a project names it, but its terms are gone
    B4   PATCH /translators/{id}        new pairs set dailyWords back to the default
    B5   DELETE …/documents/{id}        the wordTotal of the project still has the deleted document
    B6   GET /projects                  priority=low is ignored
    B7   GET /translators               sort sorts within the page only
    B8   PATCH /translators/{id}        409 for a taken handle leaks SQL and a file of the server
    B9   every answer with a project    the amount of a budget in JPY is a number instead of a string
    B10  DELETE …/terms/{id}            deletes a term of another glossary
    B11  GET …/terms                    takes 1.5 s when q has two or more asterisks
    B12  PATCH /projects/{code}         dueOn not after startsOn is accepted, if only one of them is given

Without faults it keeps to its document, so whatever a tester reports of it is a false alarm.
GET /__stats tells how many requests came and how often each fault was met; POST /__reset
brings back the start, which is not empty. Handlers have no docstrings, because these would end
up in the document.
"""

import asyncio
import json
import os
import re
from datetime import date
from typing import Annotated, Literal

from fastapi import FastAPI, HTTPException, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from starlette.exceptions import HTTPException as AnyHTTPException

FAULTS = tuple(f"B{number}" for number in range(1, 13))
DEFAULT_WORDS = 2000
MOST_TRANSLATORS = MOST_PROJECTS = 3000
MOST_GLOSSARIES = 1000
MOST_TERMS = 500
MOST_DOCUMENTS = 200


def chosen_faults(text: str) -> frozenset[str]:
    named = {"all": FAULTS, "none": ()}.get(text, text.split(","))
    unknown = set(named) - set(FAULTS)
    if unknown:
        raise SystemExit(f"FAULTS: no such fault: {', '.join(sorted(unknown))}")
    return frozenset(named)


class Bureau:
    """Everything the service remembers. Fields that begin with _ are never shown."""

    def __init__(self) -> None:
        self.languages: dict[str, dict] = {}
        self.translators: dict[int, dict] = {}
        self.glossaries: dict[str, dict] = {}
        self.terms: dict[int, dict] = {}
        self.projects: dict[str, dict] = {}
        self.last_translator = self.last_term = self.last_document = 0
        self.stats = {"requests": 0} | dict.fromkeys(FAULTS, 0)
        self.by_operation: dict[str, int] = {}
        self.seed()

    def seed(self) -> None:
        for code, name, right_to_left in (
            ("ar", "Arabic", True), ("de", "German", False), ("en", "English", False),
            ("fr", "French", False), ("ja", "Japanese", False),
        ):
            self.languages[code] = {"code": code, "name": name, "rightToLeft": right_to_left}
        for handle, name, words, pairs, away in (
            ("ruth_m", "Ruth Mayer", 2500, (("en", "de", 12), ("en", "fr", 14)), None),
            ("ada_k", "Ada Kwon", 1800, (("en", "ja", 19), ("en", "fr", 13)), None),
            ("noor", "Noor Haddad", 3000, (("ar", "en", 16),), {"firstDay": "2025-03-17", "lastDay": "2025-03-28"}),
        ):
            self.add_translator({
                "handle": handle, "name": name, "dailyWords": words, "away": away,
                "pairs": [{"source": a, "target": b, "rateCents": c} for a, b, c in pairs],
            })
        for slug, title, target, terms in (
            ("medical-de", "Medical, German", "de", (("heart attack", "Herzinfarkt"), ("bruise", "Prellung"))),
            ("law-fr", "Law, French", "fr", (("lease", "bail"),)),
        ):
            self.add_glossary({"slug": slug, "title": title, "source": "en", "target": target})
            for source, text in terms:
                self.add_term(slug, {"source": source, "target": text, "note": None, "approved": True})
        acme = self.add_project({
            "code": "ACME-001", "title": "Patient leaflets", "priority": "normal", "source": "en",
            "targets": ["de", "fr"], "startsOn": "2025-03-03", "dueOn": "2025-04-11",
            "budget": {"amount": "1200.00", "currency": "EUR"}, "glossaries": ["medical-de"],
        })
        acme["status"] = "open"
        leaflet = self.add_document(acme, {"fileName": "leaflet.docx", "language": "de", "wordCount": 4200})
        self.add_document(acme, {"fileName": "faq.md", "language": "fr", "wordCount": 900})
        self.assign(leaflet, self.translators[1])
        self.add_project({
            "code": "ORBIT-014", "title": "Telescope manual", "priority": "low", "source": "en",
            "targets": ["ja"], "startsOn": "2025-05-05", "dueOn": "2025-06-30", "budget": None, "glossaries": [],
        })

    def met(self, fault: str) -> bool:
        """Whether a fault is there to be met at a place that asks for it; counts that it was."""
        if fault not in faults:
            return False
        self.stats[fault] += 1
        return True

    def add_translator(self, given: dict) -> dict:
        self.last_translator += 1
        one = {"id": self.last_translator, **given, "openDocuments": 0, "_named": 0}
        self.translators[one["id"]] = one
        return one

    def add_glossary(self, given: dict) -> dict:
        one = self.glossaries[given["slug"]] = {**given, "_terms": {}}
        return one

    def add_term(self, slug: str, given: dict) -> dict:
        self.last_term += 1
        one = {"id": self.last_term, "glossary": slug, **given}
        self.terms[one["id"]] = self.glossaries[slug]["_terms"][one["id"]] = one
        return one

    def add_project(self, given: dict) -> dict:
        one = {**given, "status": "draft", "retainUntil": self.year_after(given["dueOn"]), "_documents": {}, "_ghosts": 0}
        self.projects[one["code"]] = one
        return one

    def add_document(self, project: dict, given: dict) -> dict:
        self.last_document += 1
        key = f"DOC-{self.last_document:05}"
        one = {"id": key, "projectCode": project["code"], **given, "status": "waiting", "assignment": None}
        project["_documents"][key] = one
        return one

    def assign(self, document: dict, translator: dict) -> None:
        before = document["assignment"]
        if before is not None:
            former = self.translators[before["translatorId"]]
            former["openDocuments"] -= 1
            former["_named"] -= 1
        days = -(-document["wordCount"] // translator["dailyWords"])
        document.update(status="assigned", assignment={"translatorId": translator["id"], "days": days})
        translator["openDocuments"] += 1
        translator["_named"] += 1

    def drop_terms(self, glossary: dict) -> None:
        for key in glossary["_terms"]:
            del self.terms[key]
        glossary["_terms"].clear()

    def year_after(self, day: str) -> str:
        then = date.fromisoformat(day)
        if (then.month, then.day) == (2, 29) and not self.met("B1"):
            return f"{then.year + 1}-02-28"
        return then.replace(year=then.year + 1).isoformat()

    def shown_glossary(self, one: dict) -> dict:
        return shown(one) | {"termCount": len(one["_terms"])}

    def shown_project(self, one: dict) -> dict:
        budget = one["budget"]
        if budget is not None and budget["currency"] == "JPY" and self.met("B9"):
            budget = {**budget, "amount": int(budget["amount"])}
        return shown(one) | {"budget": budget, "documentCount": len(one["_documents"]), "wordTotal": words(one)}


def shown(one: dict) -> dict:
    return {key: value for key, value in one.items() if key[0] != "_"}


def words(project: dict) -> int:
    return project["_ghosts"] + sum(one["wordCount"] for one in project["_documents"].values())


def found(shelf: dict, key: object, what: str) -> dict:
    if key not in shelf:
        raise HTTPException(404, f"there is no {what} {key}")
    return shelf[key]


def refused(why: str) -> HTTPException:
    return HTTPException(409, why)


def broken(where: tuple, why: str, kind: str = "rule_broken") -> HTTPException:
    return HTTPException(422, [{"type": kind, "loc": ["body", *where], "msg": why}])


def check_language(code: str, *where: str | int) -> None:
    if code not in bureau.languages:
        raise broken(where, f"there is no language {code}", "unknown_reference")


def whole(value: object) -> object:
    # To JSON Schema 3.0 is an integer; to pydantic's strict mode it is not.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def digits(value: object) -> object:
    # The framework would take 1_0, +1 and 1.0 in a path or a query for integers.
    if isinstance(value, str) and not re.fullmatch(r"-?(0|[1-9][0-9]{0,18})", value):
        raise ValueError("must be an integer")
    return value


def truth(value: object) -> object:
    # Nor are on, yes and 1 booleans.
    if isinstance(value, str) and value not in ("true", "false"):
        raise ValueError("must be true or false")
    return value


def day(value: str) -> str:
    try:
        good = 2000 <= date.fromisoformat(value).year <= 2099
    except ValueError:
        good = False
    if not good:
        raise ValueError("must be a day from 2000-01-01 to 2099-12-31")
    return value


def unique(values: list) -> list:
    if len(set(values)) < len(values):
        raise ValueError("must not have anything twice")
    return values


DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
LANGUAGE = r"^[a-z]{2}$"
HANDLE = r"^[a-z][a-z0-9_]{2,15}$"
SLUG = r"^[a-z0-9]+(-[a-z0-9]+)*$"
CODE = r"^[A-Z]{2,6}-[0-9]{3}$"
DOCUMENT = r"^DOC-[0-9]{5,9}$"
FILE = r"^[A-Za-z0-9_-]{1,40}\.(docx|xliff|md)$"
AMOUNT = r"^(0|[1-9][0-9]{0,6})(\.[0-9]{2})?$"
IS_DATE = {"format": "date"}

# The bounds go before the validator, or they miss the document.
Id = Annotated[int, Field(ge=1, le=1_000_000_000), BeforeValidator(whole)]
Day = Annotated[str, Field(pattern=DATE, json_schema_extra=IS_DATE), AfterValidator(day)]
Code2 = Annotated[str, Field(pattern=LANGUAGE, description="Code of a language of the bureau", examples=["en"])]
Handle = Annotated[str, Field(pattern=HANDLE, description="Short name; no two translators have the same")]
Name = Annotated[str, Field(min_length=1, max_length=60)]
Words = Annotated[
    int, Field(ge=0, le=10_000, description="Words the translator does in a day; 0 means: takes no work at present"),
    BeforeValidator(whole),
]
Slug = Annotated[str, Field(pattern=SLUG, min_length=3, max_length=30)]
Text = Annotated[str, Field(min_length=1, max_length=80)]
Note = Annotated[str, Field(max_length=200)] | None
ProjectCode = Annotated[str, Field(pattern=CODE, examples=["ACME-001"])]
Title = Annotated[str, Field(min_length=1, max_length=80)]
Priority = Annotated[
    Literal["low", "normal", "rush"], Field(description="`rush` is possible only together with a budget"),
]
StartsOn = Annotated[Day, Field(description="From 2000-01-01 to 2099-12-31")]
DueOn = Annotated[Day, Field(description="Must be after startsOn; at most 2099-12-31")]
Targets = Annotated[
    list[Code2],
    Field(
        min_length=1, max_length=8, json_schema_extra={"uniqueItems": True},
        description="Languages to translate into; the source language is not among them",
    ),
    AfterValidator(unique),
]
Slugs = Annotated[
    list[Slug],
    Field(
        max_length=5, json_schema_extra={"uniqueItems": True},
        description="Slugs of glossaries to be used. The source of each is the source of the project, "
        "the target of each is one of its targets",
    ),
    AfterValidator(unique),
]

LanguageKey = Annotated[str, Path(alias="code", pattern=LANGUAGE)]
TranslatorKey = Annotated[int, Path(alias="translatorId", ge=1, le=1_000_000_000), BeforeValidator(digits)]
GlossaryKey = Annotated[str, Path(alias="slug", pattern=SLUG, min_length=3, max_length=30)]
TermKey = Annotated[int, Path(alias="termId", ge=1, le=1_000_000_000), BeforeValidator(digits)]
ProjectKey = Annotated[str, Path(alias="projectCode", pattern=CODE)]
DocumentKey = Annotated[str, Path(alias="documentId", pattern=DOCUMENT)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class LanguageIn(Strict):
    name: str = Field(min_length=1, max_length=40)
    rightToLeft: bool = Field(default=False, description="Whether the language is written from right to left")


class Language(Strict):
    code: Code2
    name: str = Field(min_length=1, max_length=40)
    rightToLeft: bool


class Pair(Strict):
    source: Code2
    target: Annotated[str, Field(pattern=LANGUAGE, description="Code of a language other than source")]
    rateCents: Annotated[int, Field(ge=1, le=500, description="Price of a word"), BeforeValidator(whole)]


class Away(Strict):
    firstDay: Day = Field(description="From 2000-01-01 to 2099-12-31")
    lastDay: Day = Field(description="Must not be before firstDay; at most 2099-12-31")


Pairs = Annotated[
    list[Pair],
    Field(min_length=1, max_length=10, description="What the translator offers; the same source and target at most once"),
]


class TranslatorIn(Strict):
    handle: Handle
    name: Name
    dailyWords: Words = DEFAULT_WORDS
    pairs: Pairs
    away: Away | None = None


# A factory keeps the default out of the document; what was left out is never looked at.
class TranslatorPatch(Strict):
    handle: Handle = Field(default_factory=str)
    name: Name = Field(default_factory=str)
    dailyWords: Words = Field(default_factory=int)
    pairs: Pairs = Field(default_factory=list)
    away: Away | None = Field(default_factory=lambda: None)


class Translator(Strict):
    id: Id
    handle: Handle
    name: Name
    dailyWords: Words
    pairs: Pairs
    away: Away | None
    openDocuments: int = Field(ge=0, description="How many documents are assigned to the translator and not yet delivered")


class TranslatorPage(Strict):
    items: list[Translator]
    page: int = Field(ge=1)
    pageSize: int = Field(ge=1)
    total: int = Field(ge=0, description="How many translators match, on all pages together")


class GlossaryIn(Strict):
    slug: Slug = Field(description="Chosen by the client; no two glossaries have the same")
    title: Title
    source: Code2
    target: Annotated[str, Field(pattern=LANGUAGE, description="Code of a language other than source")]


class Glossary(GlossaryIn):
    termCount: int = Field(ge=0, description="How many terms the glossary has")


Source = Annotated[Text, Field(description="No two terms of a glossary have the same source, regardless of case")]


class TermIn(Strict):
    source: Source
    target: Text
    note: Note = None
    approved: bool = False


class TermPatch(Strict):
    source: Source = Field(default_factory=str)
    target: Text = Field(default_factory=str)
    note: Note = Field(default_factory=lambda: None)
    approved: bool = Field(default_factory=bool)


class Term(Strict):
    id: Id
    glossary: Slug = Field(description="Slug of the glossary that has the term")
    source: Source
    target: Text
    note: Note
    approved: bool


class Budget(Strict):
    amount: str = Field(
        pattern=AMOUNT, examples=["1200.00"],
        description="A decimal number. With two decimals in EUR and USD, without decimals in JPY",
    )
    currency: Literal["EUR", "USD", "JPY"]


class ProjectIn(Strict):
    code: ProjectCode = Field(description="Chosen by the client; no two projects have the same")
    title: Title
    priority: Priority = "normal"
    source: Code2
    targets: Targets
    startsOn: StartsOn
    dueOn: DueOn
    budget: Budget | None = None
    glossaries: Slugs = []


class ProjectPatch(Strict):
    title: Title = Field(default_factory=str)
    priority: Priority = Field(default_factory=str)
    targets: Targets = Field(default_factory=list)
    startsOn: StartsOn = Field(default_factory=str)
    dueOn: DueOn = Field(default_factory=str)
    budget: Budget | None = Field(default_factory=lambda: None)
    glossaries: Slugs = Field(default_factory=list)


ProjectStatus = Literal["draft", "open", "closed"]


class Project(Strict):
    code: ProjectCode
    title: Title
    status: ProjectStatus
    priority: Priority
    source: Code2
    targets: Targets
    startsOn: StartsOn
    dueOn: DueOn
    retainUntil: Annotated[str, Field(pattern=DATE, json_schema_extra=IS_DATE)] = Field(
        description="Until when the files are kept: the same day as dueOn a year later, or 28 February "
        "if dueOn is a 29 February",
    )
    budget: Budget | None
    glossaries: Slugs
    documentCount: int = Field(ge=0, description="How many documents the project has")
    wordTotal: int = Field(ge=0, description="Sum of the wordCount of all documents of the project")


class ProjectPage(Strict):
    items: list[Project]
    total: int = Field(ge=0, description="How many projects match, on all pages together")


class DocumentIn(Strict):
    fileName: str = Field(pattern=FILE, description="No two documents of a project have the same", examples=["faq.md"])
    language: Annotated[str, Field(pattern=LANGUAGE, description="To be translated into; one of the targets of the project")]
    wordCount: Annotated[int, Field(ge=1, le=200_000), BeforeValidator(whole)]


class AssignmentIn(Strict):
    translatorId: Id


class Assignment(Strict):
    translatorId: Id
    days: int = Field(
        ge=1, description="wordCount of the document divided by dailyWords of the translator when it was assigned, rounded up",
    )


class Document(DocumentIn):
    id: Annotated[str, Field(pattern=DOCUMENT)]
    projectCode: ProjectCode
    status: Literal["waiting", "assigned", "delivered"]
    assignment: Assignment | None = Field(description="null as long as the document is waiting")


class Problem(BaseModel):
    detail: str = Field(description="What is wrong, for people")


def absent(what: str) -> dict:
    return {404: {"model": Problem, "description": f"No such {what}"}}


def conflict(why: str) -> dict:
    return {409: {"model": Problem, "description": f"{why}. Nothing is changed"}}


def invalid(why: str) -> dict:
    schema = {"$ref": "#/components/schemas/HTTPValidationError"}
    why = f"Not as it has to be, or {why}. Nothing is changed"
    return {422: {"description": why, "content": {"application/json": {"schema": schema}}}}


app = FastAPI(
    title="Bureau", version="2.3.0", redirect_slashes=False,
    description="Projects, documents, translators and glossaries of a translation bureau.",
    generate_unique_id_function=lambda route: route.name,
)
faults = chosen_faults(os.environ.get("FAULTS", "none"))
bureau = Bureau()


class Count:
    """Counts the calls of each operation by status. A crash is counted as a 500 and passed on."""

    def __init__(self, inner) -> None:
        self.inner = inner

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/__"):
            return await self.inner(scope, receive, send)
        status = 500

        async def note(message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        bureau.stats["requests"] += 1
        try:
            await self.inner(scope, receive, note)
        finally:
            key = f"{scope['method']} {getattr(scope.get('route'), 'path', '?')} {status}"
            bureau.by_operation[key] = bureau.by_operation.get(key, 0) + 1


app.add_middleware(Count)


# The framework echoes invalid input, and fails on what JSON can't carry back, such as NaN or half
# a surrogate pair. The document does not ask for the echo.
@app.exception_handler(RequestValidationError)
async def refuse_invalid(_request: Request, error: RequestValidationError):
    kept = ("type", "loc", "msg")
    detail = [{key: one[key] for key in kept} for one in error.errors()]
    return Response(json.dumps({"detail": detail}), 422, media_type="application/json")


# A body that can't even be decoded is a 400 to the framework; the document knows only 422. And of a
# path with several methods the framework allows only the first one.
@app.exception_handler(AnyHTTPException)
async def refuse(request: Request, error: AnyHTTPException):
    if error.status_code == 400:
        detail = [{"type": "json_invalid", "loc": ["body"], "msg": str(error.detail)}]
        return JSONResponse({"detail": detail}, 422)
    if error.status_code == 405:
        here = [route.methods for route in app.routes if route.path_regex.match(request.url.path)]
        error.headers = {"Allow": ", ".join(sorted(set().union(*here)))}
    return JSONResponse({"detail": error.detail}, error.status_code, error.headers)


@app.get("/__stats", include_in_schema=False)
async def get_stats():
    return {"stats": bureau.stats, "by_op": bureau.by_operation}


@app.post("/__reset", include_in_schema=False)
async def reset():
    bureau.__init__()
    return {}


# Languages


@app.get("/languages", response_model=list[Language], tags=["languages"], description="All languages, by code.")
async def list_languages():
    return JSONResponse([bureau.languages[code] for code in sorted(bureau.languages)])


@app.get("/languages/{code}", response_model=Language, responses=absent("language"), tags=["languages"])
async def get_language(key: LanguageKey):
    return JSONResponse(found(bureau.languages, key, "language"))


@app.put(
    "/languages/{code}", response_model=Language, tags=["languages"],
    responses={201: {"model": Language, "description": "The language is new"}},
    description="Makes a language or replaces it. A language can't be deleted.",
)
async def put_language(key: LanguageKey, body: LanguageIn):
    status = 200 if key in bureau.languages else 201
    bureau.languages[key] = {"code": key, **body.model_dump()}
    return JSONResponse(bureau.languages[key], status)


# Translators


def check_translator(given: dict) -> None:
    seen = set()
    for place, pair in enumerate(given.get("pairs", ())):
        both = pair["source"], pair["target"]
        for side in ("source", "target"):
            check_language(pair[side], "pairs", place, side)
        if both[0] == both[1]:
            raise broken(("pairs", place, "target"), "target must differ from source")
        if both in seen:
            raise broken(("pairs", place), "the same source and target at most once")
        seen.add(both)
    away = given.get("away")
    if away is not None and away["lastDay"] < away["firstDay"]:
        raise broken(("away", "lastDay"), "lastDay must not be before firstDay")


def handle_taken(handle: str | None, besides: int | None = None) -> bool:
    return any(one["handle"] == handle and key != besides for key, one in bureau.translators.items())


TRANSLATOR_RULES = (
    "it names an unknown language, source and target of a pair are the same, a pair is there twice, "
    "or lastDay is before firstDay"
)


@app.post(
    "/translators", status_code=201, response_model=Translator, tags=["translators"],
    responses=conflict(f"Another translator has this handle, or there are {MOST_TRANSLATORS} translators already")
    | invalid(TRANSLATOR_RULES),
)
async def create_translator(body: TranslatorIn):
    given = body.model_dump()
    check_translator(given)
    if handle_taken(body.handle):
        raise refused(f"another translator has the handle {body.handle}")
    if len(bureau.translators) >= MOST_TRANSLATORS:
        raise refused(f"there are {MOST_TRANSLATORS} translators already")
    return JSONResponse(shown(bureau.add_translator(given)), 201)


@app.get(
    "/translators", response_model=TranslatorPage, tags=["translators"],
    description="By id, unless sorted; then those that are equal are by id. A minus sorts downwards.",
)
async def list_translators(
    source: Annotated[str, Query(pattern=LANGUAGE, description="Only who has a pair with this source")] = None,
    target: Annotated[
        str,
        Query(pattern=LANGUAGE, description="Only who has a pair with this target; given with source, one pair has both"),
    ] = None,
    sort: Annotated[Literal["handle", "-handle", "dailyWords", "-dailyWords"], Query()] = None,
    page: Annotated[int, Query(ge=1, le=10_000), BeforeValidator(digits)] = 1,
    size: Annotated[int, Query(alias="pageSize", ge=1, le=50), BeforeValidator(digits)] = 20,
):
    hits = [
        one for one in bureau.translators.values()
        if any(source in (None, pair["source"]) and target in (None, pair["target"]) for pair in one["pairs"])
    ]
    start = (page - 1) * size
    here = ordered(hits, sort)[start : start + size]
    within = ordered(hits[start : start + size], sort)
    if here != within and bureau.met("B7"):
        here = within
    return JSONResponse({"items": [shown(one) for one in here], "page": page, "pageSize": size, "total": len(hits)})


def ordered(things: list[dict], sort: str | None) -> list[dict]:
    if sort is None:
        return things
    field = sort.lstrip("-")
    # Those that are equal stay as they are, downwards too.
    return sorted(things, key=lambda one: words(one) if field == "wordTotal" else one[field], reverse=sort[0] == "-")


@app.get("/translators/{translatorId}", response_model=Translator, responses=absent("translator"), tags=["translators"])
async def get_translator(key: TranslatorKey):
    return JSONResponse(shown(found(bureau.translators, key, "translator")))


@app.patch(
    "/translators/{translatorId}", response_model=Translator, tags=["translators"],
    responses=absent("translator") | conflict("Another translator has this handle") | invalid(TRANSLATOR_RULES),
    description="What is left out stays as it is. pairs and away are replaced as a whole. "
    "Documents that are assigned to the translator stay so.",
)
async def update_translator(key: TranslatorKey, body: TranslatorPatch):
    translator = found(bureau.translators, key, "translator")
    changes = body.model_dump(exclude_unset=True)
    check_translator(changes)
    if "handle" in changes and handle_taken(changes["handle"], besides=key):
        if bureau.met("B8"):
            raise refused(
                "sqlalchemy.exc.IntegrityError: (sqlite3.IntegrityError) UNIQUE constraint failed: translator.handle "
                f"[SQL: UPDATE translator SET handle=? WHERE translator.id = ?] [parameters: ('{changes['handle']}', {key})] "
                'File "/srv/bureau/store/translators.py", line 118, in update'
            )
        raise refused(f"another translator has the handle {changes['handle']}")
    given_words = "dailyWords" in changes or translator["dailyWords"] == DEFAULT_WORDS
    if "pairs" in changes and not given_words and bureau.met("B4"):
        changes["dailyWords"] = DEFAULT_WORDS
    translator.update(changes)
    return JSONResponse(shown(translator))


@app.delete(
    "/translators/{translatorId}", status_code=204, tags=["translators"],
    responses=absent("translator") | conflict("A document is assigned to the translator or was delivered by them"),
)
async def delete_translator(key: TranslatorKey):
    if found(bureau.translators, key, "translator")["_named"]:
        raise refused("a document is assigned to the translator or was delivered by them")
    del bureau.translators[key]
    return Response(status_code=204)


# Glossaries and their terms


@app.post(
    "/glossaries", status_code=201, response_model=Glossary, tags=["glossaries"],
    responses=conflict(f"Another glossary has this slug, or there are {MOST_GLOSSARIES} glossaries already")
    | invalid("it names an unknown language, or source and target are the same"),
)
async def create_glossary(body: GlossaryIn):
    check_language(body.source, "source")
    check_language(body.target, "target")
    if body.source == body.target:
        raise broken(("target",), "target must differ from source")
    if body.slug in bureau.glossaries:
        raise refused(f"another glossary has the slug {body.slug}")
    if len(bureau.glossaries) >= MOST_GLOSSARIES:
        raise refused(f"there are {MOST_GLOSSARIES} glossaries already")
    return JSONResponse(bureau.shown_glossary(bureau.add_glossary(body.model_dump())), 201)


@app.get("/glossaries", response_model=list[Glossary], tags=["glossaries"], description="Oldest first.")
async def list_glossaries(
    target: Annotated[str, Query(pattern=LANGUAGE, description="Only glossaries with this target")] = None,
):
    hits = [one for one in bureau.glossaries.values() if target in (None, one["target"])]
    return JSONResponse([bureau.shown_glossary(one) for one in hits])


@app.get("/glossaries/{slug}", response_model=Glossary, responses=absent("glossary"), tags=["glossaries"])
async def get_glossary(key: GlossaryKey):
    return JSONResponse(bureau.shown_glossary(found(bureau.glossaries, key, "glossary")))


@app.delete(
    "/glossaries/{slug}", status_code=204, tags=["glossaries"],
    responses=absent("glossary") | conflict("A project names the glossary"),
    description="Deletes a glossary with all its terms.",
)
async def delete_glossary(key: GlossaryKey):
    glossary = found(bureau.glossaries, key, "glossary")
    for project in bureau.projects.values():
        if key in project["glossaries"]:
            if glossary["_terms"] and bureau.met("B3"):
                bureau.drop_terms(glossary)
            raise refused(f"the project {project['code']} names the glossary")
    bureau.drop_terms(glossary)
    del bureau.glossaries[key]
    return Response(status_code=204)


def source_taken(glossary: dict, source: str, besides: int | None = None) -> bool:
    same = source.casefold()
    return any(one["source"].casefold() == same and key != besides for key, one in glossary["_terms"].items())


def matches(text: str, pieces: list[str]) -> bool:
    at = 0
    for piece in pieces:
        at = text.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True


@app.post(
    "/glossaries/{slug}/terms", status_code=201, response_model=Term, tags=["glossaries"],
    responses=absent("glossary")
    | conflict(f"Another term of the glossary has this source, or the glossary has {MOST_TERMS} terms already"),
)
async def create_term(key: GlossaryKey, body: TermIn):
    glossary = found(bureau.glossaries, key, "glossary")
    if source_taken(glossary, body.source):
        raise refused("another term of the glossary has this source")
    if len(glossary["_terms"]) >= MOST_TERMS:
        raise refused(f"the glossary has {MOST_TERMS} terms already")
    return JSONResponse(bureau.add_term(key, body.model_dump()), 201)


@app.get(
    "/glossaries/{slug}/terms", response_model=list[Term], responses=absent("glossary"), tags=["glossaries"],
    description="Oldest first.",
)
async def list_terms(
    key: GlossaryKey,
    q: Annotated[
        str,
        Query(
            min_length=1, max_length=40,
            description="Only terms whose source contains this, regardless of case. "
            "Each asterisk stands for any characters, or none: `h*t*k` finds *heart attack*",
        ),
    ] = None,
    approved: Annotated[bool, Query(description="Only terms that are approved, or only those that are not"), BeforeValidator(truth)] = None,
):
    glossary = found(bureau.glossaries, key, "glossary")
    if q is not None and q.count("*") > 1 and bureau.met("B11"):
        await asyncio.sleep(1.5)
    pieces = [] if q is None else q.casefold().split("*")
    return JSONResponse([
        one for one in glossary["_terms"].values()
        if matches(one["source"].casefold(), pieces) and approved in (None, one["approved"])
    ])


@app.get(
    "/glossaries/{slug}/terms/{termId}", response_model=Term, tags=["glossaries"],
    responses=absent("glossary, or it has no such term"),
)
async def get_term(key: GlossaryKey, term: TermKey):
    return JSONResponse(found(found(bureau.glossaries, key, "glossary")["_terms"], term, "term"))


@app.patch(
    "/glossaries/{slug}/terms/{termId}", response_model=Term, tags=["glossaries"],
    responses=absent("glossary, or it has no such term") | conflict("Another term of the glossary has this source"),
    description="What is left out stays as it is.",
)
async def update_term(key: GlossaryKey, number: TermKey, body: TermPatch):
    glossary = found(bureau.glossaries, key, "glossary")
    term = found(glossary["_terms"], number, "term")
    changes = body.model_dump(exclude_unset=True)
    if "source" in changes and source_taken(glossary, changes["source"], besides=number):
        raise refused("another term of the glossary has this source")
    term.update(changes)
    return JSONResponse(term)


@app.delete(
    "/glossaries/{slug}/terms/{termId}", status_code=204, tags=["glossaries"],
    responses=absent("glossary, or it has no such term"),
)
async def delete_term(key: GlossaryKey, number: TermKey):
    glossary = found(bureau.glossaries, key, "glossary")
    if number in bureau.terms and number not in glossary["_terms"] and bureau.met("B10"):
        glossary = bureau.glossaries[bureau.terms[number]["glossary"]]
    found(glossary["_terms"], number, "term")
    del glossary["_terms"][number], bureau.terms[number]
    return Response(status_code=204)


# Projects


PROJECT_RULES = (
    "it names an unknown language or glossary, the source is among the targets, dueOn is not after startsOn, "
    "the priority is rush without a budget, the amount has the wrong number of decimals for its currency, "
    "or a glossary does not fit the languages"
)


def check_project(whole: dict, changes: dict) -> None:
    """Whether a project as it would be keeps to the rules. `changes` is the part that was given."""
    if "source" in changes:
        check_language(whole["source"], "source")
    if "targets" in changes:
        for place, code in enumerate(whole["targets"]):
            check_language(code, "targets", place)
            if code == whole["source"]:
                raise broken(("targets", place), "targets must not contain the source")
    dated = [field for field in ("startsOn", "dueOn") if field in changes]
    if dated and whole["dueOn"] <= whole["startsOn"] and not (len(dated) == 1 and bureau.met("B12")):
        raise broken((dated[-1],), "dueOn must be after startsOn")
    budget = whole["budget"]
    if budget is not None and ("." in budget["amount"]) != (budget["currency"] != "JPY"):
        raise broken(("budget", "amount"), "amount must have two decimals in EUR and USD, and none in JPY")
    if whole["priority"] == "rush" and budget is None:
        raise broken(("priority",), "rush is possible only together with a budget")
    for place, slug in enumerate(whole["glossaries"]):
        glossary = bureau.glossaries.get(slug)
        where = "glossaries", place
        if glossary is None:
            raise broken(where, f"there is no glossary {slug}", "unknown_reference")
        if glossary["source"] != whole["source"] or glossary["target"] not in whole["targets"]:
            raise broken(where, f"the glossary {slug} does not fit source and targets of the project")


@app.post(
    "/projects", status_code=201, response_model=Project, tags=["projects"],
    responses=conflict(f"Another project has this code, or there are {MOST_PROJECTS} projects already")
    | invalid(PROJECT_RULES),
    description="A new project is a draft.",
)
async def create_project(body: ProjectIn):
    given = body.model_dump()
    check_project(given, given)
    if body.code in bureau.projects:
        raise refused(f"another project has the code {body.code}")
    if len(bureau.projects) >= MOST_PROJECTS:
        raise refused(f"there are {MOST_PROJECTS} projects already")
    return JSONResponse(bureau.shown_project(bureau.add_project(given)), 201)


@app.get(
    "/projects", response_model=ProjectPage, tags=["projects"],
    description="Oldest first, unless sorted; then those that are equal are oldest first. A minus sorts downwards.",
)
async def list_projects(
    status: Annotated[ProjectStatus, Query()] = None,
    priority: Annotated[Literal["low", "normal", "rush"], Query()] = None,
    target: Annotated[str, Query(pattern=LANGUAGE, description="Only projects that have this among their targets")] = None,
    before: Annotated[
        str,
        Query(
            alias="dueBefore", pattern=DATE, json_schema_extra=IS_DATE,
            description="Only projects whose dueOn is before this day, which is from 2000-01-01 to 2099-12-31",
        ),
        AfterValidator(day),
    ] = None,
    sort: Annotated[Literal["code", "-code", "dueOn", "-dueOn", "wordTotal", "-wordTotal"], Query()] = None,
    limit: Annotated[int, Query(ge=1, le=100), BeforeValidator(digits)] = 25,
    offset: Annotated[int, Query(ge=0, le=10_000), BeforeValidator(digits)] = 0,
):
    hits = [
        one for one in bureau.projects.values()
        if status in (None, one["status"])
        and (target is None or target in one["targets"])
        and (before is None or one["dueOn"] < before)
    ]
    if priority is not None:
        right = [one for one in hits if one["priority"] == priority]
        if not (priority == "low" and len(right) < len(hits) and bureau.met("B6")):
            hits = right
    here = ordered(hits, sort)[offset : offset + limit]
    return JSONResponse({"items": [bureau.shown_project(one) for one in here], "total": len(hits)})


@app.get("/projects/{projectCode}", response_model=Project, responses=absent("project"), tags=["projects"])
async def get_project(key: ProjectKey):
    return JSONResponse(bureau.shown_project(found(bureau.projects, key, "project")))


@app.patch(
    "/projects/{projectCode}", response_model=Project, tags=["projects"],
    responses=absent("project")
    | conflict(
        "The project is closed, or targets are given and it is no draft, or they lack the language of a document",
    )
    | invalid(PROJECT_RULES),
    description="What is left out stays as it is. targets, budget and glossaries are replaced as a whole; "
    "targets can be given only as long as the project is a draft. The rules hold for the project as it comes to be.",
)
async def update_project(key: ProjectKey, body: ProjectPatch):
    project = found(bureau.projects, key, "project")
    changes = body.model_dump(exclude_unset=True)
    if project["status"] == "closed":
        raise refused("the project is closed")
    if "targets" in changes and project["status"] != "draft":
        raise refused("targets can be given only as long as the project is a draft")
    check_project(project | changes, changes)
    if "targets" in changes:
        for one in project["_documents"].values():
            if one["language"] not in changes["targets"]:
                raise refused(f"the document {one['id']} needs the target {one['language']}")
    if "dueOn" in changes:
        changes["retainUntil"] = bureau.year_after(changes["dueOn"])
    project.update(changes)
    return JSONResponse(bureau.shown_project(project))


@app.delete(
    "/projects/{projectCode}", status_code=204, tags=["projects"],
    responses=absent("project") | conflict("The project is no draft"),
    description="Deletes a draft with all its documents.",
)
async def delete_project(key: ProjectKey):
    if found(bureau.projects, key, "project")["status"] != "draft":
        raise refused("the project is no draft")
    del bureau.projects[key]
    return Response(status_code=204)


@app.post(
    "/projects/{projectCode}/open", response_model=Project, tags=["projects"],
    responses=absent("project") | conflict("The project is no draft, or it has no documents"),
    description="Opens a draft, which must have a document at least.",
)
async def open_project(key: ProjectKey):
    project = found(bureau.projects, key, "project")
    if project["status"] != "draft":
        raise refused("the project is no draft")
    if not project["_documents"]:
        raise refused("the project has no documents")
    project["status"] = "open"
    return JSONResponse(bureau.shown_project(project))


@app.post(
    "/projects/{projectCode}/close", response_model=Project, tags=["projects"],
    responses=absent("project") | conflict("The project is not open, or a document is not delivered"),
    description="Closes an open project, all of whose documents must be delivered. Nothing of it can be changed then.",
)
async def close_project(key: ProjectKey):
    project = found(bureau.projects, key, "project")
    if project["status"] != "open":
        raise refused("the project is not open")
    for one in project["_documents"].values():
        if one["status"] != "delivered":
            raise refused(f"the document {one['id']} is not delivered")
    project["status"] = "closed"
    return JSONResponse(bureau.shown_project(project))


# Documents


def found_document(project: str, key: str) -> tuple[dict, dict]:
    owner = found(bureau.projects, project, "project")
    return owner, found(owner["_documents"], key, "document")


@app.post(
    "/projects/{projectCode}/documents", status_code=201, response_model=Document, tags=["documents"],
    responses=absent("project")
    | conflict(
        "The project is closed, another document of it has this fileName, "
        f"or it has {MOST_DOCUMENTS} documents already",
    )
    | invalid("the language is none of the targets of the project"),
    description="A new document is waiting. Drafts and open projects take documents.",
)
async def create_document(key: ProjectKey, body: DocumentIn):
    project = found(bureau.projects, key, "project")
    if project["status"] == "closed":
        raise refused("the project is closed")
    if body.language not in project["targets"]:
        raise broken(("language",), "language must be one of the targets of the project")
    if any(one["fileName"] == body.fileName for one in project["_documents"].values()):
        raise refused(f"another document of the project has the fileName {body.fileName}")
    if len(project["_documents"]) >= MOST_DOCUMENTS:
        raise refused(f"the project has {MOST_DOCUMENTS} documents already")
    return JSONResponse(bureau.add_document(project, body.model_dump()), 201)


@app.get(
    "/projects/{projectCode}/documents", response_model=list[Document], responses=absent("project"),
    tags=["documents"], description="Oldest first.",
)
async def list_documents(key: ProjectKey):
    return JSONResponse(list(found(bureau.projects, key, "project")["_documents"].values()))


@app.get(
    "/projects/{projectCode}/documents/{documentId}", response_model=Document, tags=["documents"],
    responses=absent("project, or it has no such document"),
)
async def get_document(key: ProjectKey, document: DocumentKey):
    return JSONResponse(found_document(key, document)[1])


@app.delete(
    "/projects/{projectCode}/documents/{documentId}", status_code=204, tags=["documents"],
    responses=absent("project, or it has no such document") | conflict("The document is assigned or delivered"),
    description="Deletes a document that is waiting.",
)
async def delete_document(key: ProjectKey, number: DocumentKey):
    project, document = found_document(key, number)
    if document["status"] != "waiting":
        raise refused(f"the document is {document['status']}")
    del project["_documents"][number]
    if bureau.met("B5"):
        project["_ghosts"] += document["wordCount"]
    return Response(status_code=204)


@app.put(
    "/projects/{projectCode}/documents/{documentId}/assignment", response_model=Document, tags=["documents"],
    responses=absent("project, or it has no such document")
    | conflict(
        "The project is not open, the document is delivered, the translator has no pair from the source of the "
        "project to the language of the document, or takes no work at present",
    )
    | invalid("it names an unknown translator"),
    description="Assigns a document to a translator. An earlier assignment is replaced.",
)
async def assign_document(key: ProjectKey, number: DocumentKey, body: AssignmentIn):
    project, document = found_document(key, number)
    translator = bureau.translators.get(body.translatorId)
    if translator is None:
        raise broken(("translatorId",), f"there is no translator {body.translatorId}", "unknown_reference")
    if project["status"] != "open":
        raise refused("the project is not open")
    if document["status"] == "delivered":
        raise refused("the document is delivered")
    pair = project["source"], document["language"]
    if all((one["source"], one["target"]) != pair for one in translator["pairs"]):
        raise refused(f"the translator has no pair from {pair[0]} to {pair[1]}")
    if translator["dailyWords"] == 0:
        if bureau.met("B2"):
            raise ZeroDivisionError("B2")
        raise refused("the translator takes no work at present")
    bureau.assign(document, translator)
    return JSONResponse(document)


@app.post(
    "/projects/{projectCode}/documents/{documentId}/deliver", response_model=Document, tags=["documents"],
    responses=absent("project, or it has no such document") | conflict("The document is not assigned"),
    description="Marks an assigned document as delivered.",
)
async def deliver_document(key: ProjectKey, number: DocumentKey):
    _, document = found_document(key, number)
    if document["status"] != "assigned":
        raise refused(f"the document is {document['status']}")
    document["status"] = "delivered"
    bureau.translators[document["assignment"]["translatorId"]]["openDocuments"] -= 1
    return JSONResponse(document)
