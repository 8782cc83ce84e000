"""A small service to try the middleware with: python service.py PORT COLLECTOR"""

import json
import sys

from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse, JsonResponse
from django.urls import path

PORT, COLLECTOR = sys.argv[1:3]

settings.configure(
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    MIDDLEWARE=["harvest.harvest"],
    HARVEST_COLLECTOR=COLLECTOR,
)


def books(request):
    if request.method == "POST":
        return JsonResponse({"id": 2, "title": json.loads(request.body)["title"]}, status=201)
    return JsonResponse([{"id": 1, "tag": request.GET["tag"]}], safe=False)


def login(request):
    return HttpResponse(f"welcome {request.POST['user']}", content_type="text/plain")


def large(request):
    return HttpResponse("x" * 200_000, content_type="text/plain")


def fail(request):
    raise RuntimeError("as it should")


urlpatterns = [path("books", books), path("login", login), path("large", large), path("fail", fail)]

if __name__ == "__main__":
    execute_from_command_line(["service.py", "runserver", "--noreload", f"127.0.0.1:{PORT}"])
