"use strict";
(() => {
  // Names and sentences come from strangers: they are only ever set as text.
  const data = JSON.parse(document.getElementById("data").textContent);
  const graph = data.graph;
  const get = (id) => document.getElementById(id);
  const stage = get("stage"), world = get("world"), panel = get("panel"), search = get("search");
  const KINDS = { produces: "answers with it", consumes: "takes it", equals: "mean the same", endpoint: "same endpoint" };
  const STATES = { told: "told by the document", added: "added by answers", removed: "removed", returned: "returned" };

  const make = (tag, text, className) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  };
  const plural = (count, noun) => count.toLocaleString("en") + " " + noun + (count === 1 ? "" : "s");

  // What is drawn, with what is known of it.
  const nodes = new Map();
  const node = (id, box, extra) => nodes.set(id, { id, box, element: get(id), edges: [], ...extra });
  graph.operations.forEach((o, at) => node("o" + at, data.pills[at], {
    operation: o, title: o.label, badge: data.badges[at], tint: data.tints[at],
    names: [o.label.toLowerCase(), (o.name || o.label).toLowerCase()], properties: [],
  }));
  graph.schemas.forEach((s, at) => node("s" + at, data.cards[at], {
    schema: s, title: s.name,
    names: [s.name.toLowerCase()], properties: s.properties.map((p) => (s.name + "." + p.name).toLowerCase()),
  }));
  const widen = (element) => {
    for (const line of element.querySelectorAll(".l")) {
      const hit = line.cloneNode();
      hit.setAttribute("class", "hit");
      hit.removeAttribute("stroke-width");
      element.append(hit);
    }
    return element;
  };
  const edges = graph.edges.map((edge, at) => {
    const element = widen(get("e" + at));
    const whole = { at, edge, element, ...data.edges[at] };
    nodes.get(whole.from).edges.push(whole);
    if (whole.to !== whole.from) nodes.get(whole.to).edges.push(whole);
    return whole;
  });
  // A large graph has clusters: what belongs together, and opens together.
  const clusters = data.clusters.map((cluster, at) => {
    const own = [...cluster.operations.map((o) => nodes.get("o" + o)), ...cluster.schemas.map((s) => nodes.get("s" + s))];
    for (const n of own) n.cluster = at;
    return { at, title: cluster.name, box: cluster.card, element: get("c" + at), nodes: own, bundles: [] };
  });
  const bundles = data.bundles.map((bundle, at) => {
    const whole = { at, ends: [clusters[bundle.one], clusters[bundle.other]], edges: bundle.edges.map((e) => edges[e]), element: widen(get("b" + at)) };
    for (const cluster of whole.ends) cluster.bundles.push(whole);
    return whole;
  });
  const run = graph.requests > 0 || edges.some((e) => e.edge.state !== "told");

  // Looking around.
  const view = { x: 0, y: 0, k: 1 };
  const apply = () => {
    world.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.k})`);
    stage.classList.toggle("faraway", view.k < 0.38);
    stage.style.setProperty("--far", Math.min(15 / view.k, 70) + "px");
  };
  const size = () => stage.getBoundingClientRect();
  let fitted = true;
  const show = ([x, y, width, height], most) => {
    fitted = false;
    const { width: w, height: h } = size();
    view.k = Math.max(0.01, Math.min(w / (width + 40), h / (height + 40), most));
    view.x = w / 2 - (x + width / 2) * view.k;
    view.y = h / 2 - (y + height / 2) * view.k;
    apply();
  };
  const isOverview = () => state.open === null;
  const isOpen = (n) => state.open === "all" || n.cluster === state.open;
  const fit = () => {
    if (isOverview()) show([0, 0, ...data.overview], 1.5);
    else if (state.open === "all") show([0, 0, data.width, data.height], 1.5);
    else show(union(clusters[state.open].nodes.map((n) => n.box)), 1.2);
    fitted = true;
  };
  const zoom = (factor, at) => {
    const box = size();
    const [px, py] = at || [box.width / 2, box.height / 2];
    fitted = false;
    const k = Math.max(0.02, Math.min(6, view.k * factor));
    view.x = px - (px - view.x) * (k / view.k);
    view.y = py - (py - view.y) * (k / view.k);
    view.k = k;
    apply();
  };
  const union = (boxes) => {
    const left = Math.min(...boxes.map((b) => b[0])), top = Math.min(...boxes.map((b) => b[1]));
    const right = Math.max(...boxes.map((b) => b[0] + b[2])), bottom = Math.max(...boxes.map((b) => b[1] + b[3]));
    return [left, top, right - left, bottom - top];
  };
  // With the neighbours, unless that is too much to read.
  const showAround = (some) => {
    const own = some.map((n) => n.box);
    const ends = some.flatMap((n) => n.edges.flatMap((e) => [nodes.get(e.from), nodes.get(e.to)]));
    const near = ends.filter(isOpen).map((n) => n.box);
    show(union([...own, ...near]), 1);
    if (view.k < 0.55) show(union(own), 1);
  };
  const isInView = ([x, y, width, height]) => {
    const { width: w, height: h } = size();
    const left = x * view.k + view.x, top = y * view.k + view.y;
    return left > 0 && top > 0 && left + width * view.k < w && top + height * view.k < h && view.k > 0.38;
  };

  // What is wanted, also in the address, so that a view can be passed on.
  const state = { before: false, hide: new Set(), badges: new Set(), least: 0, query: "", chosen: null,
    // The overview, a cluster by its place, or all.
    open: clusters.length ? null : "all" };
  // Names before properties, whole names before parts of them.
  const rank = (n, words) => {
    if (n.names.includes(words)) return 0;
    if (n.names.some((name) => name.includes(words))) return 1;
    return n.properties.some((name) => name.includes(words)) ? 2 : 3;
  };
  const ranked = () => {
    const words = state.query.trim().toLowerCase();
    if (!words) return [];
    return [...nodes.values()]
      .filter((n) => !n.element.classList.contains("gone"))
      .map((n) => ({ n, rank: rank(n, words) }))
      .filter((match) => match.rank < 3)
      .sort((a, b) => a.rank - b.rank);
  };
  const found = () => ranked().map((match) => match.n);
  const best = () => {
    const all = ranked();
    return all.filter((match) => match.rank === all[0].rank).map((match) => match.n);
  };

  const stateOf = (e) => state.before ? "told" : e.edge.state;
  const isShown = (e) => (!state.before || e.told)
    && !state.hide.has(e.edge.kind) && !state.hide.has(stateOf(e))
    && (state.before || e.edge.confidence >= state.least)
    && ![e.from, e.to].some((id) => nodes.get(id).element.classList.contains("gone"));
  const filter = () => {
    stage.classList.toggle("before", state.before);
    for (const n of nodes.values()) {
      const gone = n.operation ? state.badges.has(n.badge) : state.before && !n.schema.documented;
      n.element.classList.toggle("gone", gone);
      n.element.classList.toggle("shut", !isOpen(n));
    }
    stage.classList.toggle("overview", isOverview());
    stage.classList.toggle("many", state.open === "all" && edges.length > 120);
    let shown = 0;
    for (const e of edges) {
      const visible = isShown(e);
      shown += visible;
      for (const other of Object.keys(STATES)) e.element.classList.toggle("s-" + other, other === stateOf(e));
      e.element.classList.toggle("gone", !visible);
      e.element.classList.toggle("shut", ![e.from, e.to].every((id) => isOpen(nodes.get(id))));
    }
    for (const b of bundles) b.element.classList.toggle("gone", !b.edges.some((e) => !e.element.classList.contains("gone")));
    get("shown").textContent = `${plural(shown, "edge")} of ${edges.length.toLocaleString("en")} shown`;
    document.body.dataset.shown = shown;
  };

  const light = () => {
    const chosen = state.chosen && thing(state.chosen);
    const hot = new Set(), self = new Set();
    const matches = found();
    if (chosen && chosen.ends) {
      self.add(chosen.element);
      for (const cluster of chosen.ends) hot.add(cluster.element);
    } else if (chosen && chosen.box) {
      self.add(chosen.element);
      for (const e of chosen.edges) { hot.add(e.element); hot.add(nodes.get(e.from).element); hot.add(nodes.get(e.to).element); }
    } else if (chosen) {
      self.add(chosen.element);
      hot.add(nodes.get(chosen.from).element); hot.add(nodes.get(chosen.to).element);
    } else {
      const among = new Set(matches.map((n) => n.id));
      for (const n of matches) {
        hot.add(n.element);
        for (const e of n.edges) if (among.has(e.from) && among.has(e.to)) hot.add(e.element);
        if (clusters.length) hot.add(clusters[n.cluster].element);
      }
    }
    const matched = new Set(matches.map((n) => n.element));
    if (clusters.length) for (const n of matches) matched.add(clusters[n.cluster].element);
    const all = [...nodes.values(), ...edges, ...clusters, ...bundles];
    for (const { element } of all) {
      element.classList.toggle("hot", hot.has(element) || self.has(element));
      element.classList.toggle("self", self.has(element));
      element.classList.toggle("match", matched.has(element));
    }
    stage.classList.toggle("dim", hot.size + self.size > 0);
  };

  // The panel.
  const button = (text, tag, act) => {
    const item = make("li"), inner = make("button", text);
    inner.type = "button";
    if (tag) inner.append(make("span", tag, "tag " + tag));
    inner.addEventListener("click", act);
    item.append(inner);
    return item;
  };
  const list = (title, items) => {
    if (!items.length) return;
    panel.append(make("h3", title));
    const element = make("ul");
    element.append(...items);
    panel.append(element);
  };
  const edgeItem = (e) => button(e.text, stateOf(e), () => choose("e" + e.at));
  const nodeItem = (n) => button(n.title, "", () => choose(n.id, true));
  const clusterItem = (cluster, count) => button(count ? `${cluster.title} · ${plural(count, "edge")}` : cluster.title, "", () => open(cluster.at));
  const tell = (text) => panel.append(make("p", text));
  const close = () => {
    const button = make("button", "close", "close");
    button.type = "button";
    button.addEventListener("click", clear);
    panel.append(button);
  };
  const showNode = (n) => {
    panel.append(make("h2", n.title));
    if (n.operation) {
      if (n.operation.name) tell(n.operation.name);
      if (!state.before && n.operation.calls) tell(`${n.operation.successes.toLocaleString("en")} of ${plural(n.operation.calls, "call")} answered 2xx`);
    } else {
      tell(n.schema.documented ? "a schema of the document" : "not in the document; answers showed it");
      panel.append(make("h3", plural(n.schema.properties.length, "property").replace("propertys", "properties")));
      const table = make("table");
      for (const p of n.schema.properties) {
        const row = make("tr");
        row.append(make("td", p.name), make("td", p.kind));
        table.append(row);
      }
      panel.append(table);
    }
    for (const [kind, words] of Object.entries(KINDS)) {
      list(kind + ": " + words, n.edges.filter((e) => e.edge.kind === kind && !e.element.classList.contains("gone")).map(edgeItem));
    }
  };
  const showEdge = (e) => {
    panel.append(make("h2", e.text));
    const line = make("p", e.edge.kind + ": " + KINDS[e.edge.kind]);
    line.append(make("span", stateOf(e), "tag " + stateOf(e)));
    panel.append(line);
    if (!state.before) {
      const tried = e.edge.worked + e.edge.failed;
      tell(tried ? `worked ${e.edge.worked} of ${tried} times` : "not tried yet");
      const bar = make("div", undefined, "bar"), fill = make("i");
      fill.style.width = e.edge.confidence * 100 + "%";
      bar.append(fill);
      panel.append(bar);
    }
    panel.append(make("h3", "Evidence"));
    const events = e.edge.history.filter((event) => !state.before || event.after === 0);
    if (!events.length) tell("nothing is noted");
    const items = make("ol");
    for (const event of events) {
      const item = make("li", undefined, "event");
      item.append(make("b", event.after ? `after ${plural(event.after, "request")}` : "the document"), make("span", event.why));
      items.append(item);
    }
    panel.append(items);
    list("Ends", [nodes.get(e.from), nodes.get(e.to)].map(nodeItem));
  };
  const visible = (some) => some.filter((e) => !e.element.classList.contains("gone"));
  const showBundle = (b) => {
    panel.append(make("h2", b.ends.map((cluster) => cluster.title).join(" – ")));
    list("Open", b.ends.map((cluster) => clusterItem(cluster)));
    const own = visible(b.edges);
    list(plural(own.length, "edge"), own.slice(0, 200).map(edgeItem));
  };
  const showCluster = (cluster) => {
    panel.append(make("h2", cluster.title));
    const operations = cluster.nodes.filter((n) => n.operation), schemas = cluster.nodes.filter((n) => n.schema);
    const well = operations.filter((n) => n.operation.successes).length;
    if (run && !state.before) tell(`${well} of ${plural(operations.length, "operation")} answered 2xx`);
    const near = cluster.bundles
      .map((b) => [b.ends.find((other) => other !== cluster), visible(b.edges).length])
      .filter(([, count]) => count)
      .sort((a, b) => b[1] - a[1]);
    list("joined to", near.map(([other, count]) => clusterItem(other, count)));
    list(plural(operations.length, "operation"), operations.map(nodeItem));
    list(plural(schemas.length, "schema"), schemas.map(nodeItem));
  };
  const describe = () => {
    panel.replaceChildren();
    const matches = found();
    const count = matches.length;
    get("found").textContent = state.query.trim() ? (count ? plural(count, "match").replace("matchs", "matches") : "no match") : "";
    document.body.dataset.matches = count;
    document.body.dataset.chosen = state.chosen || "";
    document.body.dataset.open = isOverview() ? "" : state.open === "all" ? "all" : clusters[state.open].title;
    const inside = typeof state.open === "number";
    panel.hidden = !state.chosen && !count && !inside;
    if (panel.hidden) return;
    close();
    if (state.chosen) {
      const it = thing(state.chosen);
      if (it.ends) showBundle(it); else if (it.box) showNode(it); else showEdge(it);
    } else if (!count) {
      showCluster(clusters[state.open]);
    } else {
      list(get("found").textContent, matches.slice(0, 200).map(nodeItem));
    }
  };

  const render = () => { filter(); describe(); light(); press(); remember(); };
  const thing = (id) => {
    if (nodes.has(id)) return nodes.get(id);
    if (!/^[eb]\d+$/.test(id)) return undefined;
    return (id[0] === "e" ? edges : bundles)[Number(id.slice(1))];
  };
  const open = (which) => {
    state.open = which;
    state.chosen = null;
    render();
    fit();
  };
  // The cluster of what is chosen opens, if it is in one.
  const openFor = (it) => {
    const own = it.box ? [it] : it.ends ? [] : [nodes.get(it.from), nodes.get(it.to)];
    const shut = own.length && !own.every(isOpen) && own.every((n) => n.cluster === own[0].cluster);
    if (shut) state.open = own[0].cluster;
    return shut;
  };
  const choose = (id, go) => {
    const it = thing(id), opened = openFor(it);
    state.chosen = id;
    render();
    if (opened || (go && it.box && !isInView(it.box))) showAround(it.box ? [it] : [nodes.get(it.from), nodes.get(it.to)]);
  };
  const clear = () => {
    if (state.chosen) state.chosen = null;
    else if (state.query) { state.query = ""; search.value = ""; }
    else if (typeof state.open === "number") { open(null); return; }
    render();
  };
  let turn = -1;
  const seek = (text) => {
    state.query = text;
    state.chosen = null;
    turn = -1;
    render();
    const near = best().filter(isOpen);
    if (near.length) show(union(near.map((n) => n.box)), 1.1);
  };
  const step = (by) => {
    const matches = found();
    if (!matches.length) return;
    turn = (turn + by + matches.length) % matches.length;
    const n = matches[turn];
    choose(n.id);
    show(union([n.box]), 1.1);
  };

  const remember = () => {
    const parts = [];
    if (state.query) parts.push("q=" + encodeURIComponent(state.query));
    if (state.before) parts.push("before");
    if (state.hide.size) parts.push("hide=" + [...state.hide].join(","));
    if (state.least) parts.push("least=" + state.least);
    if (state.open === "all" && clusters.length) parts.push("all");
    if (typeof state.open === "number") parts.push("open=" + encodeURIComponent(clusters[state.open].title));
    if (state.chosen) parts.push("show=" + state.chosen);
    const hash = "#" + parts.join("&");
    if (hash !== (location.hash || "#")) history.replaceState(null, "", hash);
  };
  const recall = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    state.before = run && wanted.has("before");
    state.hide = new Set((wanted.get("hide") || "").split(",").filter((part) => part in KINDS || part in STATES));
    state.least = Math.max(0, Math.min(1, Number(wanted.get("least")) || 0));
    state.query = search.value = wanted.get("q") || "";
    state.chosen = thing(wanted.get("show") || "") ? wanted.get("show") : null;
    const opened = clusters.findIndex((cluster) => cluster.title === wanted.get("open"));
    state.open = !clusters.length || wanted.has("all") ? "all" : opened < 0 ? null : opened;
    if (state.chosen) openFor(thing(state.chosen));
    get("least").value = state.least;
    get("least-value").textContent = state.least.toFixed(2);
    boxes.forEach((set) => set());
    press();
    const { query, chosen } = state;
    render();
    const it = chosen && thing(chosen);
    if (it && !it.ends && !isOverview()) showAround(it.box ? [it] : [nodes.get(it.from), nodes.get(it.to)]);
    else { fit(); if (query && !it) seek(query); }
  };

  // Filters.
  const boxes = [];
  const swatch = (className, wide) => {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg"), line = document.createElementNS(space, "path");
    svg.setAttribute("width", 34); svg.setAttribute("height", 12); svg.setAttribute("class", className); svg.setAttribute("aria-hidden", "true");
    line.setAttribute("class", "l"); line.setAttribute("d", "M2 6H32"); line.setAttribute("stroke-width", wide);
    svg.append(line);
    return svg;
  };
  const check = (into, text, count, picture, set, name) => {
    if (!count) return;
    const label = make("label"), box = make("input");
    box.type = "checkbox";
    box.checked = !set().has(name);
    box.addEventListener("change", () => { if (box.checked) set().delete(name); else set().add(name); render(); });
    boxes.push(() => { box.checked = !set().has(name); });
    label.append(box);
    if (picture) label.append(picture);
    label.append(make("span", text), make("span", count.toLocaleString("en"), "count"));
    get(into).append(label);
  };
  const countEdges = (fits) => edges.filter(fits).length;
  for (const kind of Object.keys(KINDS)) {
    check("kinds", kind, countEdges((e) => e.edge.kind === kind), swatch(`k-${kind} s-told`, kind === "equals" ? 3.2 : 1.8), () => state.hide, kind);
  }
  for (const name of Object.keys(STATES)) {
    check("states", name, countEdges((e) => e.edge.state === name), swatch(`k-consumes s-${name}`, 1.8), () => state.hide, name);
  }
  for (const badge of [...new Set(data.badges)].sort()) {
    check("methods", badge, data.badges.filter((own) => own === badge).length, null, () => state.badges, badge);
  }

  // Hands.
  const press = () => {
    get("was").setAttribute("aria-pressed", state.before);
    get("is").setAttribute("aria-pressed", !state.before);
    get("over").setAttribute("aria-pressed", isOverview());
    get("whole").setAttribute("aria-pressed", state.open === "all");
    const cluster = clusters[state.open];
    get("opened").hidden = !cluster;
    get("opened").textContent = cluster ? cluster.title : "";
  };
  const turnTo = (before) => { state.before = run && before; press(); render(); };
  get("when").hidden = !run;
  get("was").addEventListener("click", () => turnTo(true));
  get("is").addEventListener("click", () => turnTo(false));
  get("levels").hidden = get("levels-hint").hidden = !clusters.length;
  get("over").addEventListener("click", () => open(null));
  get("opened").addEventListener("click", () => open(state.open));
  get("whole").addEventListener("click", () => open("all"));
  get("fit").addEventListener("click", fit);
  get("in").addEventListener("click", () => zoom(1.3));
  get("out").addEventListener("click", () => zoom(1 / 1.3));
  get("least").addEventListener("input", (event) => {
    state.least = Number(event.target.value);
    get("least-value").textContent = state.least.toFixed(2);
    render();
  });
  search.addEventListener("input", () => seek(search.value));
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); step(event.shiftKey ? -1 : 1); }
    if (event.key === "Escape") { event.preventDefault(); clear(); search.blur(); }
  });
  const idOf = (target) => {
    const element = target.closest && target.closest(".n, .e, .c, .b");
    return element ? element.id : null;
  };
  const touch = (id) => { if (id[0] === "c") open(Number(id.slice(1))); else choose(id); };
  const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
    const id = idOf(event.target);
    if ((event.key === "Enter" || event.key === " ") && id) touch(id);
    else if (event.key === "o" && clusters.length) open(null);
    else if (event.key === "a" && clusters.length) open("all");
    else if (event.key === "/") search.focus();
    else if (event.key === "Escape") clear();
    else if (event.key === "+" || event.key === "=") zoom(1.3);
    else if (event.key === "-") zoom(1 / 1.3);
    else if (event.key === "0") fit();
    else if (event.key === "b") turnTo(!state.before);
    else if (moves[event.key] && !event.target.closest("aside")) { fitted = false; view.x += moves[event.key][0]; view.y += moves[event.key][1]; apply(); }
    else return;
    event.preventDefault();
  });
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = size();
    zoom(Math.exp(-event.deltaY * 0.0015), [event.clientX - box.left, event.clientY - box.top]);
  }, { passive: false });
  const fingers = new Map();
  let moved = 0;
  stage.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    moved = 0;
  });
  stage.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const now = [event.clientX, event.clientY];
    const apart = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
    const before = fingers.size === 2 ? apart() : 0;
    fingers.set(event.pointerId, now);
    moved += Math.hypot(now[0] - last[0], now[1] - last[1]);
    if (moved > 4) { stage.setPointerCapture(event.pointerId); stage.classList.add("drag"); }
    if (fingers.size === 2 && before > 0) {
      const box = size(), [a, b] = [...fingers.values()];
      zoom(apart() / before, [(a[0] + b[0]) / 2 - box.left, (a[1] + b[1]) / 2 - box.top]);
    } else if (moved > 4) { fitted = false; view.x += now[0] - last[0]; view.y += now[1] - last[1]; apply(); }
  });
  for (const name of ["pointerup", "pointercancel"]) {
    stage.addEventListener(name, (event) => { fingers.delete(event.pointerId); stage.classList.remove("drag"); });
  }
  stage.addEventListener("click", (event) => {
    if (moved > 4) return;
    const id = idOf(event.target);
    if (id) touch(id); else if (state.chosen) clear();
  });
  const hover = (over) => (event) => {
    const id = idOf(event.target) || "";
    const cluster = id[0] === "c" && clusters[Number(id.slice(1))];
    const lines = cluster ? cluster.bundles : (nodes.get(id) || { edges: [] }).edges;
    for (const line of lines) line.element.classList.toggle("over", over);
  };
  stage.addEventListener("pointerover", hover(true));
  stage.addEventListener("pointerout", hover(false));
  for (const n of [...nodes.values(), ...clusters]) {
    n.element.setAttribute("tabindex", "0");
    n.element.setAttribute("role", "button");
    n.element.setAttribute("aria-label", n.title);
    n.element.addEventListener("focus", () => { if (n.element.matches(":focus-visible") && !isInView(n.box)) show(n.box, 1); });
  }
  stage.style.setProperty("--faint", Math.max(0.1, Math.min(0.35, 200 / edges.length)));
  window.addEventListener("hashchange", recall);
  window.addEventListener("resize", () => { if (fitted) fit(); });
  recall();
  document.body.dataset.ready = "yes";
})();
