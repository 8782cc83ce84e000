"""A depot in memory: articles come from suppliers, lie in the bins of warehouses, and are ordered
by customers, who have addresses. Nearly everything needs something else to be there first.

FAULTS chooses what is wrong with it: `none` (the default), `all`, or some names, as `D1,D3`.

    D1   POST /orders                   500 when two lines name the same article
    D2   POST /orders/{id}/place        409 for want of stock, but the lines before took theirs
    D3   POST /warehouses               500 for the label of a warehouse that was deleted
    D4   PATCH /articles/{id}           the sku of another article is accepted
    D5   PUT /warehouses/{id}/bins/{c}  a new capacity of an old bin is echoed, but not kept
    D6   GET /warehouses/{id}/bins      a deleted bin stays in the list
    D7   GET /customers/{id}/addresses/{a}  an address is there under any other customer
    D8   GET /orders                    total does not heed the status that was asked for
    D9   GET /suppliers                 a page after the first begins one supplier too early
    D10  GET /articles                  sort=leadDays drops what has no sourcing
    D11  GET /orders/{id}               a shipped order has its warehouseId as a string
    D12  POST /orders/{id}/cancel       500 for a shipped order

Without faults it keeps to its document, so whatever a tester reports of it is a false alarm.
GET /__stats tells how many requests came and how often each fault was met; POST /__reset
brings back the start, which is not empty. Handlers have no docstrings, because these would end
up in the document.
"""

import itertools
import json
import os
import uuid
from collections import Counter
from typing import Annotated, Literal

from fastapi import FastAPI, HTTPException, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from starlette.exceptions import HTTPException as AnyHTTPException

FAULTS = tuple(f"D{number}" for number in range(1, 13))
SHELF_SIZE = 20_000


def chosen_faults(text: str) -> frozenset[str]:
    named = {"all": FAULTS, "none": ()}.get(text, text.split(","))
    unknown = set(named) - set(FAULTS)
    if unknown:
        raise SystemExit(f"FAULTS: no such fault: {', '.join(sorted(unknown))}")
    return frozenset(named)


class Depot:
    """Everything the service remembers. Every kind of thing has its own sequence of numbers."""

    def __init__(self) -> None:
        self.article_numbers = itertools.count(1)
        self.warehouse_numbers = itertools.count(1)
        self.customer_numbers = itertools.count(1)
        self.address_numbers = itertools.count(1)
        self.articles: dict[str, dict] = {}
        self.suppliers: dict[str, dict] = {}
        self.warehouses: dict[int, dict] = {}
        self.bins: dict[tuple[int, str], dict] = {}
        self.customers: dict[int, dict] = {}
        self.addresses: dict[int, dict] = {}
        self.orders: dict[str, dict] = {}
        self.deleted_labels: dict[str, bool] = {}  # what D3 stumbles over
        self.deleted_bins: dict[tuple[int, str], dict] = {}  # what D6 keeps in the list
        self.stats = {"requests": 0} | dict.fromkeys(FAULTS, 0)
        self.by_operation: dict[str, int] = {}
        self.seed()

    def seed(self) -> None:
        supplier = "5f0c2a52-7d0e-4c53-9a3e-2f6f1c1b7a10"
        put(self.suppliers, supplier, {"id": supplier, "taxNumber": "DE10020030", "name": "Keller Tools"})
        for sku, name, category, price, stock, days in (
            ("HAMMER-16", "Hammer", "tool", 1890, 40, 3),
            ("BOLT-M8", "Bolt M8", "part", 15, 900, 7),
            ("OIL-5W30", "Motor oil", "fluid", 3250, 0, 14),
        ):
            self.add_article({
                "sku": sku, "name": name, "category": category, "priceCents": price, "stock": stock,
                "sourcing": {"supplierId": supplier, "leadDays": days},
            })
        for label, city in (("North", "Kiel"), ("South", "Ulm")):
            number = next(self.warehouse_numbers)
            put(self.warehouses, number, {"id": number, "label": label, "city": city})
        for code, contents in (("A01", {"articleId": "ART-0001", "quantity": 12}), ("A02", None)):
            put(self.bins, (1, code), {"code": code, "warehouseId": 1, "capacity": 50, "contents": contents})

    def add_article(self, article: dict) -> dict:
        key = f"ART-{next(self.article_numbers):04}"
        return put(self.articles, key, {"id": key, **article})

    def met(self, fault: str) -> bool:
        """Whether a fault is there to be met at a place that asks for it; counts that it was."""
        if fault not in faults:
            return False
        self.stats[fault] += 1
        return True

    def bins_of(self, warehouse: int) -> list[dict]:
        return [one for (owner, _), one in self.bins.items() if owner == warehouse]

    def shown(self, warehouse: dict) -> dict:
        return {**warehouse, "binCount": len(self.bins_of(warehouse["id"]))}

    def check_sourcing(self, sourcing: dict | None) -> None:
        if sourcing is not None and sourcing["supplierId"] not in self.suppliers:
            raise unknown("sourcing", "supplierId")


def put(shelf: dict, key: object, thing: object):
    if key not in shelf and len(shelf) >= SHELF_SIZE:  # a long run must not eat the machine
        del shelf[next(iter(shelf))]
    shelf[key] = thing
    return thing


def found(shelf: dict, key: object) -> dict:
    if key not in shelf:
        raise HTTPException(404, "not found")
    return shelf[key]


def refused(why: str) -> HTTPException:
    return HTTPException(409, why)


def unknown(*where: str | int) -> HTTPException:
    return HTTPException(422, [{"type": "unknown_reference", "loc": ["body", *where], "msg": "No such thing"}])


def taken(shelf: dict, field: str, value: str, besides: object = None) -> bool:
    return any(one[field] == value and key != besides for key, one in shelf.items())


def whole(value: object) -> object:
    # To JSON Schema 3.0 is an integer; to pydantic's strict mode it is not.
    return int(value) if isinstance(value, float) and value.is_integer() else value


UUID = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
ARTICLE = r"^ART-[0-9]{4,9}$"
IS_UUID = {"format": "uuid"}

# The bounds go before the validator, or they miss the document.
Int = Annotated[int, BeforeValidator(whole)]
Number = Annotated[int, Field(ge=1, le=2**53), BeforeValidator(whole)]
Uuid = Annotated[str, Field(pattern=UUID, json_schema_extra=IS_UUID)]
ArticleId = Annotated[str, Field(pattern=ARTICLE, examples=["ART-0001"])]
Sku = Annotated[str, Field(pattern=r"^[A-Z0-9-]{3,20}$")]
Name = Annotated[str, Field(min_length=1, max_length=60)]
Category = Literal["tool", "part", "fluid"]
Price = Annotated[int, Field(ge=0, le=10_000_000), BeforeValidator(whole)]
Stock = Annotated[int, Field(ge=0, le=1_000_000), BeforeValidator(whole)]
Quantity = Annotated[int, Field(ge=1, le=1000), BeforeValidator(whole)]
Status = Literal["draft", "placed", "shipped", "cancelled"]

ArticleKey = Annotated[str, Path(alias="articleId", pattern=ARTICLE)]
SupplierKey = Annotated[str, Path(alias="supplierId", pattern=UUID, json_schema_extra=IS_UUID)]
WarehouseKey = Annotated[int, Path(alias="warehouseId", ge=1, le=2**53)]
BinKey = Annotated[str, Path(alias="code", pattern=r"^[A-Z][0-9]{2}$")]
CustomerKey = Annotated[int, Path(alias="customerId", ge=1, le=2**53)]
AddressKey = Annotated[int, Path(alias="addressId", ge=1, le=2**53)]
OrderKey = Annotated[str, Path(alias="orderId", pattern=UUID, json_schema_extra=IS_UUID)]
Limit = Annotated[int, Query(ge=1, le=100)]
Offset = Annotated[int, Query(ge=0, le=20_000)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Sourcing(Strict):
    supplierId: Uuid
    leadDays: Int = Field(ge=0, le=365)


class ArticleIn(Strict):
    sku: Sku
    name: Name
    category: Category
    priceCents: Price
    stock: Stock = 0
    sourcing: Sourcing | None = None


# A factory keeps the default out of the document; what was left out is never looked at.
class ArticlePatch(Strict):
    sku: Sku = Field(default_factory=str)
    name: Name = Field(default_factory=str)
    category: Category = Field(default_factory=str)
    priceCents: Price = Field(default_factory=int)
    stock: Stock = Field(default_factory=int)
    sourcing: Sourcing | None = Field(default_factory=lambda: None)


class Article(Strict):
    id: ArticleId
    sku: Sku
    name: Name
    category: Category
    priceCents: Price
    stock: int = Field(ge=0)
    sourcing: Sourcing | None


class SupplierIn(Strict):
    taxNumber: str = Field(pattern=r"^[A-Z]{2}[0-9]{8}$")
    name: Name


class Supplier(SupplierIn):
    id: Uuid


class WarehouseIn(Strict):
    label: str = Field(min_length=1, max_length=40)
    city: str = Field(min_length=1, max_length=40)


class Warehouse(WarehouseIn):
    id: Number
    binCount: int = Field(ge=0, description="How many bins the warehouse has")


class Contents(Strict):
    articleId: ArticleId
    quantity: Quantity


class BinIn(Strict):
    capacity: Int = Field(ge=1, le=100_000)
    contents: Contents | None = None


class Bin(Strict):
    code: str
    warehouseId: Number
    capacity: int
    contents: Contents | None


class CustomerIn(Strict):
    email: str = Field(pattern=r"^[a-z0-9.]+@[a-z0-9]+\.[a-z]{2,4}$", max_length=60)
    name: Name


class Customer(CustomerIn):
    id: Number


class AddressIn(Strict):
    street: str = Field(min_length=1, max_length=80)
    zip: str = Field(pattern=r"^[0-9]{5}$")


class Address(AddressIn):
    id: Number
    customerId: Number


class ShipTo(Strict):
    addressId: Number


class Line(Strict):
    articleId: ArticleId
    quantity: Quantity


class OrderIn(Strict):
    customerId: Number
    shipTo: ShipTo
    lines: list[Line] = Field(min_length=1, max_length=10)


class Shipment(Strict):
    warehouseId: Number
    carrier: Literal["road", "rail", "air"]


class Order(OrderIn):
    id: Uuid
    status: Status
    shipment: Shipment | None


class ArticlePage(Strict):
    items: list[Article]
    total: int = Field(ge=0, description="How many articles match, on all pages together")


class OrderPage(Strict):
    items: list[Order]
    total: int = Field(ge=0, description="How many orders match, on all pages together")


class Problem(BaseModel):
    detail: str


def absent(what: str) -> dict:
    return {404: {"model": Problem, "description": f"No such {what}"}}


def conflict(why: str) -> dict:
    return {409: {"model": Problem, "description": f"{why}. Nothing is changed"}}


def names_unknown(what: str) -> dict:
    schema = {"$ref": "#/components/schemas/HTTPValidationError"}
    why = f"Not as it has to be, or it names what does not exist: {what}"
    return {422: {"description": why, "content": {"application/json": {"schema": schema}}}}


app = FastAPI(
    title="Depot", version="1.0.0", redirect_slashes=False,
    generate_unique_id_function=lambda route: route.name,
)
faults = chosen_faults(os.environ.get("FAULTS", "none"))
depot = Depot()


@app.middleware("http")
async def count(request: Request, call_next):
    if request.url.path.startswith("/__"):
        return await call_next(request)
    depot.stats["requests"] += 1
    response = await call_next(request)
    path = getattr(request.scope.get("route"), "path", "?")
    key = f"{request.method} {path} {response.status_code}"
    depot.by_operation[key] = depot.by_operation.get(key, 0) + 1
    return response


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
    return {"stats": depot.stats, "by_op": depot.by_operation}


@app.post("/__reset", include_in_schema=False)
async def reset():
    depot.__init__()
    return {}


@app.post(
    "/articles", status_code=201, response_model=Article,
    responses=conflict("Another article has this sku") | names_unknown("the supplier"),
)
async def create_article(body: ArticleIn):
    article = body.model_dump()
    depot.check_sourcing(article["sourcing"])
    if taken(depot.articles, "sku", body.sku):
        raise refused("another article has this sku")
    return depot.add_article(article)


@app.get(
    "/articles", response_model=ArticlePage,
    description="Oldest first, unless sorted; what has no sourcing comes last when sorted by leadDays.",
)
async def list_articles(
    category: Annotated[Category, Query()] = None,
    supplier: Annotated[str, Query(alias="supplierId", pattern=UUID, json_schema_extra=IS_UUID)] = None,
    sort: Annotated[Literal["sku", "priceCents", "leadDays"], Query()] = None,
    limit: Limit = 20,
    offset: Offset = 0,
):
    hits = [
        one for one in depot.articles.values()
        if category in (None, one["category"])
        and (supplier is None or one["sourcing"] is not None and one["sourcing"]["supplierId"] == supplier)
    ]
    total = len(hits)
    if sort == "leadDays":
        sourced = sorted((one for one in hits if one["sourcing"]), key=lambda one: one["sourcing"]["leadDays"])
        rest = [one for one in hits if not one["sourcing"]]
        hits = sourced if rest and depot.met("D10") else sourced + rest
    elif sort is not None:
        hits.sort(key=lambda one: one[sort])
    return {"items": hits[offset : offset + limit], "total": total}


@app.get("/articles/{articleId}", response_model=Article, responses=absent("article"))
async def get_article(key: ArticleKey):
    return found(depot.articles, key)


@app.patch(
    "/articles/{articleId}", response_model=Article,
    responses=absent("article") | conflict("Another article has this sku") | names_unknown("the supplier"),
    description="What is left out stays as it is. A sourcing is replaced as a whole.",
)
async def update_article(key: ArticleKey, body: ArticlePatch):
    article = found(depot.articles, key)
    changes = body.model_dump(exclude_unset=True)
    depot.check_sourcing(changes.get("sourcing"))
    if taken(depot.articles, "sku", changes.get("sku"), besides=key) and not depot.met("D4"):
        raise refused("another article has this sku")
    article.update(changes)
    return article


@app.delete(
    "/articles/{articleId}", status_code=204,
    responses=absent("article") | conflict("An order or a bin names the article"),
)
async def delete_article(key: ArticleKey):
    found(depot.articles, key)
    held = any(one["contents"] and one["contents"]["articleId"] == key for one in depot.bins.values())
    if held or any(line["articleId"] == key for one in depot.orders.values() for line in one["lines"]):
        raise refused("an order or a bin names the article")
    del depot.articles[key]
    return Response(status_code=204)


@app.post(
    "/suppliers", status_code=201, response_model=Supplier,
    responses=conflict("Another supplier has this tax number"),
)
async def create_supplier(body: SupplierIn):
    if taken(depot.suppliers, "taxNumber", body.taxNumber):
        raise refused("another supplier has this tax number")
    key = str(uuid.uuid4())
    return put(depot.suppliers, key, {"id": key, **body.model_dump()})


@app.get("/suppliers", response_model=list[Supplier], description="Oldest first.")
async def list_suppliers(limit: Limit = 20, offset: Offset = 0):
    everyone = list(depot.suppliers.values())
    if 0 < offset <= len(everyone) and depot.met("D9"):
        offset -= 1
    return everyone[offset : offset + limit]


@app.get("/suppliers/{supplierId}", response_model=Supplier, responses=absent("supplier"))
async def get_supplier(key: SupplierKey):
    return found(depot.suppliers, key)


@app.delete(
    "/suppliers/{supplierId}", status_code=204,
    responses=absent("supplier") | conflict("An article names the supplier"),
)
async def delete_supplier(key: SupplierKey):
    found(depot.suppliers, key)
    if any(one["sourcing"] and one["sourcing"]["supplierId"] == key for one in depot.articles.values()):
        raise refused("an article names the supplier")
    del depot.suppliers[key]
    return Response(status_code=204)


@app.post(
    "/warehouses", status_code=201, response_model=Warehouse,
    responses=conflict("Another warehouse has this label"),
)
async def create_warehouse(body: WarehouseIn):
    if taken(depot.warehouses, "label", body.label):
        raise refused("another warehouse has this label")
    if body.label in depot.deleted_labels and depot.met("D3"):
        raise RuntimeError("D3")
    number = next(depot.warehouse_numbers)
    return depot.shown(put(depot.warehouses, number, {"id": number, **body.model_dump()}))


@app.get("/warehouses", response_model=list[Warehouse], description="Oldest first.")
async def list_warehouses(
    city: Annotated[str, Query(min_length=1, max_length=40)] = None,
    limit: Limit = 20,
    offset: Offset = 0,
):
    hits = [one for one in depot.warehouses.values() if city in (None, one["city"])]
    return [depot.shown(one) for one in hits[offset : offset + limit]]


@app.get("/warehouses/{warehouseId}", response_model=Warehouse, responses=absent("warehouse"))
async def get_warehouse(key: WarehouseKey):
    return depot.shown(found(depot.warehouses, key))


@app.delete(
    "/warehouses/{warehouseId}", status_code=204,
    responses=absent("warehouse") | conflict("The warehouse has bins, or an order was shipped from it"),
)
async def delete_warehouse(key: WarehouseKey):
    warehouse = found(depot.warehouses, key)
    shipped = any(one["shipment"] and one["shipment"]["warehouseId"] == key for one in depot.orders.values())
    if shipped or depot.bins_of(key):
        raise refused("the warehouse has bins, or an order was shipped from it")
    del depot.warehouses[key]
    put(depot.deleted_labels, warehouse["label"], True)
    return Response(status_code=204)


@app.get("/warehouses/{warehouseId}/bins", response_model=list[Bin], responses=absent("warehouse"))
async def list_bins(key: WarehouseKey):
    found(depot.warehouses, key)
    gone = [one for (owner, _), one in depot.deleted_bins.items() if owner == key]
    return depot.bins_of(key) + (gone if gone and depot.met("D6") else [])


@app.put(
    "/warehouses/{warehouseId}/bins/{code}", response_model=Bin,
    responses={201: {"model": Bin, "description": "There was no such bin, now there is"}}
    | absent("warehouse, or no such article as the contents name"),
)
async def put_bin(key: WarehouseKey, code: BinKey, body: BinIn, response: Response):
    found(depot.warehouses, key)
    if body.contents is not None:
        found(depot.articles, body.contents.articleId)
    made = {"code": code, "warehouseId": key, **body.model_dump()}
    old = depot.bins.get((key, code))
    kept = made
    if old is None:
        response.status_code = 201
        depot.deleted_bins.pop((key, code), None)
    elif old["capacity"] != made["capacity"] and depot.met("D5"):
        kept = {**made, "capacity": old["capacity"]}
    put(depot.bins, (key, code), kept)
    return made


@app.get("/warehouses/{warehouseId}/bins/{code}", response_model=Bin, responses=absent("warehouse or bin"))
async def get_bin(key: WarehouseKey, code: BinKey):
    return found(depot.bins, (key, code))


@app.delete("/warehouses/{warehouseId}/bins/{code}", status_code=204, responses=absent("warehouse or bin"))
async def delete_bin(key: WarehouseKey, code: BinKey):
    gone = found(depot.bins, (key, code))
    del depot.bins[key, code]
    put(depot.deleted_bins, (key, code), gone)
    return Response(status_code=204)


@app.post(
    "/customers", status_code=201, response_model=Customer,
    responses=conflict("Another customer has this email"),
)
async def create_customer(body: CustomerIn):
    if taken(depot.customers, "email", body.email):
        raise refused("another customer has this email")
    number = next(depot.customer_numbers)
    return put(depot.customers, number, {"id": number, **body.model_dump()})


@app.get("/customers/{customerId}", response_model=Customer, responses=absent("customer"))
async def get_customer(key: CustomerKey):
    return found(depot.customers, key)


@app.delete(
    "/customers/{customerId}", status_code=204,
    responses=absent("customer") | conflict("The customer has orders"),
    description="The addresses of the customer go with it.",
)
async def delete_customer(key: CustomerKey):
    found(depot.customers, key)
    if any(one["customerId"] == key for one in depot.orders.values()):
        raise refused("the customer has orders")
    del depot.customers[key]
    for address in [one for one in depot.addresses.values() if one["customerId"] == key]:
        del depot.addresses[address["id"]]
    return Response(status_code=204)


@app.post(
    "/customers/{customerId}/addresses", status_code=201, response_model=Address, responses=absent("customer"),
)
async def create_address(key: CustomerKey, body: AddressIn):
    found(depot.customers, key)
    number = next(depot.address_numbers)
    return put(depot.addresses, number, {"id": number, "customerId": key, **body.model_dump()})


@app.get(
    "/customers/{customerId}/addresses/{addressId}", response_model=Address,
    responses=absent("customer, or the customer has no such address"),
)
async def get_address(key: CustomerKey, number: AddressKey):
    found(depot.customers, key)
    address = found(depot.addresses, number)
    if address["customerId"] != key and not depot.met("D7"):
        raise HTTPException(404, "not found")
    return address


@app.post(
    "/orders", status_code=201, response_model=Order,
    responses=names_unknown("the customer, an address of this customer, or an article"),
    description="Makes a draft. Whether there is stock is looked at when the order is placed.",
)
async def create_order(body: OrderIn):
    if body.customerId not in depot.customers:
        raise unknown("customerId")
    address = depot.addresses.get(body.shipTo.addressId)
    if address is None or address["customerId"] != body.customerId:
        raise unknown("shipTo", "addressId")
    for place, line in enumerate(body.lines):
        if line.articleId not in depot.articles:
            raise unknown("lines", place, "articleId")
    if len({line.articleId for line in body.lines}) < len(body.lines) and depot.met("D1"):
        raise RuntimeError("D1")
    key = str(uuid.uuid4())
    return put(depot.orders, key, {"id": key, **body.model_dump(), "status": "draft", "shipment": None})


@app.get("/orders", response_model=OrderPage, description="Oldest first.")
async def list_orders(
    status: Annotated[Status, Query()] = None,
    customer: Annotated[int, Query(alias="customerId", ge=1, le=2**53)] = None,
    limit: Limit = 20,
    offset: Offset = 0,
):
    theirs = [one for one in depot.orders.values() if customer in (None, one["customerId"])]
    hits = [one for one in theirs if status in (None, one["status"])]
    total = len(theirs) if len(theirs) != len(hits) and depot.met("D8") else len(hits)
    return {"items": hits[offset : offset + limit], "total": total}


@app.get("/orders/{orderId}", response_model=Order, responses=absent("order"))
async def get_order(key: OrderKey):
    order = found(depot.orders, key)
    if order["status"] == "shipped" and depot.met("D11"):
        shipment = {**order["shipment"], "warehouseId": str(order["shipment"]["warehouseId"])}
        return JSONResponse({**order, "shipment": shipment})
    return order


@app.post(
    "/orders/{orderId}/place", response_model=Order,
    responses=absent("order") | conflict("The order is no draft, or there is not enough stock of an article"),
    description="Places a draft, and takes the quantities of all its lines from the stock of the articles.",
)
async def place_order(key: OrderKey):
    order = found(depot.orders, key)
    if order["status"] != "draft":
        raise refused("the order is no draft")
    needed = Counter()
    for place, line in enumerate(order["lines"]):
        needed[line["articleId"]] += line["quantity"]
        if found(depot.articles, line["articleId"])["stock"] < needed[line["articleId"]]:
            if place > 0 and depot.met("D2"):
                for before in order["lines"][:place]:
                    depot.articles[before["articleId"]]["stock"] -= before["quantity"]
            raise refused("there is not enough stock")
    for article, quantity in needed.items():
        depot.articles[article]["stock"] -= quantity
    order["status"] = "placed"
    return order


@app.post(
    "/orders/{orderId}/ship", response_model=Order,
    responses=absent("order") | conflict("The order is not placed") | names_unknown("the warehouse"),
    description="Ships a placed order.",
)
async def ship_order(key: OrderKey, body: Shipment):
    order = found(depot.orders, key)
    if body.warehouseId not in depot.warehouses:
        raise unknown("warehouseId")
    if order["status"] != "placed":
        raise refused("the order is not placed")
    order.update(status="shipped", shipment=body.model_dump())
    return order


@app.post(
    "/orders/{orderId}/cancel", response_model=Order,
    responses=absent("order") | conflict("The order is shipped or cancelled already"),
    description="Cancels a draft or a placed order. What a placed order took goes back into the stock.",
)
async def cancel_order(key: OrderKey):
    order = found(depot.orders, key)
    if order["status"] == "shipped" and depot.met("D12"):
        raise RuntimeError("D12")
    if order["status"] in ("shipped", "cancelled"):
        raise refused("the order is shipped or cancelled already")
    if order["status"] == "placed":
        for line in order["lines"]:
            found(depot.articles, line["articleId"])["stock"] += line["quantity"]
    order["status"] = "cancelled"
    return order
