"""A lending library in memory, by GraphQL: authors have books, and books have reviews.

FAULTS chooses what is wrong with it: `none` (the default), `all`, or some names, as `G1,G3`.

    G1  query longBooks      divides by zero where minPages % 1000 is 42
    G2  mutation addReview   a review with three stars loses its comment, though that is `String!`
    G3  query book           a deleted book is still shown
    G4  mutation updateBook  answers with the new title and keeps the old one

Without faults it keeps to its schema, so whatever a tester reports of it is a false alarm.
GQL_ID=1 publishes identifiers as `ID!` instead of `Int!`. GET /__stats tells how many requests
came and how often each fault was met; POST /__reset empties everything.
"""

import datetime
import enum
import itertools
import os
from collections.abc import Iterable
from dataclasses import field, replace

import strawberry
from fastapi import FastAPI, HTTPException, Request
from graphql import FieldNode, GraphQLError, OperationDefinitionNode
from strawberry.extensions import ParserCache, SchemaExtension, ValidationCache
from strawberry.fastapi import GraphQLRouter

FAULTS = ("G1", "G2", "G3", "G4")
SHELF_SIZE = 20_000
LONGEST_LIST = 20

Key = strawberry.ID if os.environ.get("GQL_ID") == "1" else int
key = str if Key is strawberry.ID else int


def chosen_faults(text: str) -> frozenset[str]:
    named = {"all": FAULTS, "none": ()}.get(text, text.split(","))
    unknown = set(named) - set(FAULTS)
    if unknown:
        raise SystemExit(f"FAULTS: no such fault: {', '.join(sorted(unknown))}")
    return frozenset(named)


@strawberry.enum
class Genre(enum.Enum):
    NOVEL = "novel"
    POETRY = "poetry"
    SCIENCE = "science"
    TRAVEL = "travel"


@strawberry.type
class Author:
    id: Key
    name: str
    born: datetime.date | None
    own_books: strawberry.Private[dict] = field(default_factory=dict)

    @strawberry.field
    def books(self, genre: Genre | None = None, first: int = 5) -> list["Book"]:
        return of_genre(self.own_books, genre, first)


@strawberry.type
class Book:
    id: Key
    title: str
    pages: int
    genre: Genre
    published: datetime.date | None
    author: Author
    own_reviews: strawberry.Private[dict] = field(default_factory=dict)

    @strawberry.field
    def reviews(self, min_stars: int = 1, first: int = 5) -> list["Review"]:
        return some((r for r in self.own_reviews.values() if r.stars >= min_stars), first)


@strawberry.type
class Review:
    id: Key
    stars: int
    comment: str
    book: Book


@strawberry.input
class BookInput:
    title: str
    pages: int
    author_id: Key
    genre: Genre = Genre.NOVEL
    published: datetime.date | None = None


# What is left out or null stays as it is.
@strawberry.input
class BookChanges:
    title: str | None = None
    pages: int | None = None
    genre: Genre | None = None
    published: datetime.date | None = None


class Library:
    """Everything the service remembers. All things share one sequence of numbers."""

    def __init__(self) -> None:
        self.numbers = itertools.count(1)
        self.authors: dict[Key, Author] = {}
        self.books: dict[Key, Book] = {}
        self.reviews: dict[Key, Review] = {}
        self.deleted: dict[Key, Book] = {}  # books that G3 still shows
        self.stats = {"requests": 0} | dict.fromkeys(FAULTS, 0)
        self.by_operation: dict[str, int] = {}

    def new_key(self) -> Key:
        return key(next(self.numbers))

    def met(self, fault: str) -> bool:
        """Whether a fault is there to be met at a place that asks for it; counts that it was."""
        if fault not in faults:
            return False
        self.stats[fault] += 1
        return True

    def add_author(self, author: Author) -> Author:
        if len(self.authors) >= SHELF_SIZE:  # a long run must not eat the machine
            self.drop_author(next(iter(self.authors.values())))
        self.authors[author.id] = author
        return author

    def add_book(self, book: Book) -> Book:
        if len(self.books) >= SHELF_SIZE:
            self.drop_book(next(iter(self.books.values())))
        self.books[book.id] = book.author.own_books[book.id] = book
        return book

    def add_review(self, review: Review) -> Review:
        if len(self.reviews) >= SHELF_SIZE:
            self.drop_review(next(iter(self.reviews.values())))
        self.reviews[review.id] = review.book.own_reviews[review.id] = review
        return review

    def drop_author(self, author: Author) -> None:
        del self.authors[author.id]
        for book in list(author.own_books.values()):
            self.drop_book(book)

    def drop_book(self, book: Book) -> None:
        del self.books[book.id], book.author.own_books[book.id]
        for review in list(book.own_reviews.values()):
            self.drop_review(review)

    def drop_review(self, review: Review) -> None:
        del self.reviews[review.id], review.book.own_reviews[review.id]


def some(things: Iterable, first: int) -> list:
    return list(itertools.islice(things, min(max(first, 0), LONGEST_LIST)))


def of_genre(books: dict[Key, Book], genre: Genre | None, first: int) -> list[Book]:
    return some((book for book in books.values() if genre in (None, book.genre)), first)


def wrong(message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": "BAD_USER_INPUT"})


def found(shelf: dict, number: Key, kind: str):
    if number not in shelf:
        raise GraphQLError(f"no such {kind}", extensions={"code": "NOT_FOUND"})
    return shelf[number]


def check_book(title: str | None, pages: int | None) -> None:
    if title is not None and not title.strip():
        raise wrong("title must not be blank")
    if pages is not None and pages < 1:
        raise wrong("pages must be at least 1")


@strawberry.type
class Query:
    @strawberry.field
    def author(self, id: Key) -> Author | None:
        return library.authors.get(id)

    @strawberry.field
    def authors(self, born_after: datetime.date | None = None, first: int = 10) -> list[Author]:
        everybody = library.authors.values()
        if born_after is None:
            return some(everybody, first)
        return some((a for a in everybody if a.born and a.born > born_after), first)

    @strawberry.field
    def book(self, id: Key) -> Book | None:
        if id in library.deleted and library.met("G3"):
            return library.deleted[id]
        return library.books.get(id)

    @strawberry.field
    def books(self, genre: Genre | None = None, first: int = 10) -> list[Book]:
        return of_genre(library.books, genre, first)

    @strawberry.field
    def long_books(self, min_pages: int, max_pages: int | None = None) -> list[Book]:
        if min_pages % 1000 == 42 and library.met("G1"):
            min_pages //= 0
        long = (book for book in library.books.values() if book.pages >= min_pages)
        return some((b for b in long if max_pages is None or b.pages <= max_pages), LONGEST_LIST)

    @strawberry.field
    def review(self, id: Key) -> Review | None:
        return library.reviews.get(id)


@strawberry.type
class Mutation:
    @strawberry.mutation
    def add_author(self, name: str, born: datetime.date | None = None) -> Author:
        return library.add_author(Author(id=library.new_key(), name=name, born=born))

    @strawberry.mutation
    def add_book(self, book: BookInput) -> Book:
        author = found(library.authors, book.author_id, "author")
        check_book(book.title, book.pages)
        made = Book(
            id=library.new_key(),
            title=book.title,
            pages=book.pages,
            genre=book.genre,
            published=book.published,
            author=author,
        )
        return library.add_book(made)

    @strawberry.mutation
    def update_book(self, id: Key, changes: BookChanges) -> Book:
        book = found(library.books, id, "book")
        check_book(changes.title, changes.pages)
        wanted = {name: value for name, value in vars(changes).items() if value is not None}
        answer = replace(book, **wanted)
        if "title" in wanted and library.met("G4"):
            del wanted["title"]
        vars(book).update(wanted)
        return answer

    @strawberry.mutation
    def delete_book(self, id: Key) -> bool:
        if id not in library.books:
            return False
        book = library.books[id]
        library.drop_book(book)
        if "G3" in faults:
            library.deleted[id] = book
        return True

    @strawberry.mutation
    def add_review(self, book_id: Key, stars: int, comment: str = "") -> Review:
        book = found(library.books, book_id, "book")
        if not 1 <= stars <= 5:
            raise wrong("stars must be between 1 and 5")
        if stars == 3 and library.met("G2"):
            comment = None
        return library.add_review(
            Review(id=library.new_key(), stars=stars, comment=comment, book=book)
        )

    @strawberry.mutation
    def delete_review(self, id: Key) -> bool:
        if id not in library.reviews:
            return False
        library.drop_review(library.reviews[id])
        return True


class Count(SchemaExtension):
    """Notes which root fields were asked for, and whether the answer has errors."""

    def on_operation(self):
        yield
        context = self.execution_context
        if context.graphql_document is None or context.result is None:
            return
        outcome = "errors" if context.result.errors else "data"
        for operation in context.graphql_document.definitions:
            if isinstance(operation, OperationDefinitionNode):
                self.note(operation, outcome)

    def note(self, operation: OperationDefinitionNode, outcome: str) -> None:
        for asked in operation.selection_set.selections:
            if isinstance(asked, FieldNode):
                name = f"{operation.operation.value} {asked.name.value} {outcome}"
                library.by_operation[name] = library.by_operation.get(name, 0) + 1


class QuietSchema(strawberry.Schema):
    """A tester causes thousands of errors; nobody wants to read them twice."""

    def process_errors(self, errors, execution_context=None) -> None:
        pass


class Router(GraphQLRouter):
    """The framework fails on a body that is no object, or that is nested beyond reason."""

    async def parse_http_body(self, request):
        try:
            return await super().parse_http_body(request)
        except (AttributeError, RecursionError) as error:
            raise HTTPException(400, "The body must be an object.") from error


app = FastAPI(openapi_url=None)
faults = chosen_faults(os.environ.get("FAULTS", "none"))
library = Library()
# Most of the time would go into reading the same documents again.
caches = [lambda: ParserCache(maxsize=1000), lambda: ValidationCache(maxsize=1000)]
schema = QuietSchema(query=Query, mutation=Mutation, extensions=[Count, *caches])
app.include_router(Router(schema, graphql_ide=None), prefix="/graphql")


@app.middleware("http")
async def count(request: Request, call_next):
    if not request.url.path.startswith("/__"):
        library.stats["requests"] += 1
    return await call_next(request)


@app.get("/__stats")
async def get_stats():
    return {"stats": library.stats, "by_op": library.by_operation}


@app.post("/__reset")
async def reset():
    library.__init__()
    return {}
