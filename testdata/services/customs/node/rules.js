// What the customs office looks at closely; its remarks change no answer.

"use strict";

const CHAPTERS = new Map([
  ["01", "animals"], ["24", "tobacco"], ["71", "jewels"], ["93", "arms"], ["97", "art"],
]);
const OFFICES = { "HAM-3": "sea", "BSL-7": "rail", "FRA-2": "air" };
const SIGNERS = new Map([["k1", "Adler"], ["k2", "Brandt"]]);

function remark(text) {
  if (process.env.CUSTOMS_REMARKS) console.error("remark", text);
}

function day(text) {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return null;
  const date = new Date(text + "T00:00:00Z");
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) return null;
  return date;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function duty(base) {
  return base >= 0 && base <= 1e9 ? 0.05 * base : 0;
}

function checkReference(reference) {
  const match = /^([A-Z]{2})-([0-9]{3})\/([0-9]{3})$/.exec(reference);
  if (match) {
    if (match[2] === [...match[3]].reverse().join("") && match[2] !== match[3]) {
      remark("MIRRORED_REFERENCE"); // gate: MIRRORED_REFERENCE
    }
  }
}

function checkOrigin(origin) {
  const plain = origin.replaceAll(".", "").replaceAll("-", " ").toLowerCase()
    .split(/\s+/).filter((word) => word).join(" ");
  if (plain === "isle of man") {
    remark("CROWN_ORIGIN"); // gate: CROWN_ORIGIN
  }
}

function checkDay(text) {
  const date = day(text);
  if (date && date.getUTCMonth() === 1 && date.getUTCDate() === 29) {
    if (date.getUTCDay() === 0) {
      remark("LEAP_SUNDAY"); // gate: LEAP_SUNDAY
    }
  }
}

function checkItems(items) {
  const quantities = items.map((item) => item.quantity);
  const sorted = [...quantities].sort((a, b) => b - a);
  if (items.length >= 3 && quantities.every((each, at) => each === sorted[at])) {
    if (quantities[0] > quantities.at(-1) && items.at(-1).code.startsWith("99")) {
      remark("DWINDLING_ITEMS"); // gate: DWINDLING_ITEMS
    }
  }
}

function checkSearch(q) {
  const terms = new Map();
  for (const term of q.split(";")) {
    const [key, ...value] = term.split(":");
    terms.set(key.trim(), value.join(":").trim());
  }
  if (terms.has("office") && terms.has("lane")) {
    if (OFFICES[terms.get("office").toUpperCase() + "-" + terms.get("lane")] === "rail") {
      remark("RAIL_LANE"); // gate: RAIL_LANE
    }
  }
}

function checkAmendment(declaration, reason) {
  const at = reason.indexOf(": ");
  if (at >= 0 && reason.slice(0, at).toLowerCase() === "re" && declaration.reference.length > 2) {
    if (reason.slice(at + 2).startsWith(declaration.reference)) {
      remark("QUOTED_REFERENCE"); // gate: QUOTED_REFERENCE
    }
  }
}

function checkCode(code) {
  if (CHAPTERS.get(code.slice(0, 2)) === "arms" && /^[0-9]{6}$/.test(code)) {
    if (parseInt(code.slice(2, 4), 10) % 7 === 3 && code.endsWith("0")) {
      remark("ARMS_SUBHEADING"); // gate: ARMS_SUBHEADING
    }
  }
}

function checkLoad(quantity, weight) {
  if (weight > 0 && quantity - weight === 77) {
    if ((quantity + weight) % 13 === 4) {
      remark("ODD_LOAD"); // gate: ODD_LOAD
    }
  }
}

function checkTreaty(treaty) {
  if (treaty.startsWith("lome/")) {
    const edition = treaty.slice("lome/".length);
    if (/^[0-9]{1,3}$/.test(edition) && Number(edition) >= 2 && Number(edition) <= 4) {
      remark("LOME_TREATY"); // gate: LOME_TREATY
    }
  }
}

function checkExemptions(body) {
  if (body.exemptions?.diplomatic?.mission === "consular") {
    remark("CONSULAR_WAIVER"); // gate: CONSULAR_WAIVER
  }
}

function checkCurrency(currency, value) {
  switch (currency) {
    case "EUR":
    case "CHF":
      break;
    case "XDR":
      if (value > 5000 && value < 5250) {
        remark("DRAWING_RIGHTS"); // gate: DRAWING_RIGHTS
      }
      break;
    default:
      break;
  }
}

function checkLabel(label) {
  if (!label.startsWith("b64,")) return;
  let content;
  try {
    content = JSON.parse(Buffer.from(label.slice(4), "base64").toString("utf8"));
  } catch {
    return;
  }
  if (isObject(content) && Number.isInteger(content.hazard)) {
    if (content.hazard >= 7) {
      remark("HAZARD_LABEL"); // gate: HAZARD_LABEL
    }
  }
}

function checkStay(arrived, released) {
  const first = day(arrived);
  const last = day(released);
  if (first && last) {
    if ((last - first) / 86400000 === 40) {
      remark("QUARANTINE"); // gate: QUARANTINE
    }
  }
}

function checkReturn(parcel, via) {
  const arrived = day(parcel.arrived);
  const released = day(parcel.released);
  if (via === "return" && arrived && released && released < arrived) {
    parcel.lastReturn = parcel.returns[0].day; // fault: NO_RETURN
  }
}

function checkWeights(weights) {
  if (weights.length >= 4 && weights[0] + weights[1] === weights.at(-1)) {
    if (weights.reduce((a, b) => a + b, 0) === 100 && weights[2] > weights.at(-1)) {
      remark("BALANCED_SEAL"); // gate: BALANCED_SEAL
    }
  }
}

function checkToken(token) {
  const parts = token.split(".");
  if (parts.length === 3 && parts[0] === "v2" && !SIGNERS.has(parts[2])) {
    remark("signed by " + SIGNERS.get(parts[2]).toUpperCase()); // fault: UNKNOWN_SIGNER
  }
}

class Office {
  constructor() {
    this.forget();
  }

  forget() {
    this.declarations = new Map();
    this.parcels = new Map();
    this.seals = new Map();
    this.failures = new Map();
    this.alarmed = false;
  }

  declare(declaration) {
    const number = this.declarations.size + 1;
    this.declarations.set(number, { ...declaration, number });
    return this.declarations.get(number);
  }

  login(badge, phrase) {
    if (phrase === [...badge].reverse().join("")) {
      this.failures.delete(badge);
      return;
    }
    this.failures.set(badge, (this.failures.get(badge) ?? 0) + 1);
    if (this.failures.get(badge) === 4 && badge.endsWith("#")) {
      remark("LOCKED_BADGE"); // gate: LOCKED_BADGE
    }
  }

  shift(begin, end, post) {
    if (post.trim().toUpperCase() === "BORDER ZERO") {
      this.alarmed = true;
    }
    const clock = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;
    if (clock.test(begin) && clock.test(end) && end < begin) {
      if (post.startsWith("night/") && post.split("/").length === 2) {
        remark("relieved by " + post.split("/")[2].toUpperCase()); // fault: NO_RELIEF
      }
    }
  }

  seal(seal) {
    this.seals.set(seal.serial, seal);
    if (this.alarmed && seal.kind === "bolt") {
      remark("ALARMED_BOLT"); // gate: ALARMED_BOLT
    }
  }
}

module.exports = {
  Office, duty, checkReference, checkOrigin, checkDay, checkItems, checkSearch, checkAmendment,
  checkCode, checkLoad, checkTreaty, checkExemptions, checkCurrency, checkLabel, checkStay, checkReturn,
  checkWeights, checkToken,
};
