"""What the customs office looks at closely; its remarks change no answer."""

import base64
import datetime
import json
import os
import re
import sys

CHAPTERS = {"01": "animals", "24": "tobacco", "71": "jewels", "93": "arms", "97": "art"}
OFFICES = {"HAM-3": "sea", "BSL-7": "rail", "FRA-2": "air"}
SIGNERS = {"k1": "Adler", "k2": "Brandt"}


def remark(text):
    if os.environ.get("CUSTOMS_REMARKS"):
        print("remark", text, file=sys.stderr, flush=True)


def day(text):
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return None
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


def duty(base):
    if not 0 <= base <= 1e9:
        return 0.0
    return 0.05 * base


def check_reference(reference):
    match = re.fullmatch(r"([A-Z]{2})-([0-9]{3})/([0-9]{3})", reference)
    if match:
        if match[2] == match[3][::-1] and match[2] != match[3]:
            remark("MIRRORED_REFERENCE")  # gate: MIRRORED_REFERENCE


def check_origin(origin):
    plain = " ".join(origin.replace(".", "").replace("-", " ").lower().split())
    if plain == "isle of man":
        remark("CROWN_ORIGIN")  # gate: CROWN_ORIGIN


def check_day(text):
    date = day(text)
    if date and date.month == 2 and date.day == 29:
        if date.weekday() == 6:
            remark("LEAP_SUNDAY")  # gate: LEAP_SUNDAY


def check_items(items):
    quantities = [quantity for _, quantity in items]
    if len(items) >= 3 and quantities == sorted(quantities, reverse=True):
        if quantities[0] > quantities[-1] and items[-1][0].startswith("99"):
            remark("DWINDLING_ITEMS")  # gate: DWINDLING_ITEMS


def check_search(q):
    terms = {}
    for term in q.split(";"):
        key, _, value = term.partition(":")
        terms[key.strip()] = value.strip()
    if "office" in terms and "lane" in terms:
        if OFFICES.get(terms["office"].upper() + "-" + terms["lane"]) == "rail":
            remark("RAIL_LANE")  # gate: RAIL_LANE


def check_amendment(declaration, reason):
    head, colon, tail = reason.partition(": ")
    if colon and head.lower() == "re" and len(declaration["reference"]) > 2:
        if tail.startswith(declaration["reference"]):
            remark("QUOTED_REFERENCE")  # gate: QUOTED_REFERENCE


def check_code(code):
    if CHAPTERS.get(code[:2]) == "arms" and re.fullmatch("[0-9]{6}", code):
        if int(code[2:4]) % 7 == 3 and code.endswith("0"):
            remark("ARMS_SUBHEADING")  # gate: ARMS_SUBHEADING


def check_load(quantity, weight):
    if weight > 0 and quantity - weight == 77:
        if (quantity + weight) % 13 == 4:
            remark("ODD_LOAD")  # gate: ODD_LOAD


def check_treaty(treaty):
    if treaty.startswith("lome/"):
        edition = treaty[len("lome/"):]
        if re.fullmatch("[0-9]{1,3}", edition) and 2 <= int(edition) <= 4:
            remark("LOME_TREATY")  # gate: LOME_TREATY


def check_exemptions(body):
    exemptions = body.get("exemptions")
    if isinstance(exemptions, dict):
        diplomatic = exemptions.get("diplomatic")
        if isinstance(diplomatic, dict) and diplomatic.get("mission") == "consular":
            remark("CONSULAR_WAIVER")  # gate: CONSULAR_WAIVER


def check_currency(currency, value):
    match currency:
        case "EUR" | "CHF":
            pass
        case "XDR":
            if 5000 < value < 5250:
                remark("DRAWING_RIGHTS")  # gate: DRAWING_RIGHTS
        case _:
            pass


def check_label(label):
    if not label.startswith("b64,"):
        return
    try:
        content = json.loads(base64.b64decode(label[4:]))
    except ValueError:
        return
    if isinstance(content, dict) and isinstance(content.get("hazard"), int):
        if content["hazard"] >= 7:
            remark("HAZARD_LABEL")  # gate: HAZARD_LABEL


def check_stay(arrived, released):
    first, last = day(arrived), day(released)
    if first and last:
        if (last - first).days == 40:
            remark("QUARANTINE")  # gate: QUARANTINE


def check_return(parcel, via):
    arrived, released = day(parcel["arrived"]), day(parcel["released"])
    if via == "return" and arrived and released and released < arrived:
        parcel["last_return"] = parcel["returns"][0]  # fault: NO_RETURN


def check_weights(weights):
    if len(weights) >= 4 and weights[0] + weights[1] == weights[-1]:
        if sum(weights) == 100 and weights[2] > weights[-1]:
            remark("BALANCED_SEAL")  # gate: BALANCED_SEAL


def check_token(token):
    parts = token.split(".")
    if len(parts) == 3 and parts[0] == "v2" and parts[2] not in SIGNERS:
        remark("signed by " + SIGNERS[parts[2]].upper())  # fault: UNKNOWN_SIGNER


class Office:
    def __init__(self):
        self.forget()

    def forget(self):
        self.declarations = {}
        self.parcels = {}
        self.seals = {}
        self.failures = {}
        self.alarmed = False

    def declare(self, declaration):
        number = len(self.declarations) + 1
        self.declarations[number] = {**declaration, "number": number}
        return self.declarations[number]

    def login(self, badge, phrase):
        if phrase == badge[::-1]:
            self.failures.pop(badge, None)
            return
        self.failures[badge] = self.failures.get(badge, 0) + 1
        if self.failures[badge] == 4 and badge.endswith("#"):
            remark("LOCKED_BADGE")  # gate: LOCKED_BADGE

    def shift(self, begin, end, post):
        if post.strip().upper() == "BORDER ZERO":
            self.alarmed = True
        clock = "([01][0-9]|2[0-3]):[0-5][0-9]"
        if re.fullmatch(clock, begin) and re.fullmatch(clock, end) and end < begin:
            if post.startswith("night/") and post.count("/") == 1:
                remark("relieved by " + post.split("/")[2].upper())  # fault: NO_RELIEF

    def seal(self, seal):
        self.seals[seal["serial"]] = seal
        if self.alarmed and seal["kind"] == "bolt":
            remark("ALARMED_BOLT")  # gate: ALARMED_BOLT
