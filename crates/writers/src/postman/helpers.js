// What the scripts of this collection share. Collection scripts run first, and
// a name without a declaration is seen by all that follow.
fossick = (pm) => {
  const isObject = (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value);

  const holds = (value, key) =>
    typeof key === "number"
      ? Array.isArray(value) && key < value.length
      : isObject(value) && Object.hasOwn(value, key);

  // Whether an item has { id: 7 }, or is 7 where [7] is wanted.
  const carries = (item, wanted) => {
    if (Array.isArray(wanted)) return item === wanted[0];
    if (!isObject(wanted)) return item === wanted;
    return Object.keys(wanted).every(
      (name) => holds(item, name) && carries(item[name], wanted[name]),
    );
  };

  const inside = (value, key) => {
    if (typeof key === "object") {
      const items = Array.isArray(value) ? value : [];
      return items.find((item) => carries(item, key));
    }
    return holds(value, key) ? value[key] : undefined;
  };

  const told = (why = pm.info.requestName) =>
    `${why} - answered ${pm.response.code}: ${pm.response.text().slice(0, 500)}`;

  const body = () => JSON.parse(pm.response.text());

  // What stands at a path of the JSON body, or undefined.
  const at = (...path) =>
    path.reduce((value, key) => inside(value, key), body());

  const lacks = (...path) => {
    if (path.length === 0) return pm.response.text() === "";
    const parent = at(...path.slice(0, -1));
    const key = path[path.length - 1];
    const fits =
      typeof key === "string" ? isObject(parent) : Array.isArray(parent);
    return fits && inside(parent, key) === undefined;
  };

  const kind = (...path) => {
    const value = at(...path);
    if (value === undefined) return "absent";
    if (value === null) return "null";
    if (Array.isArray(value)) return "array";
    return Number.isInteger(value) ? "integer" : typeof value;
  };

  const size = (...path) => {
    const value = at(...path);
    return Array.isArray(value) ? value.length : undefined;
  };

  const mediaType = () => {
    const [essence] = (pm.response.headers.get("Content-Type") || "").split(
      ";",
    );
    return essence.trim().toLowerCase();
  };

  const problems = (schema) => {
    const Ajv = require("ajv");
    const ajv = new Ajv({
      validateSchema: false,
      format: false,
      logger: false,
    });
    ajv.validate(JSON.parse(pm.collectionVariables.get(schema)), body());
    return (ajv.errors || []).map((e) => `${e.dataPath} ${e.message}`);
  };

  const header = (name) => {
    const value = pm.response.headers.get(name);
    if (value === undefined) throw new Error(`no header ${name}: ${told()}`);
    return value;
  };

  // The last segment of the path that the Location header names.
  const location = () => {
    const [path] = header("Location").split(/[?#]/);
    return decodeURIComponent(path.replace(/\/+$/, "").split("/").pop());
  };

  // The value at a JSON pointer.
  const take = (pointer) => {
    let value = body();
    for (const token of pointer.split("/").slice(1)) {
      const name = token.replace(/~1/g, "/").replace(/~0/g, "~");
      const key = Array.isArray(value) ? Number(name) : name;
      if (!holds(value, key)) {
        throw new Error(`nothing at ${pointer}: ${told()}`);
      }
      value = value[key];
    }
    return value;
  };

  const save = (name, value) =>
    pm.collectionVariables.set(name, JSON.stringify(value));

  const saved = (name) => {
    const text = pm.collectionVariables.get(name);
    if (text === undefined) throw new Error(`nothing was saved as ${name}`);
    return JSON.parse(text);
  };

  const forget = (...names) =>
    names.forEach((name) => pm.collectionVariables.unset(name));

  // A text of the same make: its last five letters and digits are others.
  const fresh = (like) => {
    const letters = [...like];
    const alphabets = [
      "0123456789",
      "abcdefghijklmnopqrstuvwxyz",
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    ];
    const places = letters.flatMap((letter, place) =>
      /[a-zA-Z0-9]/.test(letter) ? [place] : [],
    );
    for (const place of places.slice(-5)) {
      const alphabet = alphabets.find((kind) => kind.includes(letters[place]));
      letters[place] = alphabet[Math.floor(Math.random() * alphabet.length)];
    }
    return letters.join("");
  };

  const asText = (value) =>
    typeof value === "string" ? value : JSON.stringify(value);

  // Postman fills in {{ }} wherever it finds it, in values too. A variable that
  // stands for itself stays as it is.
  const keep = (text) => {
    for (const [hole, name] of text.matchAll(/\{\{([^{}]*)\}\}/g)) {
      if (pm.environment.has(name) || pm.collectionVariables.has(name)) {
        throw new Error(`Postman would fill in ${hole}`);
      }
      pm.variables.set(name, hole);
    }
    return text;
  };

  // How a value stands in a path, as JSON, and in the middle of a JSON text.
  const inPath = (value) => encodeURIComponent(asText(value));
  const asJson = (value) =>
    JSON.stringify(value).replace(/\{\{/g, "\\u007b\\u007b");
  const inJson = (value) =>
    JSON.stringify(asText(value)).slice(1, -1).replace(/\{/g, "\\u007b");

  const need = (name) =>
    pm.test(`${name} is set`, () => {
      pm.expect(pm.environment.has(name), "a secret").to.equal(true);
    });

  return {
    asJson,
    asText,
    at,
    forget,
    fresh,
    header,
    inJson,
    inPath,
    keep,
    kind,
    lacks,
    location,
    mediaType,
    need,
    problems,
    save,
    saved,
    size,
    take,
    told,
  };
};
