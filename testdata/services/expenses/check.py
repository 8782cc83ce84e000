"""usage: check.py ALL_URL NONE_URL

Sends the requests of FAULTS.md to a service with all faults and to one without, each from a fresh
start, and tells where they do not behave as it says.
"""

import json
import pathlib
import re
import sys
import time
import urllib.request


def call(url, data=None):
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def ids(edges):
    return [edge["node"]["id"] for edge in edges]


def uncoded(answer):
    return any("code" not in e.get("extensions", {}) for e in answer.get("errors", []))


def taken(answer):
    error = answer["errors"][0]
    return error["message"].endswith("already") and error["extensions"] == {"code": "CONFLICT"}


# For each: is the last answer (with all answers and its seconds) faulty, and is it correct?
SHOWS = {
    "C1": (
        lambda a, _, s: uncoded(a) and a["data"] is None,
        lambda a, _, s: a["data"]["spending"] == {"totalCents": 1250, "previousCents": 0},
    ),
    "C2": (
        lambda a, _, s: uncoded(a) and "unary -" in a["errors"][0]["message"],
        lambda a, _, s: [c["id"] for c in a["data"]["costCentres"]["items"]]
        == ["cc-2", "cc-1", "cc-3"],
    ),
    "C3": (
        lambda a, _, s: a["errors"][0]["message"]
        == "Cannot return null for non-nullable field Claim.nextStep.",
        lambda a, _, s: a["data"]["withdrawClaim"]
        == {"state": "WITHDRAWN", "nextStep": "Delete it, or make another."},
    ),
    "C4": (
        lambda a, _, s: a["data"]["payClaim"]["paidOn"] == "2025-07-10T00:00:00",
        lambda a, _, s: a["data"]["payClaim"] == {"state": "PAID", "paidOn": "2025-07-10"},
    ),
    "C5": (
        lambda a, _, s: a["data"]["entries"]["totalCount"] == 6
        and len(a["data"]["entries"]["edges"]) == 6,
        lambda a, _, s: a["data"]["entries"] == {"totalCount": 0, "edges": []},
    ),
    "C6": (
        lambda a, _, s: ids(a["data"]["entries"]["edges"]) == ["ent-2", "ent-5"],
        lambda a, _, s: ids(a["data"]["entries"]["edges"]) == ["ent-4", "ent-2"],
    ),
    "C7": (
        lambda a, _, s: a["data"]["entry"]
        == {"__typename": "Journey", "id": "ent-6", "claim": {"id": "clm-4"}},
        lambda a, _, s: a == {"data": {"entry": None}},
    ),
    "C8": (
        lambda a, all, s: all[0]["errors"][0]["extensions"]["code"] == "NOT_FOUND"
        and a["data"]["employee"]["claims"] == [{"id": "clm-5", "title": "Trip", "entryCount": 0}],
        lambda a, all, s: all[0]["errors"][0]["extensions"]["code"] == "NOT_FOUND"
        and a["data"]["employee"] == {"claimCount": 0, "claims": []},
    ),
    "C9": (
        lambda a, _, s: a["data"]["employee"]["name"] == "Bob Weller",
        lambda a, all, s: a["data"]["employee"]["name"] == "Bo Weller"
        and all[1]["data"]["assignManager"]["name"] == "Bo Weller",
    ),
    "C10": (
        lambda a, _, s: uncoded(a) and "sqlite3" in a["errors"][0]["message"],
        lambda a, _, s: taken(a),
    ),
    "C11": (
        lambda a, _, s: a["data"]["costCentres"]["totalCount"] == 2,
        lambda a, all, s: taken(all[0]) and a["data"]["costCentres"]["totalCount"] == 1,
    ),
    "C12": (
        lambda a, _, s: s >= 1.5 and a["data"]["employees"]["totalCount"] == 1,
        lambda a, _, s: s < 0.5 and a["data"]["employees"]["totalCount"] == 1,
    ),
}


def says(show, answers, seconds):
    try:
        return bool(show(answers[-1], answers, seconds))
    except (KeyError, TypeError, IndexError):
        return False


def main(urls):
    text = pathlib.Path(__file__).with_name("FAULTS.md").read_text()
    bad = 0
    for section in text.split("\n## ")[1:]:
        name = section.split(":")[0]
        requests = re.findall(r"^\d+\. `(.+?)`(?:$| gives| is)", section, re.MULTILINE)
        assert 1 <= len(requests) <= 5, name
        for which, url in enumerate(urls):
            call(url + "/__reset", {})
            answers = []
            for request in requests:
                begun = time.monotonic()
                answers.append(call(url + "/graphql", {"query": request}))
                seconds = time.monotonic() - begun
            met = {k for k, v in call(url + "/__stats")["stats"].items() if v} - {"requests"}
            faulty, correct = (says(show, answers, seconds) for show in SHOWS[name])
            fine = (faulty, correct) == ((True, False), (False, True))[which]
            fine = fine and met == ({name}, set())[which]
            bad += not fine
            print(name, ("all", "none")[which], "ok" if fine else f"BAD met={met} {answers}")
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
