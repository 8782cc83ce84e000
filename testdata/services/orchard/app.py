"""An orchard cooperative in memory, by GraphQL: growers have plots, varieties are planted on
plots and harvested there, and orders of harvests are placed and delivered.

FAULTS chooses what is wrong with it: `none` (the default), `all`, or some names, as `T1,T3`.

    T1   query search             a text that is no regular expression raises an error
    T2   field Plot.lastHarvest   raises a KeyError once the last harvest was deleted
    T3   field HarvestPage.totalKilos  is null, though `Int!`, where no harvest matches
    T4   query journal            a deleted harvest is still shown
    T5   mutation updatePlot      a plot is no longer organic where `organic` is left out
    T6   mutation addPlot         refuses an unknown variety, but keeps the plot
    T7   query harvests           takes the page first, and filters only then
    T8   field Plot.harvests      has the harvests of other plots with the same name too
    T9   mutation addVariety      keeps ripeFrom and ripeTo swapped where they span the new year
    T10  query growers            takes more than a second for a large offset
    T11  mutation deleteGrower    tells of tables and files where the grower has plots
    T12  mutation cancelOrder     cancels a delivered order

Without faults it keeps to its schema, so whatever a tester reports of it is a false alarm.
GET /__stats tells how many requests came and how often each fault was met; POST /__reset goes
back to the few things it begins with.
"""

import asyncio
import base64
import binascii
import datetime
import enum
import itertools
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import field, replace
from typing import Annotated

import strawberry
from fastapi import FastAPI, HTTPException, Request
from graphql import FieldNode, GraphQLError, OperationDefinitionNode
from strawberry.extensions import ParserCache, SchemaExtension, ValidationCache
from strawberry.fastapi import GraphQLRouter

FAULTS = tuple(f"T{number}" for number in range(1, 13))
SHELF_SIZE = 20_000
LONGEST_LIST = 50
LONGEST_NAME = 80
LONGEST_CODE = 20
LONGEST_NOTE = 200
MOST_PLANTINGS = 10
MOST_LINES = 10
MOST_KILOS = 20_000
MOST_PRICE = 10_000
MOST_AREA = 1_000_000
MOST_TREES = 10_000
MOST_DISCOUNT = 50
LEAST_KILOS_FOR_DISCOUNT = 100
LARGE_OFFSET = 10_000
SLOW_SECONDS = 1.2


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
Descending = told(bool, "Turns the whole order around.")
MinArea = told(int | None, "Only plots of at least this area.")


@strawberry.enum
class Fruit(enum.Enum):
    APPLE = "apple"
    PEAR = "pear"
    PLUM = "plum"
    CHERRY = "cherry"


@strawberry.enum
class Grade(enum.Enum):
    EXTRA = "extra"
    FIRST = "first"
    JUICE = "juice"


@strawberry.enum(
    description="An order goes from DRAFT to PLACED to DELIVERED."
    " From DRAFT and from PLACED it can also go to CANCELLED."
)
class OrderStatus(enum.Enum):
    DRAFT = "draft"
    PLACED = "placed"
    DELIVERED = "delivered"
    CANCELLED = "cancelled"


@strawberry.enum(description="Of equal growers, the one added first comes first.")
class GrowerOrder(enum.Enum):
    ADDED = strawberry.enum_value("added", description="The one added first comes first.")
    NAME = strawberry.enum_value("name", description="By name, character by character in Unicode.")


@strawberry.enum(description="Of equal plots, the one added first comes first.")
class PlotOrder(enum.Enum):
    ADDED = strawberry.enum_value("added", description="The one added first comes first.")
    NAME = strawberry.enum_value("name", description="By name, character by character in Unicode.")
    AREA = strawberry.enum_value("area", description="The smallest comes first.")


@strawberry.enum(description="Of equal harvests, the one recorded first comes first.")
class HarvestOrder(enum.Enum):
    RECORDED = strawberry.enum_value("recorded", description="The one recorded first comes first.")
    PICKED_ON = strawberry.enum_value("picked_on", description="The earliest day comes first.")
    KILOS = strawberry.enum_value("kilos", description="The smallest comes first.")


@strawberry.interface(description="What can be searched for by its name.")
class Named:
    name: str


@strawberry.type(description="A member of the cooperative. Two growers may have the same name.")
class Grower(Named):
    id: strawberry.ID
    town: str
    email: str | None
    own_plots: strawberry.Private[dict] = field(default_factory=dict)

    @strawberry.field(description="The plots of this grower.")
    def plots(
        self,
        min_area_m2: MinArea = None,
        order_by: PlotOrder = PlotOrder.ADDED,
        descending: Descending = False,
        limit: Limit = 10,
        offset: Offset = 0,
    ) -> list["Plot"]:
        wide = [plot for plot in self.own_plots.values() if at_least(min_area_m2, plot.area_m2)]
        return page(in_order(wide, PLOT_KEYS[order_by], descending), limit, offset)

    @strawberry.field(description="How many plots the grower has.")
    def plot_count(self) -> int:
        return len(self.own_plots)


@strawberry.type(description="What is planted of one variety on a plot.")
class Planting:
    variety: "Variety"
    trees: int


@strawberry.type(
    description="A piece of land of one grower. No two plots of a grower have the same name."
)
class Plot(Named):
    id: strawberry.ID
    area_m2: int
    organic: bool
    grower: Grower
    plantings: list[Planting] = strawberry.field(description="In the order in which they came.")
    own_harvests: strawberry.Private[dict] = field(default_factory=dict)
    deleted_last: strawberry.Private[str | None] = None  # for T2

    @strawberry.field(description="How many trees there are in all plantings.")
    def trees(self) -> int:
        return sum(planting.trees for planting in self.plantings)

    @strawberry.field(description="The harvests of this plot.")
    def harvests(
        self,
        grade: told(Grade | None, "Only harvests of this grade.") = None,
        order_by: HarvestOrder = HarvestOrder.RECORDED,
        descending: Descending = False,
        limit: Limit = 10,
        offset: Offset = 0,
    ) -> list["Harvest"]:
        graded = [h for h in self.shown_harvests() if grade in (None, h.grade)]
        return page(in_order(graded, HARVEST_KEYS[order_by], descending), limit, offset)

    def shown_harvests(self) -> list["Harvest"]:
        own = list(self.own_harvests.values())
        if "T8" not in faults:
            return own
        namesakes = [p for p in coop.plots.values() if p.name == self.name and p is not self]
        others = [harvest for plot in namesakes for harvest in plot.own_harvests.values()]
        return own + others if others and coop.met("T8") else own

    @strawberry.field(description="How many harvests the plot has.")
    def harvest_count(self) -> int:
        return len(self.own_harvests)

    @strawberry.field(
        description="The harvest picked last; of several on one day, the one recorded last."
        " Null where the plot has none."
    )
    def last_harvest(self) -> "Harvest | None":
        if self.deleted_last is not None and coop.met("T2"):
            return coop.harvests[self.deleted_last]
        return self.find_last_harvest()

    def find_last_harvest(self) -> "Harvest | None":
        return max(self.own_harvests.values(), key=by_day, default=None)


@strawberry.type(description="No two varieties have the same code.")
class Variety(Named):
    code: strawberry.ID
    fruit: Fruit
    price_per_kilo: int = strawberry.field(description="In cents.")
    ripe_from: int = strawberry.field(description="The first month it is ripe in, 1 to 12.")
    ripe_to: int = strawberry.field(
        description="The last month it is ripe in, 1 to 12."
        " Below ripeFrom where it is ripe over the new year."
    )
    own_harvests: strawberry.Private[dict] = field(default_factory=dict)
    own_plots: strawberry.Private[dict] = field(default_factory=dict)

    @strawberry.field(description="The harvests of this variety, the one recorded first first.")
    def harvests(self, limit: Limit = 10, offset: Offset = 0) -> list["Harvest"]:
        return page(self.own_harvests.values(), limit, offset)

    def is_ripe_in(self, month: int) -> bool:
        if self.ripe_from <= self.ripe_to:
            return self.ripe_from <= month <= self.ripe_to
        return month >= self.ripe_from or month <= self.ripe_to


@strawberry.type(description="What was picked of one variety on a plot on a day.")
class Harvest:
    id: strawberry.ID
    plot: Plot
    variety: Variety
    picked_on: datetime.date
    kilos: int
    grade: Grade
    note: str | None
    reserved: strawberry.Private[int] = 0
    line_count: strawberry.Private[int] = 0

    @strawberry.field(
        description="The kilos that are not in lines of PLACED or DELIVERED orders."
    )
    def kilos_left(self) -> int:
        return self.kilos - self.reserved


@strawberry.type(description="What an order has of one harvest.")
class OrderLine:
    harvest: Harvest
    kilos: int

    @strawberry.field(description="The kilos times the price of the variety, without a discount.")
    def cents(self) -> int:
        return self.kilos * self.harvest.variety.price_per_kilo


@strawberry.type
class Order:
    id: strawberry.ID
    customer: str
    status: OrderStatus
    discount_percent: int
    own_lines: strawberry.Private[list[OrderLine]]
    delivery: "Delivery | None" = strawberry.field(
        default=None, description="Null where the order is not DELIVERED."
    )

    @strawberry.field(description="The lines in the order in which they were given.")
    def lines(
        self,
        min_kilos: told(int | None, "Only lines of at least this many kilos.") = None,
        limit: Limit = 10,
        offset: Offset = 0,
    ) -> list[OrderLine]:
        return page([x for x in self.own_lines if at_least(min_kilos, x.kilos)], limit, offset)

    @strawberry.field(description="The kilos of all lines together.")
    def total_kilos(self) -> int:
        return sum(line.kilos for line in self.own_lines)

    @strawberry.field(
        description="The cents of all lines together, less the discount, rounded down."
    )
    def total_cents(self) -> int:
        full = sum(line.cents() for line in self.own_lines)
        return full * (100 - self.discount_percent) // 100


@strawberry.type
class Delivery:
    id: strawberry.ID
    order: Order
    delivered_on: datetime.date
    driver: str | None


JournalEntry = Annotated[Harvest | Delivery, strawberry.union("JournalEntry")]


@strawberry.type
class HarvestPage:
    items: list[Harvest]
    total_count: int = strawberry.field(
        description="How many harvests match the filter, on this page or not."
    )
    total_kilos: int = strawberry.field(
        description="The kilos of all harvests that match the filter, on this page or not;"
        " 0 where none does."
    )


@strawberry.type
class OrderEdge:
    cursor: str = strawberry.field(description="To be given as `after`.")
    node: Order


@strawberry.type
class PageInfo:
    has_next_page: bool
    end_cursor: str | None = strawberry.field(
        description="The cursor of the last edge; null where there is none."
    )


@strawberry.type
class OrderConnection:
    edges: list[OrderEdge]
    page_info: PageInfo
    total_count: int = strawberry.field(
        description="How many orders match the filters, on this page or not."
    )


@strawberry.input
class GrowerInput:
    name: str = strawberry.field(description="1 to 80 characters, not blank.")
    town: str = strawberry.field(description="1 to 80 characters, not blank.")
    email: str | None = strawberry.field(
        default=None,
        description="At most 80 characters, one of them an @ that is neither first nor last.",
    )


@strawberry.input
class PlantingInput:
    variety_code: strawberry.ID
    trees: int = strawberry.field(description="1 to 10000.")


@strawberry.input
class PlotInput:
    grower_id: strawberry.ID
    name: str = strawberry.field(
        description="1 to 80 characters, not blank; not that of another plot of the grower"
        " (refused with CONFLICT)."
    )
    area_m2: int = strawberry.field(description="1 to 1000000.")
    organic: bool = False
    plantings: list[PlantingInput] = strawberry.field(
        default_factory=list,
        description="At most 10, each of another variety;"
        " together no more trees than the plot has square metres.",
    )


@strawberry.input(
    description="What is left out or null stays as it is. The rules are those for a new plot."
)
class PlotChanges:
    grower_id: strawberry.ID | None = strawberry.field(
        default=None, description="The grower who gets the plot, with its harvests."
    )
    name: str | None = None
    area_m2: int | None = None
    organic: bool | None = None
    plantings: list[PlantingInput] | None = strawberry.field(
        default=None,
        description="Take the place of all that there were. Harvests stay as they are.",
    )


@strawberry.input
class VarietyInput:
    code: strawberry.ID = strawberry.field(
        description="1 to 20 characters, not blank; not that of another variety"
        " (refused with CONFLICT)."
    )
    name: str = strawberry.field(description="1 to 80 characters, not blank.")
    fruit: Fruit
    price_per_kilo: int = strawberry.field(description="In cents, 1 to 10000.")
    ripe_from: int = strawberry.field(description="A month, 1 to 12.")
    ripe_to: int = strawberry.field(
        description="A month, 1 to 12; below ripeFrom where it is ripe over the new year."
    )


@strawberry.input
class HarvestInput:
    plot_id: strawberry.ID
    variety_code: strawberry.ID = strawberry.field(
        description="A variety planted on the plot; another is refused with CONFLICT."
    )
    picked_on: datetime.date = strawberry.field(description="In the years 2000 to 2099.")
    kilos: int = strawberry.field(description="1 to 20000.")
    grade: Grade = Grade.FIRST
    note: str | None = strawberry.field(default=None, description="At most 200 characters.")


@strawberry.input(
    description="Only harvests that match all that is given; null is the same as left out."
)
class HarvestFilter:
    plot_ids: list[strawberry.ID] | None = strawberry.field(
        default=None, description="Only harvests of these plots; of none where the list is empty."
    )
    variety_code: strawberry.ID | None = None
    grade: Grade | None = None
    min_kilos: int | None = strawberry.field(
        default=None, description="Only harvests of at least this many kilos."
    )
    picked_from: datetime.date | None = strawberry.field(
        default=None, description="Only harvests picked on this day or later."
    )
    picked_to: datetime.date | None = strawberry.field(
        default=None,
        description="Only harvests picked on this day or earlier. Not before pickedFrom.",
    )


@strawberry.input
class OrderLineInput:
    harvest_id: strawberry.ID
    kilos: int = strawberry.field(description="1 to 20000.")


@strawberry.input
class OrderInput:
    customer: str = strawberry.field(description="1 to 80 characters, not blank.")
    discount_percent: int = strawberry.field(
        default=0, description="0 to 50; above 0 only where the lines have at least 100 kilos."
    )
    lines: list[OrderLineInput] = strawberry.field(
        description="1 to 10, each of another harvest."
    )


class Cooperative:
    """Everything the service remembers. All things share one sequence of numbers."""

    def __init__(self) -> None:
        self.numbers = itertools.count(1)
        self.growers: dict[str, Grower] = {}
        self.plots: dict[str, Plot] = {}
        self.varieties: dict[str, Variety] = {}
        self.harvests: dict[str, Harvest] = {}
        self.orders: dict[str, Order] = {}
        self.deliveries: dict[str, Delivery] = {}
        self.deleted_harvests: dict[str, Harvest] = {}  # for T4
        self.stats = {"requests": 0} | dict.fromkeys(FAULTS, 0)
        self.by_operation: dict[str, int] = {}
        self.begin()

    def new_key(self, letter: str) -> strawberry.ID:
        return strawberry.ID(f"{letter}{next(self.numbers)}")

    def met(self, fault: str) -> bool:
        """Whether a fault is there to be met at a place that asks for it; counts that it was."""
        if fault not in faults:
            return False
        self.stats[fault] += 1
        return True

    def begin(self) -> None:
        ada = self.add_grower("Ada Brook", "Ledbury", "ada@brook.example")
        piotr = self.add_grower("Piotr Lis", "Ledbury", None)
        mary = self.add_grower("Mary Oakes", "Hereford", "mary@oakes.example")
        self.add_grower("Sam Reed", "Ross", None)
        braeburn = self.add_variety("BRAEBURN", "Braeburn", Fruit.APPLE, 180, 9, 10)
        cox = self.add_variety("COX", "Cox's Orange Pippin", Fruit.APPLE, 240, 9, 9)
        pear = self.add_variety("CONFERENCE", "Conference", Fruit.PEAR, 210, 9, 11)
        plum = self.add_variety("VICTORIA", "Victoria", Fruit.PLUM, 320, 8, 9)
        self.add_variety("NELIS", "Winter Nelis", Fruit.PEAR, 260, 11, 1)
        long_field = self.seed_plot(ada, "Long Field", 12000, True, [(braeburn, 300), (cox, 150)])
        hillside = self.seed_plot(ada, "Hillside", 4500, True, [(pear, 200)])
        piotrs = self.seed_plot(piotr, "Long Field", 9000, False, [(cox, 400), (plum, 80)])
        riverside = self.seed_plot(mary, "Riverside", 20000, True, [(plum, 500), (pear, 250)])
        plums = self.seed_harvest(riverside, plum, (8, 20), 1400, Grade.EXTRA)
        coxes = self.seed_harvest(long_field, cox, (9, 5), 2200, Grade.FIRST)
        juice = self.seed_harvest(piotrs, cox, (9, 7), 3100, Grade.JUICE)
        late_plums = self.seed_harvest(piotrs, plum, (9, 7), 450, Grade.FIRST)
        pears = self.seed_harvest(hillside, pear, (9, 28), 1800, Grade.EXTRA)
        self.seed_harvest(riverside, pear, (10, 2), 900, Grade.JUICE)
        apples = self.seed_harvest(long_field, braeburn, (10, 11), 2600, Grade.FIRST)
        fair = self.add_order("Fair Foods", 0, [(plums, 300), (coxes, 500)])
        press = self.add_order("Old Press", 10, [(juice, 1500)])
        school = self.add_order("Hill School", 0, [(coxes, 80)])
        market = self.add_order("Market Hall", 5, [(pears, 400), (apples, 600)])
        self.add_order("Corner Shop", 0, [(apples, 40), (late_plums, 25)])
        inn = self.add_order("Fair Oak Inn", 0, [(late_plums, 60)])
        for order in (fair, press, school, market):
            self.place(order)
        self.deliver(fair, datetime.date(2030, 9, 10), "Joan Pike")
        self.deliver(press, datetime.date(2030, 9, 12), None)
        self.deliver(school, datetime.date(2030, 9, 20), "Joan Pike")
        self.cancel(inn)

    def seed_plot(self, grower: Grower, name: str, area: int, organic: bool, planted) -> Plot:
        plantings = [Planting(variety=variety, trees=trees) for variety, trees in planted]
        return self.add_plot(grower, name, area, organic, plantings)

    def seed_harvest(self, plot: Plot, variety: Variety, day, kilos: int, grade: Grade) -> Harvest:
        return self.add_harvest(plot, variety, datetime.date(2030, *day), kilos, grade, None)

    def add_grower(self, name: str, town: str, email: str | None) -> Grower:
        grower = Grower(id=self.new_key("g"), name=name, town=town, email=email)
        self.growers[grower.id] = grower
        return grower

    def add_variety(
        self, code: str, name: str, fruit: Fruit, price: int, ripe_from: int, ripe_to: int
    ) -> Variety:
        variety = Variety(
            code=strawberry.ID(code),
            name=name,
            fruit=fruit,
            price_per_kilo=price,
            ripe_from=ripe_from,
            ripe_to=ripe_to,
        )
        self.varieties[code] = variety
        return variety

    def add_plot(
        self, grower: Grower, name: str, area: int, organic: bool, plantings: list[Planting]
    ) -> Plot:
        key = self.new_key("p")
        plot = Plot(
            id=key, name=name, area_m2=area, organic=organic, grower=grower, plantings=[]
        )
        self.plots[key] = grower.own_plots[key] = plot
        self.plant(plot, plantings)
        return plot

    def plant(self, plot: Plot, plantings: list[Planting]) -> None:
        for planting in plot.plantings:
            del planting.variety.own_plots[plot.id]
        for planting in plantings:
            planting.variety.own_plots[plot.id] = plot
        plot.plantings = plantings

    def give_plot(self, plot: Plot, grower: Grower) -> None:
        del plot.grower.own_plots[plot.id]
        grower.own_plots[plot.id] = plot
        plot.grower = grower

    def add_harvest(
        self,
        plot: Plot,
        variety: Variety,
        picked_on: datetime.date,
        kilos: int,
        grade: Grade,
        note: str | None,
    ) -> Harvest:
        harvest = Harvest(
            id=self.new_key("h"),
            plot=plot,
            variety=variety,
            picked_on=picked_on,
            kilos=kilos,
            grade=grade,
            note=note,
        )
        for shelf in (self.harvests, plot.own_harvests, variety.own_harvests):
            shelf[harvest.id] = harvest
        plot.deleted_last = None
        return harvest

    def drop_harvest(self, harvest: Harvest) -> None:
        if harvest.plot.find_last_harvest() is harvest:
            harvest.plot.deleted_last = harvest.id
        for shelf in (self.harvests, harvest.plot.own_harvests, harvest.variety.own_harvests):
            del shelf[harvest.id]
        keep(self.deleted_harvests, harvest.id, harvest)

    def add_order(self, customer: str, discount: int, wanted: list[tuple[Harvest, int]]) -> Order:
        lines = [OrderLine(harvest=harvest, kilos=kilos) for harvest, kilos in wanted]
        order = Order(
            id=self.new_key("o"),
            customer=customer,
            status=OrderStatus.DRAFT,
            discount_percent=discount,
            own_lines=lines,
        )
        for line in lines:
            line.harvest.line_count += 1
        self.orders[order.id] = order
        return order

    def place(self, order: Order) -> None:
        for line in order.own_lines:
            line.harvest.reserved += line.kilos
        order.status = OrderStatus.PLACED

    def deliver(self, order: Order, day: datetime.date, driver: str | None) -> None:
        key = self.new_key("d")
        delivery = Delivery(id=key, order=order, delivered_on=day, driver=driver)
        self.deliveries[key] = order.delivery = delivery
        order.status = OrderStatus.DELIVERED

    def cancel(self, order: Order) -> None:
        if order.status is not OrderStatus.DRAFT:
            for line in order.own_lines:
                line.harvest.reserved -= line.kilos
        order.status = OrderStatus.CANCELLED


def keep(shelf: dict, key: str, thing: object) -> None:
    if len(shelf) >= SHELF_SIZE:
        shelf.pop(next(iter(shelf)))
    shelf[key] = thing


def number_of(thing) -> int:
    return int(thing.id[1:])


def ids(things: list) -> list[str]:
    return [thing.id for thing in things]


def by_day(harvest: Harvest) -> tuple:
    return harvest.picked_on, number_of(harvest)


def by_name(thing) -> tuple:
    return thing.name, number_of(thing)


GROWER_KEYS = {GrowerOrder.ADDED: number_of, GrowerOrder.NAME: by_name}
PLOT_KEYS = {
    PlotOrder.ADDED: number_of,
    PlotOrder.NAME: by_name,
    PlotOrder.AREA: lambda plot: (plot.area_m2, number_of(plot)),
}
HARVEST_KEYS = {
    HarvestOrder.RECORDED: number_of,
    HarvestOrder.PICKED_ON: by_day,
    HarvestOrder.KILOS: lambda harvest: (harvest.kilos, number_of(harvest)),
}


def refusal(code: str, message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": code})


def wrong(message: str) -> GraphQLError:
    return refusal("BAD_USER_INPUT", message)


def conflict(message: str) -> GraphQLError:
    return refusal("CONFLICT", message)


def found(shelf: dict, key: str, kind: str):
    if key not in shelf:
        raise refusal("NOT_FOUND", f"there is no such {kind}")
    return shelf[key]


def in_order(things: Iterable, key: Callable, descending: bool) -> list:
    return sorted(things, key=key, reverse=descending)


def check_page(limit: int, offset: int = 0, name: str = "limit") -> None:
    check_number(name, limit, 1, LONGEST_LIST)
    if offset < 0:
        raise wrong("offset must not be negative")


def page(things: Iterable, limit: int, offset: int) -> list:
    check_page(limit, offset)
    return list(itertools.islice(things, offset, offset + limit))


def at_least(least: int | None, number: int) -> bool:
    return least is None or number >= least


def at_most(most: int | None, number: int) -> bool:
    return most is None or number <= most


def contains(part: str | None, text: str) -> bool:
    return part is None or part.casefold() in text.casefold()


def check_room(shelf: dict) -> None:
    if len(shelf) >= SHELF_SIZE:
        raise conflict(f"there are {SHELF_SIZE} already")


def check_number(name: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise wrong(f"{name} must be from {least} to {most}")


def check_length(name: str, text: str | None, longest: int) -> None:
    if text is not None and len(text) > longest:
        raise wrong(f"{name} must not be longer than {longest} characters")


def check_text(name: str, text: str, longest: int = LONGEST_NAME) -> None:
    if not text.strip():
        raise wrong(f"{name} must not be blank")
    check_length(name, text, longest)


def check_email(email: str | None) -> None:
    if email is None:
        return
    check_length("email", email, LONGEST_NAME)
    before, _, after = email.partition("@")
    if not before or not after or "@" in after:
        raise wrong("email must have one @ that is neither first nor last")


def check_day(name: str, day: datetime.date) -> None:
    if not 2000 <= day.year <= 2099:
        raise wrong(f"{name} must be in the years 2000 to 2099")


def check_span(low_name: str, low, high_name: str, high) -> None:
    if low is not None and high is not None and high < low:
        raise wrong(f"{high_name} must not be below {low_name}")


def check_different(name: str, keys: list[str]) -> None:
    if len(set(keys)) < len(keys):
        raise wrong(f"{name} must be different")


def planted(wanted: list[PlantingInput]) -> list[Planting]:
    if len(wanted) > MOST_PLANTINGS:
        raise wrong(f"a plot must not have more than {MOST_PLANTINGS} plantings")
    for planting in wanted:
        check_number("trees", planting.trees, 1, MOST_TREES)
    check_different("the varieties of the plantings", [p.variety_code for p in wanted])
    return [
        Planting(variety=found(coop.varieties, p.variety_code, "variety"), trees=p.trees)
        for p in wanted
    ]


def check_trees(area_m2: int, plantings: list[Planting]) -> None:
    if sum(planting.trees for planting in plantings) > area_m2:
        raise wrong("there must not be more trees than square metres")


def check_plot_name(grower: Grower, name: str, own: Plot | None = None) -> None:
    check_text("name", name)
    if any(plot.name == name and plot is not own for plot in grower.own_plots.values()):
        raise conflict("another plot of the grower has this name already")


def lacks_variety(wanted: list[PlantingInput]) -> bool:
    return any(planting.variety_code not in coop.varieties for planting in wanted)


def check_lines(lines: list[OrderLineInput], discount: int) -> None:
    if not 1 <= len(lines) <= MOST_LINES:
        raise wrong(f"an order must have from 1 to {MOST_LINES} lines")
    for line in lines:
        check_number("kilos", line.kilos, 1, MOST_KILOS)
    check_different("the harvests of the lines", [line.harvest_id for line in lines])
    if discount > 0 and sum(line.kilos for line in lines) < LEAST_KILOS_FOR_DISCOUNT:
        raise wrong(f"a discount needs at least {LEAST_KILOS_FOR_DISCOUNT} kilos")


def check_status(order: Order, *allowed: OrderStatus) -> None:
    if order.status not in allowed:
        raise conflict(f"the order is {order.status.name}")


def matches(harvest: Harvest, wanted: HarvestFilter) -> bool:
    return (
        (wanted.plot_ids is None or harvest.plot.id in wanted.plot_ids)
        and wanted.variety_code in (None, harvest.variety.code)
        and wanted.grade in (None, harvest.grade)
        and at_least(wanted.min_kilos, harvest.kilos)
        and is_between(harvest.picked_on, wanted.picked_from, wanted.picked_to)
    )


def is_between(
    day: datetime.date, first: datetime.date | None, last: datetime.date | None
) -> bool:
    return (first is None or day >= first) and (last is None or day <= last)


def check_pattern(text: str) -> None:
    """T1: as if the text was used as a regular expression."""
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError):
        if coop.met("T1"):
            raise


def broken_constraint(grower: Grower) -> GraphQLError:
    """T11: what the storage below would say."""
    message = (
        'update or delete on table "growers" violates foreign key constraint'
        ' "plots_grower_id_fkey" on table "plots"'
        f" [SQL: DELETE FROM growers WHERE growers.id = '{grower.id}']"
    )
    trace = [
        'File "/srv/orchard/app/resolvers/growers.py", line 88, in delete_grower',
        'File "/srv/orchard/app/storage/session.py", line 41, in flush',
        "psycopg2.errors.ForeignKeyViolation",
    ]
    return GraphQLError(message, extensions={"code": "CONFLICT", "stacktrace": trace})


def cursor_of(order: Order) -> str:
    return base64.b64encode(order.id.encode()).decode()


def place_of(cursor: str) -> int:
    """The number of the order that a cursor stands for."""
    try:
        key = base64.b64decode(cursor, validate=True).decode()
    except (binascii.Error, ValueError):
        key = ""
    if key not in coop.orders:
        raise wrong("after must be a cursor of an order")
    return number_of(coop.orders[key])


def orders_after(every: list[Order], after: str | None, newest_first: bool) -> list[Order]:
    if after is None:
        return every
    place = place_of(after)
    if newest_first:
        return [order for order in every if number_of(order) < place]
    return [order for order in every if number_of(order) > place]


def day_of(entry: Harvest | Delivery) -> tuple:
    day = entry.picked_on if isinstance(entry, Harvest) else entry.delivered_on
    return day, number_of(entry)


def journal_entries() -> list[Harvest | Delivery]:
    entries = [*coop.harvests.values(), *coop.deliveries.values()]
    if coop.deleted_harvests and coop.met("T4"):
        entries.extend(coop.deleted_harvests.values())
    return sorted(entries, key=day_of)


@strawberry.type(
    description="What is refused has the code BAD_USER_INPUT in the extensions of its error."
)
class Query:
    @strawberry.field(description="Null where there is no such grower.")
    def grower(self, id: strawberry.ID) -> Grower | None:
        return coop.growers.get(id)

    @strawberry.field(description="The growers that match all given filters.")
    async def growers(
        self,
        town: told(str | None, "Only growers in exactly this town.") = None,
        name_contains: told(
            str | None, "Only growers with this in their name, in small or capital letters."
        ) = None,
        order_by: GrowerOrder = GrowerOrder.ADDED,
        descending: Descending = False,
        limit: Limit = 10,
        offset: Offset = 0,
    ) -> list[Grower]:
        if offset > LARGE_OFFSET and coop.met("T10"):
            await asyncio.sleep(SLOW_SECONDS)
        every = [
            grower
            for grower in coop.growers.values()
            if town in (None, grower.town) and contains(name_contains, grower.name)
        ]
        return page(in_order(every, GROWER_KEYS[order_by], descending), limit, offset)

    @strawberry.field(description="Null where there is no such plot.")
    def plot(self, id: strawberry.ID) -> Plot | None:
        return coop.plots.get(id)

    @strawberry.field(description="The plots that match all given filters.")
    def plots(
        self,
        grower_id: told(strawberry.ID | None, "Only plots of this grower.") = None,
        variety_code: told(strawberry.ID | None, "Only plots planted with this variety.") = None,
        organic: bool | None = None,
        min_area_m2: MinArea = None,
        max_area_m2: told(
            int | None, "Only plots of at most this area. Not below minAreaM2."
        ) = None,
        order_by: PlotOrder = PlotOrder.ADDED,
        descending: Descending = False,
        limit: Limit = 10,
        offset: Offset = 0,
    ) -> list[Plot]:
        check_span("minAreaM2", min_area_m2, "maxAreaM2", max_area_m2)
        every = [
            plot
            for plot in coop.plots.values()
            if grower_id in (None, plot.grower.id)
            and organic in (None, plot.organic)
            and at_least(min_area_m2, plot.area_m2)
            and at_most(max_area_m2, plot.area_m2)
        ]
        if variety_code is not None:
            every = [p for p in every if any(x.variety.code == variety_code for x in p.plantings)]
        return page(in_order(every, PLOT_KEYS[order_by], descending), limit, offset)

    @strawberry.field(description="Null where there is no such variety.")
    def variety(self, code: strawberry.ID) -> Variety | None:
        return coop.varieties.get(code)

    @strawberry.field(
        description="The varieties that match all given filters, the one added first first."
    )
    def varieties(
        self,
        fruit: Fruit | None = None,
        ripe_in: told(int | None, "Only varieties ripe in this month, 1 to 12.") = None,
        limit: Limit = 10,
        offset: Offset = 0,
    ) -> list[Variety]:
        if ripe_in is not None:
            check_number("ripeIn", ripe_in, 1, 12)
        every = [
            variety
            for variety in coop.varieties.values()
            if fruit in (None, variety.fruit) and (ripe_in is None or variety.is_ripe_in(ripe_in))
        ]
        return page(every, limit, offset)

    @strawberry.field(description="Null where there is no such harvest.")
    def harvest(self, id: strawberry.ID) -> Harvest | None:
        return coop.harvests.get(id)

    @strawberry.field(description="The harvests that match the filter.")
    def harvests(
        self,
        filter: HarvestFilter | None = None,
        order_by: HarvestOrder = HarvestOrder.RECORDED,
        descending: Descending = False,
        limit: Limit = 10,
        offset: Offset = 0,
    ) -> HarvestPage:
        wanted = filter or HarvestFilter()
        check_span("pickedFrom", wanted.picked_from, "pickedTo", wanted.picked_to)
        every = in_order(coop.harvests.values(), HARVEST_KEYS[order_by], descending)
        matching = [harvest for harvest in every if matches(harvest, wanted)]
        items = page(matching, limit, offset)
        early = [harvest for harvest in page(every, limit, offset) if matches(harvest, wanted)]
        if ids(early) != ids(items) and coop.met("T7"):
            items = early
        kilos = sum(harvest.kilos for harvest in matching)
        if not matching and coop.met("T3"):
            kilos = None
        return HarvestPage(items=items, total_count=len(matching), total_kilos=kilos)

    @strawberry.field(description="Null where there is no such order.")
    def order(self, id: strawberry.ID) -> Order | None:
        return coop.orders.get(id)

    @strawberry.field(description="The orders that match all given filters, oldest first.")
    def orders(
        self,
        status: OrderStatus | None = None,
        customer_contains: told(
            str | None, "Only orders with this in the customer, in small or capital letters."
        ) = None,
        newest_first: told(bool, "Turns the order around.") = False,
        first: Limit = 10,
        after: told(
            str | None, "The cursor of any order: only those that come after it."
        ) = None,
    ) -> OrderConnection:
        check_page(first, name="first")
        matching = [
            order
            for order in coop.orders.values()
            if status in (None, order.status) and contains(customer_contains, order.customer)
        ]
        later = orders_after(in_order(matching, number_of, newest_first), after, newest_first)
        edges = [OrderEdge(cursor=cursor_of(order), node=order) for order in later[:first]]
        info = PageInfo(
            has_next_page=len(later) > first, end_cursor=edges[-1].cursor if edges else None
        )
        return OrderConnection(edges=edges, page_info=info, total_count=len(matching))

    @strawberry.field(description="Null where there is no such delivery.")
    def delivery(self, id: strawberry.ID) -> Delivery | None:
        return coop.deliveries.get(id)

    @strawberry.field(
        description="All harvests and deliveries by day, the earliest first;"
        " on one day, the one recorded first comes first."
    )
    def journal(
        self,
        since: told(datetime.date | None, "Only what was on this day or later.") = None,
        until: told(
            datetime.date | None, "Only what was on this day or earlier. Not before since."
        ) = None,
        limit: Limit = 10,
        offset: Offset = 0,
    ) -> list[JournalEntry]:
        check_span("since", since, "until", until)
        entries = [e for e in journal_entries() if is_between(day_of(e)[0], since, until)]
        return page(entries, limit, offset)

    @strawberry.field(
        description="Growers, then plots, then varieties by name, each the one added first first."
    )
    def search(
        self,
        text: told(
            str,
            "A part of the name, in small or capital letters; 1 to 80 characters, not blank.",
        ),
        limit: Limit = 10,
        offset: Offset = 0,
    ) -> list[Named]:
        check_text("text", text)
        if "T1" in faults:
            check_pattern(text)
        shelves = (coop.growers, coop.plots, coop.varieties)
        named = itertools.chain.from_iterable(shelf.values() for shelf in shelves)
        return page((thing for thing in named if contains(text, thing.name)), limit, offset)


@strawberry.type(
    description="What is refused has a code in the extensions of its error, and changes nothing:"
    " NOT_FOUND where an id or code that was given is that of nothing, CONFLICT where the state"
    " of things is against it, and BAD_USER_INPUT where a value is against its description."
    " An argument refused further down, in the fields of an answer, does not undo the mutation."
    " There are at most 20000 things of each kind; adding more is refused with CONFLICT."
)
class Mutation:
    @strawberry.mutation
    def add_grower(self, input: GrowerInput) -> Grower:
        check_text("name", input.name)
        check_text("town", input.town)
        check_email(input.email)
        check_room(coop.growers)
        return coop.add_grower(input.name, input.town, input.email)

    @strawberry.mutation(
        description="Answers with the id. Refused with CONFLICT while the grower has plots."
    )
    def delete_grower(self, id: strawberry.ID) -> strawberry.ID:
        grower = found(coop.growers, id, "grower")
        if grower.own_plots and coop.met("T11"):
            raise broken_constraint(grower)
        if grower.own_plots:
            raise conflict("the grower has plots, which must go to another one first")
        del coop.growers[id]
        return id

    @strawberry.mutation
    def add_plot(self, input: PlotInput) -> Plot:
        grower = found(coop.growers, input.grower_id, "grower")
        check_plot_name(grower, input.name)
        check_number("areaM2", input.area_m2, 1, MOST_AREA)
        check_room(coop.plots)
        if lacks_variety(input.plantings) and coop.met("T6"):
            coop.add_plot(grower, input.name, input.area_m2, input.organic, [])
        plantings = planted(input.plantings)
        check_trees(input.area_m2, plantings)
        return coop.add_plot(grower, input.name, input.area_m2, input.organic, plantings)

    @strawberry.mutation
    def update_plot(self, id: strawberry.ID, changes: PlotChanges) -> Plot:
        plot = found(coop.plots, id, "plot")
        grower = plot.grower
        if changes.grower_id is not None:
            grower = found(coop.growers, changes.grower_id, "grower")
        name = plot.name if changes.name is None else changes.name
        area = plot.area_m2 if changes.area_m2 is None else changes.area_m2
        organic = plot.organic if changes.organic is None else changes.organic
        plantings = plot.plantings if changes.plantings is None else planted(changes.plantings)
        check_plot_name(grower, name, plot)
        check_number("areaM2", area, 1, MOST_AREA)
        check_trees(area, plantings)
        if changes.organic is None and plot.organic and coop.met("T5"):
            organic = False
        plot.name, plot.area_m2, plot.organic = name, area, organic
        coop.plant(plot, plantings)
        coop.give_plot(plot, grower)
        return plot

    @strawberry.mutation
    def add_variety(self, input: VarietyInput) -> Variety:
        check_text("code", input.code, LONGEST_CODE)
        check_text("name", input.name)
        check_number("pricePerKilo", input.price_per_kilo, 1, MOST_PRICE)
        check_number("ripeFrom", input.ripe_from, 1, 12)
        check_number("ripeTo", input.ripe_to, 1, 12)
        check_room(coop.varieties)
        if input.code in coop.varieties:
            raise conflict("another variety has this code already")
        variety = coop.add_variety(**vars_of_variety(input))
        if variety.ripe_from <= variety.ripe_to or not coop.met("T9"):
            return variety
        answer = replace(variety)
        variety.ripe_from, variety.ripe_to = variety.ripe_to, variety.ripe_from
        return answer

    @strawberry.mutation(
        description="Answers with the code. Refused with CONFLICT while the variety is planted"
        " on a plot or there is a harvest of it."
    )
    def delete_variety(self, code: strawberry.ID) -> strawberry.ID:
        variety = found(coop.varieties, code, "variety")
        if variety.own_plots:
            raise conflict("the variety is planted on a plot")
        if variety.own_harvests:
            raise conflict("there is a harvest of the variety")
        del coop.varieties[code]
        return code

    @strawberry.mutation
    def record_harvest(self, input: HarvestInput) -> Harvest:
        plot = found(coop.plots, input.plot_id, "plot")
        variety = found(coop.varieties, input.variety_code, "variety")
        check_day("pickedOn", input.picked_on)
        check_number("kilos", input.kilos, 1, MOST_KILOS)
        check_length("note", input.note, LONGEST_NOTE)
        check_room(coop.harvests)
        if plot.id not in variety.own_plots:
            raise conflict("the variety is not planted on the plot")
        return coop.add_harvest(
            plot, variety, input.picked_on, input.kilos, input.grade, input.note
        )

    @strawberry.mutation(
        description="Answers with the id. Refused with CONFLICT where an order, in whatever"
        " status, has a line of the harvest."
    )
    def delete_harvest(self, id: strawberry.ID) -> strawberry.ID:
        harvest = found(coop.harvests, id, "harvest")
        if harvest.line_count:
            raise conflict("an order has a line of the harvest")
        coop.drop_harvest(harvest)
        return id

    @strawberry.mutation(description="Makes an order that is a DRAFT.")
    def draft_order(self, input: OrderInput) -> Order:
        check_text("customer", input.customer)
        check_number("discountPercent", input.discount_percent, 0, MOST_DISCOUNT)
        check_lines(input.lines, input.discount_percent)
        check_room(coop.orders)
        wanted = [
            (found(coop.harvests, line.harvest_id, "harvest"), line.kilos) for line in input.lines
        ]
        return coop.add_order(input.customer, input.discount_percent, wanted)

    @strawberry.mutation(
        description="Refused with CONFLICT where the order is not a DRAFT, or a line has more"
        " kilos than are left of its harvest."
    )
    def place_order(self, id: strawberry.ID) -> Order:
        order = found(coop.orders, id, "order")
        check_status(order, OrderStatus.DRAFT)
        if any(line.kilos > line.harvest.kilos_left() for line in order.own_lines):
            raise conflict("a line has more kilos than are left of its harvest")
        coop.place(order)
        return order

    @strawberry.mutation(description="Refused with CONFLICT where the order is not PLACED.")
    def deliver_order(
        self,
        id: strawberry.ID,
        delivered_on: told(
            datetime.date,
            "In the years 2000 to 2099; not before a harvest of the order was picked.",
        ),
        driver: told(str | None, "1 to 80 characters, not blank.") = None,
    ) -> Delivery:
        order = found(coop.orders, id, "order")
        check_day("deliveredOn", delivered_on)
        if driver is not None:
            check_text("driver", driver)
        check_status(order, OrderStatus.PLACED)
        if any(delivered_on < line.harvest.picked_on for line in order.own_lines):
            raise wrong("deliveredOn must not be before a harvest of the order was picked")
        coop.deliver(order, delivered_on, driver)
        return order.delivery

    @strawberry.mutation(
        description="Refused with CONFLICT where the order is DELIVERED or CANCELLED."
    )
    def cancel_order(self, id: strawberry.ID) -> Order:
        order = found(coop.orders, id, "order")
        if order.status is not OrderStatus.DELIVERED or not coop.met("T12"):
            check_status(order, OrderStatus.DRAFT, OrderStatus.PLACED)
        coop.cancel(order)
        return order


def vars_of_variety(input: VarietyInput) -> dict:
    return {
        "code": input.code,
        "name": input.name,
        "fruit": input.fruit,
        "price": input.price_per_kilo,
        "ripe_from": input.ripe_from,
        "ripe_to": input.ripe_to,
    }


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
                coop.by_operation[name] = coop.by_operation.get(name, 0) + 1


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
coop = Cooperative()
# Most of the time would go into reading the same documents again.
caches = [lambda: ParserCache(maxsize=1000), lambda: ValidationCache(maxsize=1000)]
schema = QuietSchema(query=Query, mutation=Mutation, extensions=[Count, *caches])
app.include_router(Router(schema, graphql_ide=None), prefix="/graphql")


@app.middleware("http")
async def count(request: Request, call_next):
    if not request.url.path.startswith("/__"):
        coop.stats["requests"] += 1
    return await call_next(request)


@app.get("/__stats")
async def get_stats():
    return {"stats": coop.stats, "by_op": coop.by_operation}


@app.post("/__reset")
async def reset():
    coop.__init__()
    return {}
