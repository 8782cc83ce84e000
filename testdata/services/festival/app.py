"""A music festival in memory, by GraphQL: venues have stages, stages have shows, and shows have
artists and tickets.

FAULTS chooses what is wrong with it: `none` (the default), `all`, or some names, as `V1,V3`.

    V1   query artists            an offset behind the last artist raises `list index out of range`
    V2   query bookable           a deleted artist is still shown
    V3   field Show.tickets       a reduced ticket costs the full price there, unlike in `ticket`
    V4   mutation rescheduleShow  refuses an end before the start, but keeps the new start
    V5   mutation updateArtist    answers with the new biography and keeps the old one
    V6   query venues             minCapacity is ignored where a city is given too
    V7   query shows              a page after the first begins with the last show before it
    V8   field Show.ticketsSold   still counts refunded tickets
    V9   field Ticket.price       is null, though `Int!`, for a VIP ticket of a free show
    V10  mutation moveStage       the stage stays in the list of its old venue too
    V11  mutation buyTicket       sells tickets for a deleted show
    V12  mutation addArtist       raises a bare tuple where the name was that of a deleted artist

Without faults it keeps to its schema, so whatever a tester reports of it is a false alarm.
GET /__stats tells how many requests came and how often each fault was met; POST /__reset goes
back to the few things it begins with.
"""

import datetime
import enum
import itertools
import os
from collections.abc import Iterable
from dataclasses import field, replace
from typing import Annotated

import strawberry
from fastapi import FastAPI, HTTPException, Request
from graphql import FieldNode, GraphQLError, OperationDefinitionNode
from strawberry.extensions import ParserCache, SchemaExtension, ValidationCache
from strawberry.fastapi import GraphQLRouter

FAULTS = tuple(f"V{number}" for number in range(1, 13))
SHELF_SIZE = 20_000
LONGEST_LIST = 50
LONGEST_NAME = 80
LONGEST_BIOGRAPHY = 2000
MOST_SLOTS = 8
UTC = datetime.timezone.utc


def chosen_faults(text: str) -> frozenset[str]:
    named = {"all": FAULTS, "none": ()}.get(text, text.split(","))
    unknown = set(named) - set(FAULTS)
    if unknown:
        raise SystemExit(f"FAULTS: no such fault: {', '.join(sorted(unknown))}")
    return frozenset(named)


def told(kind, description: str):
    return Annotated[kind, strawberry.argument(description=description)]


Limit = told(int, f"The most to answer with, from 1 to {LONGEST_LIST}.")
Offset = told(int, "How many to leave out, 0 or more; behind the last one the list is empty.")


@strawberry.enum
class Genre(enum.Enum):
    FOLK = "folk"
    JAZZ = "jazz"
    ROCK = "rock"
    TECHNO = "techno"


@strawberry.enum(description="What a ticket costs depends on its kind.")
class TicketKind(enum.Enum):
    STANDARD = strawberry.enum_value("standard", description="Costs the base price of the show.")
    REDUCED = strawberry.enum_value("reduced", description="Costs half of it, rounded down.")
    VIP = strawberry.enum_value("vip", description="Costs twice as much as STANDARD.")


@strawberry.interface(description="What a festival can book. All things have different ids.")
class Bookable:
    id: strawberry.ID
    name: str


@strawberry.type(description="A place with stages. No two venues have the same name.")
class Venue(Bookable):
    city: str
    capacity: int
    own_stages: strawberry.Private[dict] = field(default_factory=dict)
    stage_names: strawberry.Private[set] = field(default_factory=set)

    @strawberry.field(description="Its stages, in the order in which they came to it.")
    def stages(self, limit: Limit = 5, offset: Offset = 0) -> list["Stage"]:
        for stage in self.own_stages.values():
            if stage.venue is not self:
                festival.met("V10")
        return page(self.own_stages.values(), limit, offset)

    @strawberry.field(description="How many stages the venue has.")
    def stage_count(self) -> int:
        return len(self.own_stages)


@strawberry.type(
    description="A stage is in one venue. No two stages of a venue have the same name."
)
class Stage(Bookable):
    capacity: int = strawberry.field(description="At most that of the venue.")
    venue: Venue
    own_shows: strawberry.Private[dict] = field(default_factory=dict)
    listed_by: strawberry.Private[list] = field(default_factory=list)

    @strawberry.field(description="The shows on this stage, oldest entry first.")
    def shows(self, limit: Limit = 5, offset: Offset = 0) -> list["Show"]:
        return page(self.own_shows.values(), limit, offset)


@strawberry.type(description="No two artists have the same name.")
class Artist(Bookable):
    genre: Genre
    fee: int
    biography: str | None
    own_shows: strawberry.Private[dict] = field(default_factory=dict)

    @strawberry.field(description="The shows that have a slot of this artist, oldest entry first.")
    def shows(self, limit: Limit = 5, offset: Offset = 0) -> list["Show"]:
        return page(self.own_shows.values(), limit, offset)


@strawberry.type(description="A part of a show that belongs to one artist.")
class Slot:
    artist: Artist
    minutes: int


@strawberry.type
class Show:
    id: strawberry.ID
    title: str
    starts_at: datetime.datetime = strawberry.field(description="In UTC.")
    ends_at: datetime.datetime = strawberry.field(description="In UTC; after startsAt.")
    base_price: int
    stage: Stage
    slots: list[Slot] = strawberry.field(description="In the order in which they are played.")
    own_tickets: strawberry.Private[dict] = field(default_factory=dict)
    refunded: strawberry.Private[int] = 0

    @strawberry.field(description="The tickets sold and not refunded, oldest first.")
    def tickets(self, limit: Limit = 5, offset: Offset = 0) -> list["Ticket"]:
        return [self.as_listed(t) for t in page(self.own_tickets.values(), limit, offset)]

    def as_listed(self, ticket: "Ticket") -> "Ticket":
        reduced = ticket.kind is TicketKind.REDUCED and self.base_price > 0
        return replace(ticket, price=self.base_price) if reduced and festival.met("V3") else ticket

    @strawberry.field(description="How many tickets are sold and not refunded.")
    def tickets_sold(self) -> int:
        extra = self.refunded if self.refunded and festival.met("V8") else 0
        return len(self.own_tickets) + extra


@strawberry.type
class Ticket:
    id: strawberry.ID
    holder: str
    kind: TicketKind
    price: int = strawberry.field(description="By the base price of the show and the kind.")
    show: Show


@strawberry.type
class VenuePage:
    items: list[Venue]
    total_count: int = strawberry.field(
        description="How many venues match the filters, on this page or not."
    )
    has_next_page: bool
    end_cursor: strawberry.ID | None = strawberry.field(
        description="The id of the last item, to be given as `after` for the next page."
    )


@strawberry.type(description="Why an input was refused.")
class InputProblem:
    field: str
    message: str


@strawberry.type(description="Either the new artist, or what is wrong with the input.")
class AddArtistPayload:
    artist: Artist | None
    problems: list[InputProblem]


SearchResult = Annotated[Venue | Artist | Show, strawberry.union("SearchResult")]


@strawberry.input
class VenueInput:
    name: str = strawberry.field(
        description="1 to 80 characters, not blank; not that of another venue."
    )
    city: str = strawberry.field(description="1 to 80 characters, not blank.")
    capacity: int = strawberry.field(description="1 to 200000.")


@strawberry.input
class StageInput:
    venue_id: strawberry.ID
    name: str = strawberry.field(
        description="1 to 80 characters, not blank; not that of another stage of the venue."
    )
    capacity: int = strawberry.field(description="1 or more, and at most that of the venue.")


@strawberry.input
class ArtistInput:
    name: str = strawberry.field(
        description="1 to 80 characters, not blank; not that of another artist."
    )
    genre: Genre = Genre.ROCK
    fee: int = strawberry.field(default=0, description="0 to 1000000.")
    biography: str | None = strawberry.field(default=None, description="At most 2000 characters.")


@strawberry.input(description="What is left out or null stays as it is.")
class ArtistChanges:
    name: str | None = strawberry.field(
        default=None, description="1 to 80 characters, not blank; not that of another artist."
    )
    genre: Genre | None = None
    fee: int | None = strawberry.field(default=None, description="0 to 1000000.")
    biography: str | None = strawberry.field(default=None, description="At most 2000 characters.")


@strawberry.input
class SlotInput:
    artist_id: strawberry.ID
    minutes: int = strawberry.field(description="1 to 600.")


@strawberry.input(
    description="Times are in the years 2000 to 2099 of UTC, and in UTC where they have no offset."
)
class ShowInput:
    title: str = strawberry.field(description="1 to 80 characters, not blank.")
    stage_id: strawberry.ID
    starts_at: datetime.datetime
    ends_at: datetime.datetime = strawberry.field(description="After startsAt.")
    base_price: int = strawberry.field(default=40, description="0 to 100000.")
    slots: list[SlotInput] = strawberry.field(
        description="1 to 8; together no longer than from startsAt to endsAt."
    )


class Festival:
    """Everything the service remembers. All things share one sequence of numbers."""

    def __init__(self) -> None:
        self.numbers = itertools.count(1)
        self.venues: dict[str, Venue] = {}
        self.stages: dict[str, Stage] = {}
        self.artists: dict[str, Artist] = {}
        self.shows: dict[str, Show] = {}
        self.tickets: dict[str, Ticket] = {}
        self.venue_names: set[str] = set()
        self.artist_names: set[str] = set()
        self.deleted_artists: dict[str, Artist] = {}  # for V2
        self.deleted_names: dict[str, None] = {}  # for V12
        self.deleted_shows: dict[str, Show] = {}  # for V11
        self.stats = {"requests": 0} | dict.fromkeys(FAULTS, 0)
        self.by_operation: dict[str, int] = {}
        self.begin()

    def new_key(self) -> strawberry.ID:
        return strawberry.ID(str(next(self.numbers)))

    def met(self, fault: str) -> bool:
        """Whether a fault is there to be met at a place that asks for it; counts that it was."""
        if fault not in faults:
            return False
        self.stats[fault] += 1
        return True

    def begin(self) -> None:
        meadow = self.add_venue("Long Meadow", "Bristol", 9000)
        hall = self.add_venue("Corn Hall", "Bristol", 700)
        pier = self.add_venue("Old Pier", "Brighton", 2500)
        main = self.add_stage(meadow, "Main", 8000)
        tent = self.add_stage(meadow, "Tent", 600)
        gallery = self.add_stage(hall, "Gallery", 300)
        deck = self.add_stage(pier, "Deck", 2000)
        larks = self.add_artist("The Larks", Genre.FOLK, 900, "Three sisters and a fiddle.")
        volt = self.add_artist("Volt Garden", Genre.TECHNO, 4000, None)
        quartet = self.add_artist("Amber Quartet", Genre.JAZZ, 1500, "Late nights, low lights.")
        kites = self.add_artist("Paper Kites Riot", Genre.ROCK, 2500, None)
        self.seed_show("Opening Night", main, 1, 40, [(larks, 60), (kites, 90)])
        self.seed_show("Tea and Fiddles", tent, 2, 15, [(larks, 75)])
        late = self.seed_show("Late Jazz", gallery, 2, 25, [(quartet, 120)])
        self.seed_show("Pier Rave", deck, 3, 30, [(volt, 150)])
        self.seed_show("Farewell", main, 4, 55, [(kites, 60), (volt, 80)])
        self.add_ticket(late, "Ada Finch", TicketKind.STANDARD)
        self.add_ticket(late, "Ben Okoro", TicketKind.VIP)

    def seed_show(self, title: str, stage: Stage, day: int, price: int, slots: list) -> Show:
        start = datetime.datetime(2030, 7, day, 19, tzinfo=UTC)
        end = start + datetime.timedelta(hours=3)
        played = [Slot(artist=artist, minutes=minutes) for artist, minutes in slots]
        return self.add_show(title, stage, start, end, price, played)

    # A long run must not eat the machine, so that what is oldest goes when a shelf is full.

    def add_venue(self, name: str, city: str, capacity: int) -> Venue:
        make_room(self.venues, self.drop_venue)
        venue = Venue(id=self.new_key(), name=name, city=city, capacity=capacity)
        self.venues[venue.id] = venue
        self.venue_names.add(name)
        return venue

    def add_stage(self, venue: Venue, name: str, capacity: int) -> Stage:
        stage = Stage(id=self.new_key(), name=name, capacity=capacity, venue=venue)
        make_room(self.stages, self.drop_stage)
        self.stages[stage.id] = stage
        self.put_stage(stage, venue)
        return stage

    def put_stage(self, stage: Stage, venue: Venue) -> None:
        stage.venue = venue
        venue.own_stages[stage.id] = stage
        venue.stage_names.add(stage.name)
        stage.listed_by.append(venue)

    def add_artist(self, name: str, genre: Genre, fee: int, biography: str | None) -> Artist:
        make_room(self.artists, self.drop_artist)
        artist = Artist(id=self.new_key(), name=name, genre=genre, fee=fee, biography=biography)
        self.artists[artist.id] = artist
        self.artist_names.add(name)
        return artist

    def add_show(
        self,
        title: str,
        stage: Stage,
        starts_at: datetime.datetime,
        ends_at: datetime.datetime,
        base_price: int,
        slots: list[Slot],
    ) -> Show:
        make_room(self.shows, self.drop_show)
        show = Show(
            id=self.new_key(),
            title=title,
            starts_at=starts_at,
            ends_at=ends_at,
            base_price=base_price,
            stage=stage,
            slots=slots,
        )
        self.shows[show.id] = stage.own_shows[show.id] = show
        for slot in slots:
            slot.artist.own_shows[show.id] = show
        return show

    def add_ticket(self, show: Show, holder: str, kind: TicketKind) -> Ticket:
        make_room(self.tickets, self.drop_ticket)
        price = price_of(kind, show.base_price)
        ticket = Ticket(id=self.new_key(), holder=holder, kind=kind, price=price, show=show)
        self.tickets[ticket.id] = show.own_tickets[ticket.id] = ticket
        return ticket

    def drop_venue(self, venue: Venue) -> None:
        del self.venues[venue.id]
        self.venue_names.discard(venue.name)
        for stage in [s for s in venue.own_stages.values() if s.venue is venue]:
            self.drop_stage(stage)

    def drop_stage(self, stage: Stage) -> None:
        del self.stages[stage.id]
        stage.venue.stage_names.discard(stage.name)
        for venue in stage.listed_by:
            venue.own_stages.pop(stage.id, None)
        for show in list(stage.own_shows.values()):
            self.drop_show(show)

    def drop_artist(self, artist: Artist) -> None:
        del self.artists[artist.id]
        self.artist_names.discard(artist.name)
        for show in list(artist.own_shows.values()):
            self.drop_show(show)

    def drop_show(self, show: Show) -> None:
        del self.shows[show.id], show.stage.own_shows[show.id]
        for slot in show.slots:
            slot.artist.own_shows.pop(show.id, None)
        for ticket in list(show.own_tickets.values()):
            self.drop_ticket(ticket)
        keep(self.deleted_shows, show.id, show)

    def drop_ticket(self, ticket: Ticket) -> None:
        del self.tickets[ticket.id], ticket.show.own_tickets[ticket.id]


def make_room(shelf: dict, drop) -> None:
    if len(shelf) >= SHELF_SIZE:
        drop(next(iter(shelf.values())))


def keep(shelf: dict, name: str, thing: object) -> None:
    make_room(shelf, lambda _: shelf.pop(next(iter(shelf))))
    shelf[name] = thing


def price_of(kind: TicketKind, base: int) -> int:
    if kind is TicketKind.REDUCED:
        return base // 2
    if kind is TicketKind.VIP:
        return None if base == 0 and festival.met("V9") else base * 2
    return base


def wrong(message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": "BAD_USER_INPUT"})


def found(shelf: dict, number: str, kind: str):
    if number not in shelf:
        raise GraphQLError(f"there is no {kind} with this id", extensions={"code": "NOT_FOUND"})
    return shelf[number]


def check_page(limit: int, offset: int = 0, name: str = "limit") -> None:
    if not 1 <= limit <= LONGEST_LIST:
        raise wrong(f"{name} must be from 1 to {LONGEST_LIST}")
    if offset < 0:
        raise wrong("offset must not be negative")


def page(things: Iterable, limit: int, offset: int = 0) -> list:
    check_page(limit, offset)
    return list(itertools.islice(things, offset, offset + limit))


def check_text(name: str, text: str) -> None:
    if not text.strip():
        raise wrong(f"{name} must not be blank")
    if len(text) > LONGEST_NAME:
        raise wrong(f"{name} must not be longer than {LONGEST_NAME} characters")


def check_number(name: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise wrong(f"{name} must be from {least} to {most}")


def in_utc(name: str, time: datetime.datetime) -> datetime.datetime:
    if time.tzinfo is None:
        time = time.replace(tzinfo=UTC)
    elif 1 < time.year < 9999:  # the others may have no equal in UTC
        time = time.astimezone(UTC)
    if not 2000 <= time.year <= 2099:
        raise wrong(f"{name} must be in the years 2000 to 2099")
    return time


def check_length(starts_at: datetime.datetime, ends_at: datetime.datetime, minutes: int) -> None:
    if datetime.timedelta(minutes=minutes) > ends_at - starts_at:
        raise wrong("the slots are together longer than from startsAt to endsAt")


def artist_problems(name: str | None, fee: int | None, biography: str | None, own_name: str = ""):
    """What is wrong with an artist, as field and message."""
    if name is not None and not name.strip():
        yield "name", "name must not be blank"
    elif name is not None and len(name) > LONGEST_NAME:
        yield "name", f"name must not be longer than {LONGEST_NAME} characters"
    elif name != own_name and name in festival.artist_names:
        yield "name", "another artist has this name already"
    if fee is not None and not 0 <= fee <= 1_000_000:
        yield "fee", "fee must be from 0 to 1000000"
    if biography is not None and len(biography) > LONGEST_BIOGRAPHY:
        yield "biography", f"biography must not be longer than {LONGEST_BIOGRAPHY} characters"


@strawberry.type
class Query:
    @strawberry.field(description="Null where there is no such venue.")
    def venue(self, id: strawberry.ID) -> Venue | None:
        return festival.venues.get(id)

    @strawberry.field(description="The venues that match all given filters, oldest first.")
    def venues(
        self,
        city: told(str | None, "Only venues in exactly this city.") = None,
        min_capacity: told(int | None, "Only venues with at least this capacity.") = None,
        first: Limit = 10,
        after: told(
            strawberry.ID | None, "The id of a venue that there is: only those that come after it."
        ) = None,
    ) -> VenuePage:
        check_page(first, name="first")
        every = list(festival.venues.values())
        start = 0
        if after is not None:
            start = int(found(festival.venues, after, "venue").id)
        if city is not None:
            every = [venue for venue in every if venue.city == city]
        if min_capacity is not None:
            wide = [venue for venue in every if venue.capacity >= min_capacity]
            if city is None or len(wide) == len(every) or not festival.met("V6"):
                every = wide
        later = [venue for venue in every if int(venue.id) > start]
        items = later[:first]
        return VenuePage(
            items=items,
            total_count=len(every),
            has_next_page=len(later) > first,
            end_cursor=items[-1].id if items else None,
        )

    @strawberry.field(description="Null where there is no such stage.")
    def stage(self, id: strawberry.ID) -> Stage | None:
        return festival.stages.get(id)

    @strawberry.field(description="Null where there is no such artist.")
    def artist(self, id: strawberry.ID) -> Artist | None:
        return festival.artists.get(id)

    @strawberry.field(description="The artists that match all given filters, oldest first.")
    def artists(
        self,
        genre: Genre | None = None,
        max_fee: told(int | None, "Only artists who ask for this fee or less.") = None,
        limit: Limit = 10,
        offset: Offset = 0,
    ) -> list[Artist]:
        check_page(limit, offset)
        every = [
            artist
            for artist in festival.artists.values()
            if genre in (None, artist.genre) and (max_fee is None or artist.fee <= max_fee)
        ]
        if 0 < offset >= len(every) and festival.met("V1"):
            return [every[offset]]
        return page(every, limit, offset)

    @strawberry.field(description="Null where there is no such show.")
    def show(self, id: strawberry.ID) -> Show | None:
        return festival.shows.get(id)

    @strawberry.field(description="The shows that match all given filters, oldest entry first.")
    def shows(
        self,
        stage_id: told(strawberry.ID | None, "Only shows on this stage.") = None,
        artist_id: told(strawberry.ID | None, "Only shows with a slot of this artist.") = None,
        starts_after: told(
            datetime.datetime | None,
            "Only shows that start later. In the years 2000 to 2099; in UTC without an offset.",
        ) = None,
        limit: Limit = 10,
        offset: Offset = 0,
    ) -> list[Show]:
        check_page(limit, offset)
        every = list(festival.shows.values())
        if stage_id is not None:
            every = [show for show in every if show.stage.id == stage_id]
        if artist_id is not None:
            every = [s for s in every if any(slot.artist.id == artist_id for slot in s.slots)]
        if starts_after is not None:
            earliest = in_utc("startsAfter", starts_after)
            every = [show for show in every if show.starts_at > earliest]
        if 0 < offset <= len(every) and festival.met("V7"):
            offset -= 1
        return page(every, limit, offset)

    @strawberry.field(description="Null where there is no such ticket, or it was refunded.")
    def ticket(self, id: strawberry.ID) -> Ticket | None:
        return festival.tickets.get(id)

    @strawberry.field(
        description="The venue, stage or artist with this id; null where there is none."
    )
    def bookable(self, id: strawberry.ID) -> Bookable | None:
        for shelf in (festival.venues, festival.stages, festival.artists):
            if id in shelf:
                return shelf[id]
        if id in festival.deleted_artists and festival.met("V2"):
            return festival.deleted_artists[id]
        return None

    @strawberry.field(
        description="Venues and artists by name, then shows by title, each oldest first."
    )
    def search(
        self,
        text: told(str, "A part of the name or title, in small or capital letters; not blank."),
        limit: Limit = 10,
        offset: Offset = 0,
    ) -> list[SearchResult]:
        if not text.strip():
            raise wrong("text must not be blank")
        part = text.casefold()
        named = itertools.chain(festival.venues.values(), festival.artists.values())
        by_name = (thing for thing in named if part in thing.name.casefold())
        by_title = (show for show in festival.shows.values() if part in show.title.casefold())
        return page(itertools.chain(by_name, by_title), limit, offset)


@strawberry.type
class Mutation:
    @strawberry.mutation
    def add_venue(self, input: VenueInput) -> Venue:
        check_text("name", input.name)
        check_text("city", input.city)
        check_number("capacity", input.capacity, 1, 200_000)
        if input.name in festival.venue_names:
            raise wrong("another venue has this name already")
        return festival.add_venue(input.name, input.city, input.capacity)

    @strawberry.mutation(
        description="Deletes a venue with its stages, their shows and the tickets for these."
        " False where there is no such venue."
    )
    def delete_venue(self, id: strawberry.ID) -> bool:
        if id not in festival.venues:
            return False
        festival.drop_venue(festival.venues[id])
        return True

    @strawberry.mutation
    def add_stage(self, input: StageInput) -> Stage:
        venue = found(festival.venues, input.venue_id, "venue")
        check_text("name", input.name)
        check_stage(venue, input.name, input.capacity)
        return festival.add_stage(venue, input.name, input.capacity)

    @strawberry.mutation(
        description="Moves a stage with its shows to another venue, under the rules for a new"
        " stage there. Moving it to where it is changes nothing."
    )
    def move_stage(self, id: strawberry.ID, venue_id: strawberry.ID) -> Stage:
        stage = found(festival.stages, id, "stage")
        venue = found(festival.venues, venue_id, "venue")
        old = stage.venue
        if venue is old:
            return stage
        check_stage(venue, stage.name, stage.capacity)
        old.stage_names.discard(stage.name)
        if "V10" not in faults:
            del old.own_stages[stage.id]
            stage.listed_by.clear()
        festival.put_stage(stage, venue)
        return stage

    @strawberry.mutation(description="A refused input is told of in `problems`.")
    def add_artist(self, input: ArtistInput) -> AddArtistPayload:
        problems = [
            InputProblem(field=name, message=message)
            for name, message in artist_problems(input.name, input.fee, input.biography)
        ]
        if problems:
            return AddArtistPayload(artist=None, problems=problems)
        if input.name in festival.deleted_names and festival.met("V12"):
            raise KeyError(("artist", input.name))
        artist = festival.add_artist(input.name, input.genre, input.fee, input.biography)
        return AddArtistPayload(artist=artist, problems=[])

    @strawberry.mutation
    def update_artist(self, id: strawberry.ID, changes: ArtistChanges) -> Artist:
        artist = found(festival.artists, id, "artist")
        wanted = {name: value for name, value in vars(changes).items() if value is not None}
        for _, message in artist_problems(
            changes.name, changes.fee, changes.biography, artist.name
        ):
            raise wrong(message)
        answer = replace(artist, **wanted)
        if wanted.get("biography", artist.biography) != artist.biography and festival.met("V5"):
            del wanted["biography"]
        festival.artist_names.discard(artist.name)
        vars(artist).update(wanted)
        festival.artist_names.add(artist.name)
        return answer

    @strawberry.mutation(
        description="False where there is no such artist. Refused for an artist who has a slot"
        " in a show."
    )
    def delete_artist(self, id: strawberry.ID) -> bool:
        if id not in festival.artists:
            return False
        artist = festival.artists[id]
        if artist.own_shows:
            raise wrong("the artist has a slot in a show, which must be deleted first")
        festival.drop_artist(artist)
        keep(festival.deleted_artists, id, artist)
        keep(festival.deleted_names, artist.name, None)
        return True

    @strawberry.mutation
    def add_show(self, show_input: ShowInput) -> Show:
        stage = found(festival.stages, show_input.stage_id, "stage")
        check_text("title", show_input.title)
        check_number("basePrice", show_input.base_price, 0, 100_000)
        if not 1 <= len(show_input.slots) <= MOST_SLOTS:
            raise wrong(f"a show must have from 1 to {MOST_SLOTS} slots")
        for slot in show_input.slots:
            check_number("minutes", slot.minutes, 1, 600)
        slots = [
            Slot(artist=found(festival.artists, slot.artist_id, "artist"), minutes=slot.minutes)
            for slot in show_input.slots
        ]
        start = in_utc("startsAt", show_input.starts_at)
        end = in_utc("endsAt", show_input.ends_at)
        if end <= start:
            raise wrong("endsAt must be after startsAt")
        check_length(start, end, sum(slot.minutes for slot in slots))
        return festival.add_show(
            show_input.title, stage, start, end, show_input.base_price, slots
        )

    @strawberry.mutation(
        description="Gives a show other times, under the rules for a new show."
        " A refused change changes nothing."
    )
    def reschedule_show(
        self,
        id: strawberry.ID,
        starts_at: told(datetime.datetime, "In the years 2000 to 2099; in UTC without an offset."),
        ends_at: told(datetime.datetime, "After startsAt, by at least what the slots take."),
    ) -> Show:
        show = found(festival.shows, id, "show")
        start, end = in_utc("startsAt", starts_at), in_utc("endsAt", ends_at)
        if end <= start:
            if start != show.starts_at and festival.met("V4"):
                show.starts_at = start
            raise wrong("endsAt must be after startsAt")
        check_length(start, end, sum(slot.minutes for slot in show.slots))
        show.starts_at, show.ends_at = start, end
        return show

    @strawberry.mutation(
        description="Deletes a show with its tickets. False where there is no such show."
    )
    def delete_show(self, id: strawberry.ID) -> bool:
        if id not in festival.shows:
            return False
        festival.drop_show(festival.shows[id])
        return True

    @strawberry.mutation(
        description="Refused where as many tickets are sold as the capacity of the stage."
    )
    def buy_ticket(
        self,
        show_id: strawberry.ID,
        holder: told(str, "1 to 80 characters, not blank."),
        kind: TicketKind = TicketKind.STANDARD,
    ) -> Ticket:
        if show_id in festival.deleted_shows and festival.met("V11"):
            show = festival.deleted_shows[show_id]
        else:
            show = found(festival.shows, show_id, "show")
        check_text("holder", holder)
        if len(show.own_tickets) >= show.stage.capacity:
            raise wrong("the show is sold out")
        return festival.add_ticket(show, holder, kind)

    @strawberry.mutation(description="Takes a ticket back, and answers with what it was.")
    def refund_ticket(self, id: strawberry.ID) -> Ticket:
        ticket = found(festival.tickets, id, "ticket")
        festival.drop_ticket(ticket)
        ticket.show.refunded += 1
        return ticket


def check_stage(venue: Venue, name: str, capacity: int) -> None:
    if capacity < 1:
        raise wrong("capacity must be at least 1")
    if capacity > venue.capacity:
        raise wrong("capacity of the stage must not be above that of the venue")
    if name in venue.stage_names:
        raise wrong("another stage of the venue has this name already")


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
                festival.by_operation[name] = festival.by_operation.get(name, 0) + 1


class QuietSchema(strawberry.Schema):
    """A tester causes thousands of errors; nobody wants to read them twice."""

    def process_errors(self, errors, execution_context=None) -> None:
        pass


class Router(GraphQLRouter):
    """The framework fails on a body that is no object or text, or nested beyond reason."""

    async def parse_http_body(self, request):
        try:
            return await super().parse_http_body(request)
        except (AttributeError, RecursionError, UnicodeDecodeError) as error:
            raise HTTPException(400, "The body must be an object in UTF-8.") from error


app = FastAPI(openapi_url=None)
faults = chosen_faults(os.environ.get("FAULTS", "none"))
festival = Festival()
# Most of the time would go into reading the same documents again.
caches = [lambda: ParserCache(maxsize=1000), lambda: ValidationCache(maxsize=1000)]
schema = QuietSchema(query=Query, mutation=Mutation, extensions=[Count, *caches])
app.include_router(Router(schema, graphql_ide=None), prefix="/graphql")


@app.middleware("http")
async def count(request: Request, call_next):
    if not request.url.path.startswith("/__"):
        festival.stats["requests"] += 1
    return await call_next(request)


@app.get("/__stats")
async def get_stats():
    return {"stats": festival.stats, "by_op": festival.by_operation}


@app.post("/__reset")
async def reset():
    festival.__init__()
    return {}
