"""A recipe box in memory, by GraphQL: cooks write recipes with ingredients, publish them, review those of others
and keep recipes in boxes, some of them private.

FAULTS chooses what is wrong with it: `none` (the default, as is nothing at all), `all`, or some names, as `G1,G3`.

    G1   mutation addCook          an empty bio raises an IndexError
    G2   field kcalPerServing      is null, though `Int!`, for a recipe without amounts
    G3   query node                still finds a deleted review
    G4   mutation updateRecipe     the tags are gone where `tags` is left out
    G5   field reviewCount         still counts a deleted review
    G6   mutation fillBox          refuses an unknown recipe, but keeps those before it
    G7   query recipes             by MINUTES, the page after a cursor loses recipes with the same minutes
    G8   query recipes             takes more than a second for more than three tags
    G9   query recipes             by STARS, minStars lets recipes without reviews through
    G10  field Recipe.boxes        shows the private boxes of others
    G11  mutation moveRecipe       makes an ARCHIVED recipe without reviews a DRAFT again
    G12  field Review.author       raises a KeyError once the author was deleted

Without faults it keeps to its schema, so whatever a tester reports of it is a false alarm.
GET /__stats tells how many requests came and how often each fault was met; POST /__reset goes back to the few
things it begins with. An operation is executed in one go in the only thread, so that none comes in between.
"""

import asyncio
import base64
import itertools
import json
import os
import re

from graphql import (
    FieldNode, FragmentSpreadNode, GraphQLError, GraphQLSyntaxError, OperationDefinitionNode, build_schema, execute, parse,
    specified_rules, validate,
)
from graphql.language import FragmentDefinitionNode
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

FAULTS = tuple(f"G{number}" for number in range(1, 13))
ROOM = 20_000
MOST_DEPTH = 15
MOST_TOKENS = 10_000
MOST_ITEMS = 20_000
MOST_IN_BOX = 50
SLOW_SECONDS = 1.5
MANY_TAGS = 3

SDL = '''
"""
What is refused has the code BAD_USER_INPUT in the extensions of its error. So has an operation that is nested more
than 15 deep (not counting introspection) or has more than 20000 things in all its lists together. An operation that
is not valid by this schema has the code GRAPHQL_VALIDATION_FAILED or GRAPHQL_PARSE_FAILED.
"""
type Query {
  "Null where there is nothing with this id. Never shows a private box."
  node(id: ID!): Node
  "Null where there is no such cook."
  cook(handle: String!): Cook
  cooks(
    "Only cooks with this in their name, in small or capital letters."
    nameContains: String
    orderBy: CookOrder! = ADDED
    "Turns the whole order around."
    descending: Boolean! = false
    "The most to answer with, from 1 to 50."
    limit: Int! = 10
    "How many to leave out, 0 or more; behind the last one the list is empty."
    offset: Int! = 0
  ): [Cook!]!
  "Null where there is no such ingredient."
  ingredient(code: String!): Ingredient
  "Ingredients in the ascending order of their codes."
  ingredients(
    unit: Unit
    "Only ingredients of at most this kcal; 0 or more."
    maxKcal: Int
    "The most to answer with, from 1 to 50."
    limit: Int! = 10
    "How many to leave out, 0 or more; behind the last one the list is empty."
    offset: Int! = 0
  ): [Ingredient!]!
  "Null where there is no such recipe."
  recipe(id: ID!): Recipe
  recipes(
    filter: RecipeFilter
    orderBy: RecipeOrder! = ADDED
    "The most to answer with, from 1 to 50."
    first: Int! = 10
    "The cursor of any recipe: only those that come after it in the order."
    after: String
  ): RecipeConnection!
  "Null where there is no such box, or where it is private and viewer is not the handle of its owner."
  box(id: ID!, viewer: String): Box
  "Cooks by name, then ingredients by name, then recipes by title, each the one added first first."
  search(
    "A part of the name or title, in small or capital letters; 1 to 60 characters, not blank."
    text: String!
    "The most to answer with, from 1 to 50."
    limit: Int! = 10
  ): [SearchHit!]!
}

"""
What is refused has a code in the extensions of its error, and changes nothing: NOT_FOUND where an id, code or handle
that was given is that of nothing, CONFLICT where the state of things is against it, and BAD_USER_INPUT where a value is
against its description. An argument refused further down, in the fields of an answer, does not undo the mutation.
There are at most 20000 things of each kind; adding more is refused with CONFLICT.
"""
type Mutation {
  addCook(input: CookInput!): Cook!
  """
  Answers with the handle, which is free again. Refused with CONFLICT while the cook has recipes. The boxes of the
  cook go too; the reviews stay, without an author.
  """
  deleteCook(handle: String!): String!
  addIngredient(input: IngredientInput!): Ingredient!
  "Answers with the code, which is free again. Refused with CONFLICT while a recipe has the ingredient."
  deleteIngredient(code: String!): String!
  "Makes a recipe that is a DRAFT."
  addRecipe(input: RecipeInput!): Recipe!
  "Refused with CONFLICT where the recipe is ARCHIVED, or is PUBLISHED and would have no steps."
  updateRecipe(id: ID!, changes: RecipeChanges!): Recipe!
  "Refused with CONFLICT where the status can't become this one, or a recipe without steps would be PUBLISHED."
  moveRecipe(id: ID!, to: RecipeStatus!): Recipe!
  """
  Refused with CONFLICT where the recipe is not PUBLISHED, is the author's own, or was reviewed by the author already.
  """
  addReview(input: ReviewInput!): Review!
  "Answers with the id. The author can review the recipe anew."
  deleteReview(id: ID!): ID!
  addBox(input: BoxInput!): Box!
  "Puts recipes into a box, all of them or none. What is in it already stays there once, where it is."
  fillBox(input: FillBoxInput!): Box!
}

interface Node { id: ID! }

union SearchHit = Cook | Ingredient | Recipe

enum Unit { GRAM MILLILITRE }

"A recipe goes from DRAFT to PUBLISHED to ARCHIVED, and never back."
enum RecipeStatus { DRAFT PUBLISHED ARCHIVED }

"Of equal cooks, the one added first comes first."
enum CookOrder {
  "The one added first comes first."
  ADDED
  "By name, character by character in Unicode."
  NAME
}

"Of equal recipes, the one added first comes first."
enum RecipeOrder {
  "The one added first comes first."
  ADDED
  "By title, character by character in Unicode."
  TITLE
  "The quickest comes first."
  MINUTES
  "The highest averageStars comes first; those without come last."
  STARS
}

type Cook implements Node {
  id: ID!
  "No two cooks have the same handle."
  handle: String!
  name: String!
  bio: String
  "The first character of the bio; null where there is none."
  bioInitial: String
  "The recipes of this cook, the one added first first."
  recipes(
    status: RecipeStatus
    "The most to answer with, from 1 to 50."
    limit: Int! = 10
    "How many to leave out, 0 or more."
    offset: Int! = 0
  ): [Recipe!]!
  "How many recipes the cook has."
  recipeCount: Int!
  "The boxes of this cook; the private ones only where viewer is the handle of this cook."
  boxes(viewer: String): [Box!]!
}

type Ingredient implements Node {
  id: ID!
  "No two ingredients have the same code."
  code: String!
  name: String!
  unit: Unit!
  "In 100 units."
  kcal: Int!
}

type Amount {
  ingredient: Ingredient!
  "In the unit of the ingredient."
  quantity: Int!
}

type Recipe implements Node {
  id: ID!
  title: String!
  cook: Cook!
  servings: Int!
  minutes: Int!
  status: RecipeStatus!
  tags: [String!]!
  steps: [String!]!
  amounts: [Amount!]!
  "The kcal of all amounts divided by the servings, rounded down; 0 where there are no amounts."
  kcalPerServing: Int!
  "The reviews of this recipe, the one added first first."
  reviews(
    "Only reviews with at least this many stars, 1 to 5."
    minStars: Int
    "The most to answer with, from 1 to 50."
    limit: Int! = 10
    "How many to leave out, 0 or more."
    offset: Int! = 0
  ): [Review!]!
  "How many reviews the recipe has."
  reviewCount: Int!
  "The average of the stars, rounded to two digits; null where there are no reviews."
  averageStars: Float
  """
  The boxes that have this recipe, the one added first first; private ones only where viewer is the handle of their owner.
  """
  boxes(viewer: String): [Box!]!
}

type Review implements Node {
  id: ID!
  recipe: Recipe!
  "Null where the cook was deleted."
  author: Cook
  stars: Int!
  text: String
}

type Box implements Node {
  id: ID!
  owner: Cook!
  name: String!
  private: Boolean!
  "In the order in which they came."
  recipes: [Recipe!]!
}

type RecipeEdge {
  "To be given as `after`."
  cursor: String!
  node: Recipe!
}

type PageInfo {
  hasNextPage: Boolean!
  "The cursor of the last edge; null where there is none."
  endCursor: String
}

type RecipeConnection {
  edges: [RecipeEdge!]!
  pageInfo: PageInfo!
  "How many recipes match the filter, on this page or not."
  totalCount: Int!
}

input CookInput {
  "3 to 20 of a-z, 0-9 and _, the first one a letter; not that of another cook (refused with CONFLICT)."
  handle: String!
  "1 to 60 characters, not blank."
  name: String!
  "At most 300 characters; may be empty."
  bio: String
}

input IngredientInput {
  "2 to 20 of A-Z and -; not that of another ingredient (refused with CONFLICT)."
  code: String!
  "1 to 60 characters, not blank."
  name: String!
  unit: Unit! = GRAM
  "In 100 units, 0 to 900."
  kcal: Int!
}

input AmountInput {
  ingredientCode: String!
  "1 to 10000."
  quantity: Int!
}

input RecipeInput {
  "The handle of the cook."
  cook: String!
  "1 to 60 characters, not blank; not that of another recipe of the cook (refused with CONFLICT)."
  title: String!
  "1 to 50."
  servings: Int! = 2
  "1 to 10000."
  minutes: Int!
  "At most 8, all different, each 1 to 20 of a-z and -."
  tags: [String!]! = []
  "At most 30, each 1 to 300 characters, not blank."
  steps: [String!]! = []
  "At most 20, each of another ingredient."
  amounts: [AmountInput!]! = []
}

"What is left out or null stays as it is. The rules are those for a new recipe."
input RecipeChanges {
  title: String
  servings: Int
  minutes: Int
  "Take the place of all that there were."
  tags: [String!]
  "Take the place of all that there were."
  steps: [String!]
  "Take the place of all that there were."
  amounts: [AmountInput!]
}

"Only recipes that match all that is given; null is the same as left out."
input RecipeFilter {
  status: RecipeStatus
  "The handle of the cook; that of nobody matches nothing."
  cook: String
  "Only recipes with all of these tags; at most 8."
  tags: [String!]
  "Only recipes with at least this averageStars, 1 to 5; none without reviews."
  minStars: Float
  "Only recipes of at most this many minutes."
  maxMinutes: Int
  "Only recipes that have this ingredient; the code of nothing matches nothing."
  ingredientCode: String
}

input ReviewInput {
  recipeId: ID!
  "The handle of the cook who reviews."
  author: String!
  "1 to 5."
  stars: Int!
  "1 to 500 characters, not blank."
  text: String
}

input BoxInput {
  "The handle of the cook whose box it is."
  owner: String!
  "1 to 40 characters, not blank; not that of another box of the owner (refused with CONFLICT)."
  name: String!
  private: Boolean! = false
}

input FillBoxInput {
  boxId: ID!
  "The handle of the owner; with another one the box is NOT_FOUND."
  owner: String!
  "1 to 10, all different. A box has at most 50 recipes (refused with CONFLICT)."
  recipeIds: [ID!]!
}
'''


def chosen_faults(text: str) -> frozenset[str]:
    named = {"all": FAULTS, "none": (), "": ()}.get(text, text.split(","))
    unknown = set(named) - set(FAULTS)
    if unknown:
        raise SystemExit(f"FAULTS: no such fault: {', '.join(sorted(unknown))}")
    return frozenset(named)


class Kitchen:
    """Everything the service remembers. All things share one sequence of numbers, and are dicts."""

    def __init__(self) -> None:
        self.numbers = itertools.count(1)
        self.cooks: dict[str, dict] = {}  # by id, as everything
        self.ingredients: dict[str, dict] = {}
        self.recipes: dict[str, dict] = {}
        self.reviews: dict[str, dict] = {}
        self.boxes: dict[str, dict] = {}
        self.gone_reviews: dict[str, dict] = {}  # for G3
        self.stats = {"requests": 0} | dict.fromkeys(FAULTS, 0)
        self.by_operation: dict[str, int] = {}
        self.begin()

    def add(self, shelf: dict, letter: str, kind: str, **fields) -> dict:
        number = next(self.numbers)
        thing = {"__typename": kind, "id": f"{letter}{number}", "number": number, **fields}
        shelf[thing["id"]] = thing
        return thing

    def met(self, fault: str) -> bool:
        """Whether a fault is there to be met at a place that asks for it; counts that it was."""
        if fault not in faults:
            return False
        self.stats[fault] += 1
        return True

    def add_cook(self, handle: str, name: str, bio: str | None) -> dict:
        return self.add(self.cooks, "c", "Cook", handle=handle, name=name, bio=bio)

    def add_ingredient(self, code: str, name: str, unit: str, kcal: int) -> dict:
        return self.add(self.ingredients, "i", "Ingredient", code=code, name=name, unit=unit, kcal=kcal)

    def add_recipe(self, cook: dict, title: str, servings: int, minutes: int, tags: list, steps: list, amounts: list) -> dict:
        return self.add(
            self.recipes, "r", "Recipe", cookId=cook["id"], title=title, servings=servings, minutes=minutes, status="DRAFT",
            tags=tags, steps=steps, amounts=amounts, lostReviews=0,
        )

    def add_review(self, recipe: dict, author: dict, stars: int, text: str | None) -> dict:
        return self.add(
            self.reviews, "v", "Review", recipeId=recipe["id"], authorId=author["id"], stars=stars, text=text,
        )

    def add_box(self, owner: dict, name: str, private: bool) -> dict:
        return self.add(self.boxes, "b", "Box", ownerId=owner["id"], name=name, private=private, recipeIds=[])

    def begin(self) -> None:
        nora = self.add_cook("nora", "Nora Fields", "Bakes on Sundays.")
        ravi = self.add_cook("ravi", "Ravi Menon", None)
        tove = self.add_cook("tove", "Tove Lindqvist", "Soups, mostly.")
        self.add_cook("marc_p", "Marc Petit", "Here to eat.")
        code = {
            one[0]: self.add_ingredient(*one)["id"] for one in (
                ("FLOUR", "Wheat flour", "GRAM", 348), ("MILK", "Milk", "MILLILITRE", 64), ("SUGAR", "Sugar", "GRAM", 400),
                ("LENTILS", "Red lentils", "GRAM", 352), ("LEEK", "Leek", "GRAM", 31), ("SALT", "Salt", "GRAM", 0),
                ("SAFFRON", "Saffron", "GRAM", 310),
            )
        }
        made = [
            self.add_recipe(cook, title, servings, minutes, tags, steps, [
                {"ingredientId": code[name], "quantity": quantity} for name, quantity in amounts
            ]) for cook, title, servings, minutes, tags, steps, amounts in (
                (nora, "Pancakes", 4, 30, ["sweet", "quick"], ["Stir.", "Fry."], [("FLOUR", 250), ("MILK", 500)]),
                (nora, "Sugar buns", 12, 90, ["sweet", "baking"], ["Knead.", "Bake."], [("FLOUR", 500), ("SUGAR", 150)]),
                (ravi, "Dal", 4, 30, ["vegan", "quick", "spicy"], ["Boil for long."], [("LENTILS", 300), ("SALT", 5)]),
                (ravi, "Rice pudding", 2, 45, ["sweet"], ["Simmer."], [("MILK", 800), ("SUGAR", 60)]),
                (tove, "Leek soup", 3, 30, ["vegan"], ["Chop.", "Boil.", "Blend."], [("LEEK", 600), ("SALT", 4)]),
                (tove, "Cold milk soup", 2, 15, ["quick"], ["Pour."], [("MILK", 700)]),
                (tove, "Lentil stew", 6, 45, ["vegan", "spicy"], ["Boil."], [("LENTILS", 500), ("LEEK", 200)]),
            )
        ]
        for recipe, status in zip(made, ("PUBLISHED", "PUBLISHED", "PUBLISHED", "DRAFT", "PUBLISHED", "ARCHIVED", "PUBLISHED")):
            recipe["status"] = status
        for recipe, author, stars, text in (
            (made[0], ravi, 5, "Fluffy."), (made[0], tove, 4, None), (made[2], nora, 5, "Warm and good."),
            (made[4], nora, 2, "Bland."), (made[5], nora, 3, None),
        ):
            self.add_review(recipe, author, stars, text)
        self.add_box(nora, "Sunday", False)["recipeIds"] = [made[0]["id"], made[4]["id"]]
        self.add_box(ravi, "Quick ones", False)["recipeIds"] = [made[2]["id"]]


def refusal(code: str, message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": code})


def wrong(message: str) -> GraphQLError:
    return refusal("BAD_USER_INPUT", message)


def conflict(message: str) -> GraphQLError:
    return refusal("CONFLICT", message)


def found(shelf: dict, key: str, kind: str) -> dict:
    if key not in shelf:
        raise refusal("NOT_FOUND", f"there is no such {kind}")
    return shelf[key]


def cook_of(handle: str | None) -> dict | None:
    return next((one for one in kitchen.cooks.values() if one["handle"] == handle), None)


def ingredient_of(code: str) -> dict | None:
    return next((one for one in kitchen.ingredients.values() if one["code"] == code), None)


def found_cook(handle: str) -> dict:
    cook = cook_of(handle)
    if cook is None:
        raise refusal("NOT_FOUND", "there is no such cook")
    return cook


def found_ingredient(code: str) -> dict:
    ingredient = ingredient_of(code)
    if ingredient is None:
        raise refusal("NOT_FOUND", "there is no such ingredient")
    return ingredient


def check_number(name: str, number: int | float, least: int, most: int) -> None:
    if not least <= number <= most:
        raise wrong(f"{name} must be from {least} to {most}")


def check_text(name: str, text: str, longest: int) -> None:
    if not text.strip():
        raise wrong(f"{name} must not be blank")
    if len(text) > longest:
        raise wrong(f"{name} must not be longer than {longest} characters")


def check_form(name: str, text: str, form: str, words: str) -> None:
    if not re.fullmatch(form, text):
        raise wrong(f"{name} must be {words}")


def check_different(name: str, values: list) -> None:
    if len(set(values)) < len(values):
        raise wrong(f"{name} must be different")


def check_most(name: str, values: list, most: int, least: int = 0) -> None:
    if not least <= len(values) <= most:
        raise wrong(f"{name} must be {least} to {most}")


def check_room(shelf: dict) -> None:
    if len(shelf) >= ROOM:
        raise conflict(f"there are {ROOM} already")


def counted(info, things: list) -> list:
    info.context["items"] += len(things)
    if info.context["items"] > MOST_ITEMS:
        raise wrong(f"the answer must not have more than {MOST_ITEMS} things in its lists")
    return things


def page(info, things: list, limit: int, offset: int = 0) -> list:
    check_number("limit", limit, 1, 50)
    if offset < 0:
        raise wrong("offset must not be negative")
    return counted(info, things[offset : offset + limit])


def contains(part: str | None, text: str) -> bool:
    return part is None or part.casefold() in text.casefold()


def may_see(box: dict, viewer: str | None) -> bool:
    return not box["private"] or viewer == kitchen.cooks[box["ownerId"]]["handle"]


def reviews_of(recipe: dict) -> list[dict]:
    return [one for one in kitchen.reviews.values() if one["recipeId"] == recipe["id"]]


def stars_of(recipe: dict) -> float | None:
    stars = [one["stars"] for one in reviews_of(recipe)]
    return round(sum(stars) / len(stars), 2) if stars else None


# Queries


def query_node(_, info, id):
    if id in kitchen.gone_reviews and kitchen.met("G3"):
        return kitchen.gone_reviews[id]
    if id in kitchen.boxes:
        return kitchen.boxes[id] if may_see(kitchen.boxes[id], None) else None
    shelves = (kitchen.cooks, kitchen.ingredients, kitchen.recipes, kitchen.reviews)
    return next((shelf[id] for shelf in shelves if id in shelf), None)


def query_cook(_, info, handle):
    return cook_of(handle)


def query_cooks(_, info, orderBy, descending, limit, offset, nameContains=None):
    hits = [one for one in kitchen.cooks.values() if contains(nameContains, one["name"])]
    key = (lambda one: one["number"]) if orderBy == "ADDED" else (lambda one: (one["name"], one["number"]))
    return page(info, sorted(hits, key=key, reverse=descending), limit, offset)


def query_ingredient(_, info, code):
    return ingredient_of(code)


def query_ingredients(_, info, limit, offset, unit=None, maxKcal=None):
    if maxKcal is not None and maxKcal < 0:
        raise wrong("maxKcal must not be negative")
    hits = [
        one for one in kitchen.ingredients.values()
        if unit in (None, one["unit"]) and (maxKcal is None or one["kcal"] <= maxKcal)
    ]
    return page(info, sorted(hits, key=lambda one: one["code"]), limit, offset)


def query_recipe(_, info, id):
    return kitchen.recipes.get(id)


def rank(order: str):
    def key(one: dict) -> tuple:
        if order == "STARS":
            stars = stars_of(one)
            return (stars is None, -(stars or 0), one["number"])
        return () if order == "ADDED" else (one[order.lower()],)
    return lambda one: (*key(one), one["number"])


def matches(recipe: dict, wanted: dict, order: str) -> bool:
    cook = wanted.get("cook")
    if cook is not None and kitchen.cooks[recipe["cookId"]]["handle"] != cook:
        return False
    code = wanted.get("ingredientCode")
    codes = [kitchen.ingredients[one["ingredientId"]]["code"] for one in recipe["amounts"]]
    if code is not None and code not in codes:
        return False
    if wanted.get("status") not in (None, recipe["status"]) or not set(wanted.get("tags") or ()) <= set(recipe["tags"]):
        return False
    if wanted.get("maxMinutes") is not None and recipe["minutes"] > wanted["maxMinutes"]:
        return False
    if wanted.get("minStars") is None:
        return True
    stars = stars_of(recipe)
    if stars is None:
        return order == "STARS" and kitchen.met("G9")
    return stars >= wanted["minStars"]


def cursor_of(recipe: dict) -> str:
    return base64.b64encode(f"recipe:{recipe['id']}".encode()).decode()


def recipe_of(cursor: str) -> dict:
    try:
        kind, _, key = base64.b64decode(cursor, validate=True).decode().partition(":")
    except ValueError:
        kind = key = ""
    if kind != "recipe" or key not in kitchen.recipes:
        raise wrong("after must be the cursor of a recipe")
    return kitchen.recipes[key]


def query_recipes(_, info, orderBy, first, filter=None, after=None):
    wanted = filter or {}
    check_number("first", first, 1, 50)
    check_most("tags", wanted.get("tags") or [], 8)
    if wanted.get("minStars") is not None:
        check_number("minStars", wanted["minStars"], 1, 5)
    if len(wanted.get("tags") or []) > MANY_TAGS and kitchen.met("G8"):
        info.context["sleep"] = SLOW_SECONDS
    key = rank(orderBy)
    hits = sorted((one for one in kitchen.recipes.values() if matches(one, wanted, orderBy)), key=key)
    later = hits
    if after is not None:
        place = recipe_of(after)
        later = [one for one in hits if key(one) > key(place)]
        if orderBy == "MINUTES":
            longer = [one for one in hits if one["minutes"] > place["minutes"]]
            if len(longer) != len(later) and kitchen.met("G7"):
                later = longer
    edges = counted(info, [{"cursor": cursor_of(one), "node": one} for one in later[:first]])
    end = edges[-1]["cursor"] if edges else None
    return {
        "edges": edges, "pageInfo": {"hasNextPage": len(later) > first, "endCursor": end}, "totalCount": len(hits),
    }


def query_box(_, info, id, viewer=None):
    box = kitchen.boxes.get(id)
    return box if box and may_see(box, viewer) else None


def query_search(_, info, text, limit):
    check_text("text", text, 60)
    named = [*kitchen.cooks.values(), *kitchen.ingredients.values(), *kitchen.recipes.values()]
    return page(info, [one for one in named if contains(text, one.get("name", one.get("title")))], limit)


# Fields


def cook_bio_initial(cook, info):
    return cook["bio"][0] if cook["bio"] else None


def cook_recipes(cook, info, limit, offset, status=None):
    hits = [one for one in kitchen.recipes.values() if one["cookId"] == cook["id"] and status in (None, one["status"])]
    return page(info, hits, limit, offset)


def cook_recipe_count(cook, info):
    return sum(one["cookId"] == cook["id"] for one in kitchen.recipes.values())


def cook_boxes(cook, info, viewer=None):
    return counted(info, [
        one for one in kitchen.boxes.values() if one["ownerId"] == cook["id"] and may_see(one, viewer)
    ])


def amount_ingredient(amount, info):
    return kitchen.ingredients[amount["ingredientId"]]


def recipe_cook(recipe, info):
    return kitchen.cooks[recipe["cookId"]]


def recipe_kcal(recipe, info):
    if not recipe["amounts"] and kitchen.met("G2"):
        return None
    parts = sum(one["quantity"] * kitchen.ingredients[one["ingredientId"]]["kcal"] for one in recipe["amounts"])
    return parts // (100 * recipe["servings"])


def recipe_reviews(recipe, info, limit, offset, minStars=None):
    if minStars is not None:
        check_number("minStars", minStars, 1, 5)
    hits = [one for one in reviews_of(recipe) if one["stars"] >= (minStars or 0)]
    return page(info, hits, limit, offset)


def recipe_review_count(recipe, info):
    count = len(reviews_of(recipe))
    return count + recipe["lostReviews"] if recipe["lostReviews"] and kitchen.met("G5") else count


def recipe_average(recipe, info):
    return stars_of(recipe)


def recipe_boxes(recipe, info, viewer=None):
    hits = [one for one in kitchen.boxes.values() if recipe["id"] in one["recipeIds"]]
    seen = [one for one in hits if may_see(one, viewer)]
    return counted(info, hits if len(hits) != len(seen) and kitchen.met("G10") else seen)


def review_recipe(review, info):
    return kitchen.recipes[review["recipeId"]]


def review_author(review, info):
    if review["authorId"] not in kitchen.cooks and kitchen.met("G12"):
        return kitchen.cooks[review["authorId"]]
    return kitchen.cooks.get(review["authorId"])


def box_owner(box, info):
    return kitchen.cooks[box["ownerId"]]


def box_recipes(box, info):
    return counted(info, [kitchen.recipes[key] for key in box["recipeIds"]])


# Mutations


def add_cook(_, info, input):
    handle, name, bio = input["handle"], input["name"], input.get("bio")
    check_form("handle", handle, r"[a-z][a-z0-9_]{2,19}", "3 to 20 of a-z, 0-9 and _, the first one a letter")
    check_text("name", name, 60)
    if bio is not None and len(bio) > 300:
        raise wrong("bio must not be longer than 300 characters")
    if cook_of(handle):
        raise conflict("another cook has this handle already")
    check_room(kitchen.cooks)
    if bio == "" and kitchen.met("G1"):
        bio[0]
    return kitchen.add_cook(handle, name, bio)


def delete_cook(_, info, handle):
    cook = found_cook(handle)
    if cook_recipe_count(cook, None):
        raise conflict("the cook has recipes")
    for box in [one for one in kitchen.boxes.values() if one["ownerId"] == cook["id"]]:
        del kitchen.boxes[box["id"]]
    del kitchen.cooks[cook["id"]]
    return handle


def add_ingredient(_, info, input):
    check_form("code", input["code"], r"[A-Z-]{2,20}", "2 to 20 of A-Z and -")
    check_text("name", input["name"], 60)
    check_number("kcal", input["kcal"], 0, 900)
    if ingredient_of(input["code"]):
        raise conflict("another ingredient has this code already")
    check_room(kitchen.ingredients)
    return kitchen.add_ingredient(input["code"], input["name"], input["unit"], input["kcal"])


def delete_ingredient(_, info, code):
    ingredient = found_ingredient(code)
    for recipe in kitchen.recipes.values():
        if any(one["ingredientId"] == ingredient["id"] for one in recipe["amounts"]):
            raise conflict(f"recipe {recipe['id']} has the ingredient")
    del kitchen.ingredients[ingredient["id"]]
    return code


def checked_recipe(fields: dict) -> dict:
    """The fields of a recipe as they are kept, where they are given."""
    kept = {key: value for key, value in fields.items() if value is not None}
    if "title" in kept:
        check_text("title", kept["title"], 60)
    if "servings" in kept:
        check_number("servings", kept["servings"], 1, 50)
    if "minutes" in kept:
        check_number("minutes", kept["minutes"], 1, 10_000)
    tags, steps, amounts = (kept.get(name) or [] for name in ("tags", "steps", "amounts"))
    check_most("tags", tags, 8)
    for tag in tags:
        check_form("tags", tag, r"[a-z-]{1,20}", "1 to 20 of a-z and -")
    check_different("tags", tags)
    check_most("steps", steps, 30)
    for step in steps:
        check_text("steps", step, 300)
    check_most("amounts", amounts, 20)
    for one in amounts:
        check_number("quantity", one["quantity"], 1, 10_000)
    check_different("the ingredients of the amounts", [one["ingredientCode"] for one in amounts])
    if "amounts" in kept:
        kept["amounts"] = [
            {"ingredientId": found_ingredient(one["ingredientCode"])["id"], "quantity": one["quantity"]} for one in amounts
        ]
    return kept


def check_title(cook: str, title: str, besides: str | None = None) -> None:
    for one in kitchen.recipes.values():
        if one["cookId"] == cook and one["title"] == title and one["id"] != besides:
            raise conflict("another recipe of the cook has this title already")


def add_recipe(_, info, input):
    cook = found_cook(input["cook"])
    kept = checked_recipe({key: value for key, value in input.items() if key != "cook"})
    check_title(cook["id"], kept["title"])
    check_room(kitchen.recipes)
    return kitchen.add_recipe(cook, **kept)


def update_recipe(_, info, id, changes):
    recipe = found(kitchen.recipes, id, "recipe")
    kept = checked_recipe(changes)
    if recipe["status"] == "ARCHIVED":
        raise conflict("the recipe is ARCHIVED")
    if recipe["status"] == "PUBLISHED" and not kept.get("steps", recipe["steps"]):
        raise conflict("the recipe is PUBLISHED and must have a step")
    if "title" in kept:
        check_title(recipe["cookId"], kept["title"], besides=id)
    if "tags" not in kept and recipe["tags"] and kitchen.met("G4"):
        kept["tags"] = []
    recipe.update(kept)
    return recipe


def move_recipe(_, info, id, to):
    recipe = found(kitchen.recipes, id, "recipe")
    move = (recipe["status"], to)
    back = move == ("ARCHIVED", "DRAFT") and not reviews_of(recipe) and kitchen.met("G11")
    if move not in (("DRAFT", "PUBLISHED"), ("PUBLISHED", "ARCHIVED")) and not back:
        raise conflict(f"the recipe is {recipe['status']} and can't become {to}")
    if to == "PUBLISHED" and not recipe["steps"]:
        raise conflict("a recipe without steps can't be PUBLISHED")
    recipe["status"] = to
    return recipe


def add_review(_, info, input):
    recipe = found(kitchen.recipes, input["recipeId"], "recipe")
    author = found_cook(input["author"])
    check_number("stars", input["stars"], 1, 5)
    if input.get("text") is not None:
        check_text("text", input["text"], 500)
    if recipe["status"] != "PUBLISHED":
        raise conflict(f"the recipe is not PUBLISHED but {recipe['status']}")
    if recipe["cookId"] == author["id"]:
        raise conflict("the recipe is the author's own")
    if any(one["authorId"] == author["id"] for one in reviews_of(recipe)):
        raise conflict("the author has reviewed the recipe already")
    check_room(kitchen.reviews)
    return kitchen.add_review(recipe, author, input["stars"], input.get("text"))


def delete_review(_, info, id):
    review = found(kitchen.reviews, id, "review")
    del kitchen.reviews[id]
    if "G3" in faults:
        kitchen.gone_reviews[id] = review
    if "G5" in faults:
        kitchen.recipes[review["recipeId"]]["lostReviews"] += 1
    return id


def add_box(_, info, input):
    owner = found_cook(input["owner"])
    check_text("name", input["name"], 40)
    if any(one["ownerId"] == owner["id"] and one["name"] == input["name"] for one in kitchen.boxes.values()):
        raise conflict("another box of the owner has this name already")
    check_room(kitchen.boxes)
    return kitchen.add_box(owner, input["name"], input["private"])


def fill_box(_, info, input):
    owner = found_cook(input["owner"])
    box = found(kitchen.boxes, input["boxId"], "box")
    if box["ownerId"] != owner["id"]:
        raise refusal("NOT_FOUND", "there is no such box of this owner")
    wanted = input["recipeIds"]
    check_most("recipeIds", wanted, 10, 1)
    check_different("recipeIds", wanted)
    filled = list(box["recipeIds"])
    for key in wanted:
        if key not in kitchen.recipes and filled != box["recipeIds"] and kitchen.met("G6"):
            box["recipeIds"] = filled
        found(kitchen.recipes, key, "recipe")
        if key not in filled:
            filled = [*filled, key]
    if len(filled) > MOST_IN_BOX:
        raise conflict(f"a box must not have more than {MOST_IN_BOX} recipes")
    box["recipeIds"] = filled
    return box


RESOLVERS = {
    "Query": {
        "node": query_node, "cook": query_cook, "cooks": query_cooks, "ingredient": query_ingredient,
        "ingredients": query_ingredients, "recipe": query_recipe, "recipes": query_recipes, "box": query_box,
        "search": query_search,
    },
    "Mutation": {
        "addCook": add_cook, "deleteCook": delete_cook, "addIngredient": add_ingredient,
        "deleteIngredient": delete_ingredient, "addRecipe": add_recipe, "updateRecipe": update_recipe,
        "moveRecipe": move_recipe, "addReview": add_review, "deleteReview": delete_review, "addBox": add_box,
        "fillBox": fill_box,
    },
    "Cook": {
        "bioInitial": cook_bio_initial, "recipes": cook_recipes, "recipeCount": cook_recipe_count, "boxes": cook_boxes,
    },
    "Amount": {"ingredient": amount_ingredient},
    "Recipe": {
        "cook": recipe_cook, "kcalPerServing": recipe_kcal, "reviews": recipe_reviews, "reviewCount": recipe_review_count,
        "averageStars": recipe_average, "boxes": recipe_boxes,
    },
    "Review": {"recipe": review_recipe, "author": review_author},
    "Box": {"owner": box_owner, "recipes": box_recipes},
}
schema = build_schema(SDL)
for type_name, fields in RESOLVERS.items():
    for field_name, resolver in fields.items():
        schema.type_map[type_name].fields[field_name].resolve = resolver
faults = chosen_faults(os.environ.get("FAULTS", "none"))
kitchen = Kitchen()


def depth_of(document) -> int:
    fragments = {one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)}
    known: dict[str, int] = {}

    def depth(node) -> int:
        if isinstance(node, FragmentSpreadNode):
            name = node.name.value
            if name not in known:
                known[name] = depth(fragments[name])
            return known[name]
        own = isinstance(node, FieldNode)
        if own and node.name.value.startswith("__"):
            return 0
        below = node.selection_set.selections if node.selection_set else ()
        return own + max(map(depth, below), default=0)

    return max((depth(one) for one in document.definitions), default=0)


def failed(code: str, errors: list[GraphQLError]) -> dict:
    return {"errors": [{**one.formatted, "extensions": {"code": code}} for one in errors]}


def shown_error(error: GraphQLError) -> dict:
    code = "INTERNAL_SERVER_ERROR" if error.original_error and not isinstance(error.original_error, GraphQLError) else None
    return {**error.formatted, "extensions": {"code": code or (error.extensions or {}).get("code", "BAD_USER_INPUT")}}


def note(document, outcome: str) -> None:
    for operation in document.definitions:
        if isinstance(operation, OperationDefinitionNode):
            for asked in operation.selection_set.selections:
                if isinstance(asked, FieldNode):
                    name = f"{operation.operation.value} {asked.name.value} {outcome}"
                    kitchen.by_operation[name] = kitchen.by_operation.get(name, 0) + 1


def answer(text: str, variables: dict | None, name: str | None, context: dict) -> dict:
    try:
        document = parse(text, max_tokens=MOST_TOKENS)
        problems = validate(schema, document, specified_rules, max_errors=10)
        if problems:
            return failed("GRAPHQL_VALIDATION_FAILED", problems)
        if any(not isinstance(one, (OperationDefinitionNode, FragmentDefinitionNode)) for one in document.definitions):
            return failed("GRAPHQL_VALIDATION_FAILED", [GraphQLError("only operations and fragments can be executed")])
        if depth_of(document) > MOST_DEPTH:
            return failed("BAD_USER_INPUT", [GraphQLError(f"the operation is nested more than {MOST_DEPTH} deep")])
    except GraphQLSyntaxError as error:
        return failed("GRAPHQL_PARSE_FAILED", [error])
    except RecursionError:
        return failed("BAD_USER_INPUT", [GraphQLError("the operation is nested too deep")])
    result = execute(schema, document, variable_values=variables, operation_name=name, context_value=context)
    note(document, "errors" if result.errors else "data")
    shown = {"data": result.data}
    if result.errors:
        shown = {"errors": [shown_error(one) for one in result.errors]} | shown
    return shown


def bad_request(message: str) -> JSONResponse:
    return JSONResponse({"errors": [{"message": message, "extensions": {"code": "BAD_REQUEST"}}]}, 400)


def no_number(text: str):
    raise ValueError(f"{text} is no number")


async def graphql(request: Request):
    kitchen.stats["requests"] += 1
    try:
        body = json.loads((await request.body()).decode(), parse_constant=no_number)
        json.dumps(body, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except (ValueError, RecursionError):
        return bad_request("the body must be JSON")
    if not isinstance(body, dict) or not isinstance(body.get("query"), str):
        return bad_request("the body must be an object with a query")
    variables, name = body.get("variables"), body.get("operationName")
    if not isinstance(variables, (dict, type(None))) or not isinstance(name, (str, type(None))):
        return bad_request("variables must be an object, and operationName a text")
    context = {"items": 0, "sleep": 0}
    shown = answer(body["query"], variables, name, context)
    if context["sleep"]:
        await asyncio.sleep(context["sleep"])
    return JSONResponse(shown)


async def get_stats(_request: Request):
    return JSONResponse({"stats": kitchen.stats, "by_op": kitchen.by_operation})


async def reset(_request: Request):
    kitchen.__init__()
    return JSONResponse({})


app = Starlette(routes=[
    Route("/graphql", graphql, methods=["POST"]),
    Route("/__stats", get_stats, methods=["GET"]),
    Route("/__reset", reset, methods=["POST"]),
])
