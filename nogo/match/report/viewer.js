"use strict";
/* Steps through recorded games. It knows no rules: what every move changes on the board stands in the page. */
(() => {
  const data = JSON.parse(document.getElementById("games-data").textContent);
  const find = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const HOLE = 15;
  const SIDES = ["first", "second"];
  let game = null; // what is shown now, see opened()
  let ply = 0;
  let timer = 0;

  // ---- small helpers ----

  function drawn(name, attributes, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  function made(name, className, ...children) {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...children);
    return element;
  }

  const isolated = (text) => made("bdi", "", text);
  const address = (number, move) => `#game=${number}&move=${move}`;
  const time = (seconds) => (seconds < 0.1 ? `${(1000 * seconds).toFixed(1)} ms` : `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`);
  const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

  // ---- a game from its record ----

  function cellsOf(digits) {
    return Array.from(digits, (digit) => parseInt(digit, 16));
  }

  function changed(cells, change) {
    const after = cells.slice();
    for (let at = 0; at + 2 < change.length; at += 3)
      after[parseInt(change.slice(at, at + 2), 16)] = parseInt(change[at + 2], 16);
    return after;
  }

  function opened(record) {
    const boards = [cellsOf(record.b)];
    const moves = record.m ? record.m.split(" ") : [];
    if (moves.length) for (const change of record.d.split(" ")) boards.push(changed(boards[boards.length - 1], change));
    return { record, boards, moves, board: data.boards[record.g], names: record.p.map((player) => data.names[player]) };
  }

  /** What the first player may expect after a move, from 0 to 1, or null where nobody said. */
  function firstValue(at) {
    const value = game.record.v[at];
    if (value === null || game.record.k[at] === 0) return null; // what was not looked at promises nothing
    return game.record.w[at] === "1" ? 1 - value : value;
  }

  // ---- what has happened ----

  function resultOf(record) {
    const [kind, winner] = record.e;
    if (data.ends[kind] === "void") return "void";
    return winner === null ? "draw" : `${data.boards[record.g].players[winner]} wins`;
  }

  function moverOf(at) {
    return game.record.w[at] === "c" ? null : Number(game.record.w[at]);
  }

  function toMove() {
    return ply < game.moves.length ? moverOf(ply) : undefined;
  }

  function thoughts(at) {
    const { record } = game;
    const said = [];
    if (at < record.o) said.push("opening");
    if (record.t[at] !== null) said.push(time(record.t[at]));
    if (record.k[at] !== null) said.push(plural(record.k[at], "playout"));
    if (record.v[at] !== null) said.push(`value ${record.v[at].toFixed(3)}`);
    return said.join(" · ");
  }

  function told(at) {
    if (at === 0) return "Start";
    const mover = moverOf(at - 1);
    const move = game.moves[at - 1];
    const who = mover === null ? "The die" : game.board.players[mover];
    return `${who} ${move}`;
  }

  // ---- the board ----

  const UNIT = 20;
  const place = (cell, columns) => [(cell % columns + 0.5) * UNIT, (Math.floor(cell / columns) + 0.5) * UNIT];

  function labels(board) {
    const width = board.columns.length * UNIT, height = board.rows.length * UNIT;
    const layer = drawn("g", { class: "labels" });
    board.columns.forEach((label, column) => {
      layer.append(drawn("text", { x: (column + 0.5) * UNIT, y: height + 9 }, label));
    });
    board.rows.forEach((label, row) => {
      layer.append(drawn("text", { x: -6.5, y: (row + 0.5) * UNIT }, label));
    });
    return [layer, width, height];
  }

  function lines(cells, columns) {
    const layer = drawn("g", { class: "lines" });
    const solid = (cell) => cells[cell] !== undefined && cells[cell] !== HOLE;
    cells.forEach((content, cell) => {
      if (content === HOLE) return;
      const [x, y] = place(cell, columns);
      if ((cell + 1) % columns && solid(cell + 1)) layer.append(drawn("path", { d: `M${x} ${y}h${UNIT}` }));
      if (solid(cell + columns)) layer.append(drawn("path", { d: `M${x} ${y}v${UNIT}` }));
    });
    return layer;
  }

  function squares(cells, columns) {
    const layer = drawn("g", { class: "squares" });
    cells.forEach((_, cell) => {
      const [x, y] = place(cell, columns);
      layer.append(drawn("rect", { x: x - UNIT / 2 + 0.3, y: y - UNIT / 2 + 0.3, width: UNIT - 0.6, height: UNIT - 0.6, rx: 1 }));
    });
    return layer;
  }

  function holes(cells, columns) {
    const layer = drawn("g", { class: "holes" });
    cells.forEach((content, cell) => {
      if (content !== HOLE) return;
      const [x, y] = place(cell, columns);
      layer.append(drawn("rect", { x: x - 8.2, y: y - 8.2, width: 16.4, height: 16.4, rx: 3.5 }));
    });
    return layer;
  }

  function goals(cells, columns) {
    const layer = drawn("g", { class: "goals" });
    [["second", 0], ["first", cells.length - 1]].forEach(([side, cell]) => {
      const [x, y] = place(cell, columns);
      layer.append(drawn("rect", { class: side, x: x - 8.5, y: y - 8.5, width: 17, height: 17, rx: 2 }));
    });
    return layer;
  }

  const GROUNDS = {
    nogo: (cells, columns) => [lines(cells, columns), holes(cells, columns)],
    othello: (cells, columns) => [squares(cells, columns)],
    einstein: (cells, columns) => [squares(cells, columns), goals(cells, columns)],
  };

  function stone(content, x, y) {
    return [drawn("circle", { class: `stone ${SIDES[content - 1]}`, cx: x, cy: y, r: 8.7 })];
  }

  function cube(content, x, y, board) {
    const side = SIDES[content > 6 ? 1 : 0];
    const box = drawn("rect", { class: `cube ${side}`, x: x - 7.4, y: y - 7.4, width: 14.8, height: 14.8, rx: 3 });
    return [box, drawn("text", { class: "number", x, y: y + 0.3 }, board.symbols[content].slice(1))];
  }

  /** Rings what a move has put down, dots what it has turned over, outlines where it came from. */
  function marks(before, after, columns) {
    const layer = drawn("g", { class: "marks" });
    const put = [], left = [], other = [];
    after.forEach((content, cell) => {
      if (content === before[cell]) return;
      if (content === 0) left.push(cell);
      else if (before[cell] === 0) put.push(cell);
      else other.push(cell);
    });
    const moved = left.length > 0;
    for (const cell of moved ? [...put, ...other] : put) layer.append(mark("put", cell, after, columns));
    for (const cell of moved ? [] : other) layer.append(mark("turned", cell, after, columns));
    for (const cell of left) layer.append(mark("left", cell, after, columns));
    return layer;
  }

  function mark(kind, cell, cells, columns) {
    const [x, y] = place(cell, columns);
    if (kind === "left" || game.board.family === "einstein")
      return drawn("rect", { class: kind, x: x - 8.9, y: y - 8.9, width: 17.8, height: 17.8, rx: 3.5 });
    return drawn("circle", { class: `${kind} on-${SIDES[cells[cell] - 1]}`, cx: x, cy: y, r: kind === "put" ? 4 : 1.9 });
  }

  function spoken(cells) {
    const groups = game.board.players.map((player, side) => {
      const names = [];
      cells.forEach((content, cell) => {
        if (!content || content === HOLE) return;
        const owner = game.board.family === "einstein" ? Number(content > 6) : content - 1;
        if (owner === side) names.push(pointName(cell) + (content > 2 ? ` ${game.board.symbols[content]}` : ""));
      });
      return `${player}: ${names.join(", ") || "none"}`;
    });
    return `${game.board.name} after move ${ply}. ${groups.join("; ")}`;
  }

  function pointName(cell) {
    const { columns, rows } = game.board;
    return `${columns[cell % columns.length]}${rows[Math.floor(cell / columns.length)]}`;
  }

  function drawBoard() {
    const { board } = game;
    const columns = board.columns.length;
    const cells = game.boards[ply];
    const [layer, width, height] = labels(board);
    const field = drawn("rect", { class: "field", x: 0, y: 0, width, height, rx: 4 });
    const pieces = drawn("g", { class: "pieces" });
    cells.forEach((content, cell) => {
      if (!content || content === HOLE) return;
      const [x, y] = place(cell, columns);
      pieces.append(...(board.family === "einstein" ? cube(content, x, y, board) : stone(content, x, y)));
    });
    const svg = find("board");
    svg.setAttribute("class", `board ${board.family}`);
    svg.setAttribute("viewBox", `-13 -3 ${width + 16} ${height + 16}`);
    svg.setAttribute("aria-label", spoken(cells));
    svg.replaceChildren(field, layer, ...GROUNDS[board.family](cells, columns), pieces);
    if (ply > 0) svg.append(marks(game.boards[ply - 1], cells, columns));
  }

  // ---- beside the board ----

  function drawPlayers() {
    const { record, board, names } = game;
    const [kind, winner] = record.e;
    const over = ply === game.moves.length;
    find("players").replaceChildren(...names.map((name, side) => {
      const card = made("div", `player ${SIDES[side]} ${board.family}`);
      card.append(made("span", "chip"), made("span", "side", board.players[side]), isolated(name));
      card.classList.toggle("over", over);
      if (over && data.ends[kind] !== "void") card.append(made("span", "points", winner === null ? "½" : String(Number(winner === side))));
      else if (toMove() === side) card.append(made("span", "turn", "to move"));
      if (toMove() === side) card.classList.add("moves");
      return card;
    }));
  }

  function drawSaid() {
    const { record } = game;
    const last = ply === game.moves.length;
    const line = made("p", "", made("strong", "", told(ply)));
    const said = [line];
    if (ply > 0) said.push(made("p", "soft", thoughts(ply - 1)));
    const die = record.z[ply];
    if (die && die !== "-") line.append(made("span", "die", made("span", "soft", "die "), made("b", "", die)));
    if (last) said.push(made("p", `end ${data.ends[record.e[0]].replace(/ /g, "-")}`,
      made("strong", "", resultOf(record)), ` · ${data.ends[record.e[0]]}: `, isolated(record.e[2])));
    find("said").replaceChildren(...said);
    find("position").textContent = `${ply} / ${game.moves.length}`;
  }

  function drawSlider() {
    const slider = find("slider");
    slider.max = game.moves.length;
    slider.value = ply;
    slider.setAttribute("aria-valuetext", `move ${ply} of ${game.moves.length}: ${told(ply)}`);
    // Not disabled: a button that is would drop the focus, and with it the keys.
    for (const id of ["to-start", "back"]) find(id).setAttribute("aria-disabled", String(ply === 0));
    for (const id of ["forward", "to-end"]) find(id).setAttribute("aria-disabled", String(ply === game.moves.length));
  }

  function drawValues() {
    const width = Math.max(game.moves.length, 1);
    const views = SIDES.map((_, side) => game.moves.map((__, at) => [at + 1, moverOf(at) === side ? firstValue(at) : null])
      .filter(([, value]) => value !== null));
    find("values-box").hidden = views.every((points) => points.length === 0);
    const path = (points) => points.map(([x, value], at) =>
      `${at ? "L" : "M"}${(x / width * 300).toFixed(1)} ${(60 - value * 60).toFixed(1)}`).join("");
    const here = ply / width * 300;
    find("values").replaceChildren(
      drawn("path", { class: "half", d: "M0 30H300" }),
      ...views.map((points, side) => drawn("path", { class: `line ${SIDES[side]}`, d: path(points) || "M0 0" })),
      drawn("path", { class: "here", d: `M${here} 0V60` }),
    );
    const [first, second] = game.board.players;
    find("values-label").replaceChildren(`What ${first} may expect, as seen by `,
      made("span", "s1", first), " and ", made("span", "s2", second));
  }

  function listMoves() {
    const { record } = game;
    find("moves").replaceChildren(...game.moves.map((move, at) => {
      const link = made("a", `${record.w[at] === "c" ? "chance" : SIDES[record.w[at]]}${at < record.o ? " opening" : ""}`, move);
      link.href = address(record.n, at + 1);
      link.title = `${at + 1}. ${thoughts(at)}`;
      return made("li", "", link);
    }));
  }

  function markCurrent(list, current) {
    for (const old of list.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    if (!current) return list.scrollTo(0, 0);
    current.setAttribute("aria-current", "true");
    const top = current.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = top - list.clientHeight / 2;
  }

  // ---- the list of games ----

  function searchable(record) {
    return [record.n, ...record.p.map((player) => data.names[player]), data.boards[record.g].name,
      data.ends[record.e[0]], resultOf(record), record.e[2]].join(" ").toLowerCase();
  }

  function listGames() {
    const entries = data.games.map((record) => {
      const link = made("a", `game ${data.ends[record.e[0]] === "finished" || data.ends[record.e[0]] === "resigned" ? "" : "spoilt"}`);
      link.href = `#game=${record.n}`;
      const names = made("span", "names", isolated(data.names[record.p[0]]), made("span", "soft", " – "), isolated(data.names[record.p[1]]));
      const about = [resultOf(record), plural(record.w.length, "move")];
      if (record.e[0] && data.ends[record.e[0]] !== "void") about.push(data.ends[record.e[0]]);
      link.append(made("span", "number", String(record.n)), names, made("span", "about", about.join(" · ")));
      const entry = made("li", "", link);
      entry.dataset.game = record.n;
      entry.dataset.words = searchable(record);
      return entry;
    });
    find("games").replaceChildren(...entries);
    filter();
  }

  function filter() {
    const words = find("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const entry of find("games").children) {
      entry.hidden = !words.every((word) => entry.dataset.words.includes(word));
      shown += Number(!entry.hidden);
    }
    find("found").textContent = plural(shown, "game");
  }

  // ---- going places ----

  function show(next) {
    ply = Math.max(0, Math.min(next, game.moves.length));
    drawBoard();
    drawPlayers();
    drawSaid();
    drawSlider();
    drawValues();
    markCurrent(find("moves"), ply ? find("moves").children[ply - 1].firstChild : null);
    if (ply === game.moves.length) pause();
  }

  function open(record) {
    if (!game || game.record !== record) {
      game = opened(record);
      listMoves();
      const entry = Array.from(find("games").children).find((each) => Number(each.dataset.game) === record.n);
      markCurrent(find("games"), entry.firstChild);
      const heading = find("game-name");
      heading.textContent = `Game ${record.n}, ${game.board.name}`;
    }
  }

  /** Steps, and lets the address follow, so that it can be copied. */
  function go(next) {
    show(next);
    try {
      history.replaceState(null, "", address(game.record.n, ply));
    } catch {
      /* some browsers refuse it for files; the link to the position is then not in the address bar */
    }
  }

  function fromAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const record = data.games.find((each) => String(each.n) === asked.get("game"));
    const missing = asked.has("game") && !record;
    find("missing").hidden = !missing;
    if (missing) find("missing").textContent = `Game ${asked.get("game").slice(0, 20)} is not in this viewer.`;
    open(record || game?.record || data.games[0]);
    const move = parseInt(asked.get("move"), 10);
    show(Number.isNaN(move) || !record ? game.moves.length : move);
    return asked.has("game");
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    find("play").setAttribute("aria-pressed", "false");
  }

  function play() {
    if (timer) return pause();
    if (ply === game.moves.length) go(0);
    find("play").setAttribute("aria-pressed", "true");
    timer = setInterval(() => go(ply + 1), 600);
  }

  const KEYS = { ArrowLeft: () => ply - 1, ArrowRight: () => ply + 1, Home: () => 0, End: () => game.moves.length,
    PageUp: () => ply - 10, PageDown: () => ply + 10 };

  function pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in KEYS)) return;
    const target = event.target;
    if (target.matches("input[type=search], input[type=range]")) return;
    const inside = find("viewer").contains(target);
    if (!inside && !event.key.startsWith("Arrow")) return; // the page's own way to scroll
    event.preventDefault();
    pause();
    go(KEYS[event.key]());
  }

  function begin() {
    if (!data.games.length) return;
    const buttons = { "to-start": () => 0, back: () => ply - 1, forward: () => ply + 1, "to-end": () => game.moves.length };
    for (const [id, next] of Object.entries(buttons)) find(id).addEventListener("click", () => { pause(); go(next()); });
    find("play").addEventListener("click", play);
    find("slider").addEventListener("input", (event) => { pause(); go(Number(event.target.value)); });
    find("filter").addEventListener("input", filter);
    find("values").addEventListener("click", (event) => {
      const box = find("values").getBoundingClientRect();
      go(Math.round((event.clientX - box.left) / box.width * game.moves.length));
    });
    document.addEventListener("keydown", pressed);
    window.addEventListener("hashchange", () => { pause(); fromAddress(); });
    listGames();
    find("viewer").hidden = false;
    if (fromAddress()) find("viewer").scrollIntoView();
  }

  begin();
})();
