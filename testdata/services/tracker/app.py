"""A task tracker in memory: projects hold tasks, tasks hold comments, and there are users.

FAULTS chooses what is wrong with it: `none` (the default), `all`, or some names, as `B1a,B3`.

    B1a  GET /projects             500 at limit=97
    B1b  POST /projects            500 for a name that ends with a percent sign
    B2   GET /tasks/{id}           priority 5 comes as a string
    B3   GET /projects/{id}        a deleted project, and what is in it, stays readable
    B4a  GET /projects/{id}/tasks  a project that never was has an empty list instead of a 404
    B4b  GET /users/{id}           a user that never was is made up

Without faults it keeps to its document, so whatever a tester reports of it is a false alarm.
GET /__stats tells how many requests came and how often each fault was met; POST /__reset
empties everything. Handlers have no docstrings, because these would end up in the document.
"""

import itertools
import json
import os
from typing import Annotated, Literal

from fastapi import FastAPI, HTTPException, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from starlette.exceptions import HTTPException as AnyHTTPException

FAULTS = ("B1a", "B1b", "B2", "B3", "B4a", "B4b")
SHELF_SIZE = 20_000


def chosen_faults(text: str) -> frozenset[str]:
    named = {"all": FAULTS, "none": ()}.get(text, text.split(","))
    unknown = set(named) - set(FAULTS)
    if unknown:
        raise SystemExit(f"FAULTS: no such fault: {', '.join(sorted(unknown))}")
    return frozenset(named)


class Tracker:
    """Everything the service remembers. All things share one sequence of numbers."""

    def __init__(self) -> None:
        self.numbers = itertools.count(1)
        self.projects: dict[int, dict] = {}
        self.tasks: dict[int, dict] = {}
        self.comments: dict[int, dict] = {}
        self.users: dict[int, dict] = {}
        self.deleted: set[int] = set()  # projects that B3 keeps readable
        self.stats = {"requests": 0} | dict.fromkeys(FAULTS, 0)
        self.by_operation: dict[str, int] = {}

    def add(self, shelf: dict[int, dict], thing: BaseModel, **more: int) -> dict:
        if len(shelf) >= SHELF_SIZE:  # a long run must not eat the machine
            del shelf[next(iter(shelf))]
        made = {"id": next(self.numbers), **more, **thing.model_dump()}
        shelf[made["id"]] = made
        return made

    def met(self, fault: str) -> bool:
        """Whether a fault is there to be met at a place that asks for it; counts that it was."""
        if fault not in faults:
            return False
        self.stats[fault] += 1
        return True

    def live_project(self, number: int) -> dict:
        if number in self.deleted:
            raise not_found()
        return found(self.projects, number)

    def delete_project(self, number: int) -> None:
        if "B3" in faults:
            self.deleted.add(number)
            return
        del self.projects[number]
        for task in [t for t in self.tasks.values() if t["project_id"] == number]:
            self.delete_task(task["id"])

    def delete_task(self, number: int) -> None:
        del self.tasks[number]
        for comment in [c for c in self.comments.values() if c["task_id"] == number]:
            del self.comments[comment["id"]]


def not_found() -> HTTPException:
    return HTTPException(404, "not found")


def found(shelf: dict[int, dict], number: int) -> dict:
    if number not in shelf:
        raise not_found()
    return shelf[number]


def whole(value: object) -> object:
    # To JSON Schema 3.0 is an integer; to pydantic's strict mode it is not.
    return int(value) if isinstance(value, float) and value.is_integer() else value


Int = Annotated[int, BeforeValidator(whole)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ProjectIn(Strict):
    name: str = Field(min_length=1, max_length=40)
    budget: Int = Field(default=0, ge=0, le=1_000_000)
    tags: list[Annotated[str, Field(max_length=10)]] = Field(default_factory=list, max_length=5)


class Project(ProjectIn):
    id: int


class TaskIn(Strict):
    title: str = Field(min_length=1, max_length=60)
    priority: Int = Field(ge=1, le=5)
    status: Literal["open", "doing", "done"] = "open"


class Task(TaskIn):
    id: int
    project_id: int


class CommentIn(Strict):
    body: str = Field(min_length=1, max_length=200)
    rating: float | None = Field(default=None, ge=0, le=10)


class Comment(CommentIn):
    id: int
    task_id: int


class UserIn(Strict):
    email: str = Field(pattern=r"^[a-z0-9.]+@[a-z0-9]+\.[a-z]{2,4}$", max_length=60)
    age: Int = Field(ge=0, le=150)


class User(UserIn):
    id: int


class Problem(BaseModel):
    detail: str


Number = Annotated[int, Path(ge=1, le=2**53)]
MAY_BE_ABSENT = {404: {"model": Problem}}

app = FastAPI(title="Tracker", version="1.0.0")
faults = chosen_faults(os.environ.get("FAULTS", "none"))
tracker = Tracker()


@app.middleware("http")
async def count(request: Request, call_next):
    if request.url.path.startswith("/__"):
        return await call_next(request)
    tracker.stats["requests"] += 1
    response = await call_next(request)
    path = getattr(request.scope.get("route"), "path", "?")
    key = f"{request.method} {path} {response.status_code}"
    tracker.by_operation[key] = tracker.by_operation.get(key, 0) + 1
    return response


# The framework echoes invalid input, and fails on what JSON can't carry back, such as NaN or half
# a surrogate pair. The document does not ask for the echo.
@app.exception_handler(RequestValidationError)
async def refuse_invalid(_request: Request, error: RequestValidationError):
    kept = ("type", "loc", "msg")
    detail = [{key: one[key] for key in kept} for one in error.errors()]
    return Response(json.dumps({"detail": detail}), 422, media_type="application/json")


# A body that can't even be decoded is a 400 to the framework; the document knows only 422.
@app.exception_handler(AnyHTTPException)
async def refuse(_request: Request, error: AnyHTTPException):
    if error.status_code == 400:
        detail = [{"type": "json_invalid", "loc": ["body"], "msg": str(error.detail)}]
        return JSONResponse({"detail": detail}, 422)
    return JSONResponse({"detail": error.detail}, error.status_code, error.headers)


@app.get("/__stats", include_in_schema=False)
async def get_stats():
    return {"stats": tracker.stats, "by_op": tracker.by_operation}


@app.post("/__reset", include_in_schema=False)
async def reset():
    tracker.__init__()
    return {}


@app.post("/projects", status_code=201, response_model=Project)
async def create_project(body: ProjectIn):
    if body.name.endswith("%") and tracker.met("B1b"):
        raise RuntimeError("B1b")
    return tracker.add(tracker.projects, body)


@app.get("/projects", response_model=list[Project])
async def list_projects(
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Annotated[int, Query(ge=0, le=10000)] = 0,
):
    if limit == 97 and tracker.met("B1a"):
        raise RuntimeError("B1a")
    live = (project for number, project in tracker.projects.items() if number not in tracker.deleted)
    return list(itertools.islice(live, offset, offset + limit))


@app.get("/projects/{project_id}", response_model=Project, responses=MAY_BE_ABSENT)
async def get_project(project_id: Number):
    if project_id in tracker.deleted:
        tracker.met("B3")
    return found(tracker.projects, project_id)


@app.put("/projects/{project_id}", response_model=Project, responses=MAY_BE_ABSENT)
async def update_project(project_id: Number, body: ProjectIn):
    project = tracker.live_project(project_id)
    project.update(body.model_dump())
    return project


@app.delete("/projects/{project_id}", status_code=204, responses=MAY_BE_ABSENT)
async def delete_project(project_id: Number):
    tracker.live_project(project_id)
    tracker.delete_project(project_id)
    return Response(status_code=204)


@app.post("/projects/{project_id}/tasks", status_code=201, response_model=Task, responses=MAY_BE_ABSENT)
async def create_task(project_id: Number, body: TaskIn):
    tracker.live_project(project_id)
    return tracker.add(tracker.tasks, body, project_id=project_id)


@app.get("/projects/{project_id}/tasks", response_model=list[Task], responses=MAY_BE_ABSENT)
async def list_tasks(project_id: Number):
    if project_id not in tracker.projects and not tracker.met("B4a"):
        raise not_found()
    return [task for task in tracker.tasks.values() if task["project_id"] == project_id]


@app.get("/tasks/{task_id}", response_model=Task, responses=MAY_BE_ABSENT)
async def get_task(task_id: Number):
    task = found(tracker.tasks, task_id)
    if task["priority"] == 5 and tracker.met("B2"):
        return JSONResponse({**task, "priority": "5"})
    return task


# What a patch leaves out stays as it is, also where the document knows a default.
@app.patch("/tasks/{task_id}", response_model=Task, responses=MAY_BE_ABSENT)
async def update_task(task_id: Number, body: TaskIn):
    task = found(tracker.tasks, task_id)
    task.update(body.model_dump(exclude_unset=True))
    return task


@app.delete("/tasks/{task_id}", status_code=204, responses=MAY_BE_ABSENT)
async def delete_task(task_id: Number):
    found(tracker.tasks, task_id)
    tracker.delete_task(task_id)
    return Response(status_code=204)


@app.post("/tasks/{task_id}/comments", status_code=201, response_model=Comment, responses=MAY_BE_ABSENT)
async def create_comment(task_id: Number, body: CommentIn):
    found(tracker.tasks, task_id)
    return tracker.add(tracker.comments, body, task_id=task_id)


@app.post("/users", status_code=201, response_model=User)
async def create_user(body: UserIn):
    return tracker.add(tracker.users, body)


@app.get("/users/{user_id}", response_model=User, responses=MAY_BE_ABSENT)
async def get_user(user_id: Number):
    if user_id not in tracker.users and tracker.met("B4b"):
        return {"id": user_id, "email": "nobody@example.com", "age": 0}
    return found(tracker.users, user_id)
