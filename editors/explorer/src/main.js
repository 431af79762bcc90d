// The page of `brook explore`: a source beside what it becomes.
import { ask, latest, Refused, takeToken } from "./api.js";
import { byId, element } from "./dom.js";
import { annotate, link, normal, outputEditor, setText, sourceEditor } from "./editors.js";
import { launchPanel } from "./launch.js";
import * as links from "./link.js";
import { showMessages } from "./messages.js";
import { nextTheme, theme } from "./theme.js";

const NAMES = { cuda: "CUDA", hip: "HIP", opencl: "OpenCL", openmp: "OpenMP", metal: "Metal", sycl: "SYCL" };
const SWITCH_WORDS = {
  no_widen: "one iteration an item",
  no_auto_barriers: "no implied barriers",
  contract: "contract sums of products (Brook+)",
  relaxed: "relaxed checking (Brook+)",
  brookgpu: "BrookGPU's rules",
};

takeToken();
/// What there is: files and backends.
let there = { files: [], backends: [] };
/// What is shown; its file is the one whose text is in the editor.
let shown = { ...links.read(location.hash), file: null };
/// The file that is to be shown next.
let wanted = null;
/// The source as its file has it.
let disk = { stamp: null, text: null };
/// The last answers, of what the editors show now.
let looked = null;
const outputs = new Map();

const { view: editor, show: showText } = sourceEditor(byId("source"), {
  changed() {
    keep();
    look();
    if (isOpen("launch")) launch.run();
  },
  pointed: fromSource,
  hover: (line, column) => quietly(() => ask("hover", { ...question(), line, column })),
  complete,
});

const launch = launchPanel({
  editor,
  question,
  complain,
  wanted: () => ({ kernel: shown.kernel, arguments: shown.arguments }),
  want(what) {
    Object.assign(shown, what);
    store();
    launch.run();
  },
});

function question() {
  return { file: shown.file, text: editor.state.doc.toString(), options: shown.options };
}

/// What the page can do without.
async function quietly(job) {
  try {
    return await job();
  } catch {
    return null;
  }
}

// Saying what is wrong with the page itself.

function complain(error) {
  if (!(error instanceof Refused)) throw error;
  const hint = error.status === 401 ? " Open that one; it is good for this link afterwards." : "";
  byId("trouble").textContent = error.message + hint;
  byId("trouble").hidden = false;
}

function calm() {
  byId("trouble").hidden = true;
}

// Translating while somebody types.

const look = latest("look", async () => {
  if (!shown.file) return;
  const start = performance.now();
  const asked = question();
  let answer;
  try {
    answer = await ask("look", { ...asked, backends: shown.backends, part: shown.part });
    calm();
  } catch (error) {
    complain(error);
    return;
  }
  // What somebody has typed since has an answer of its own.
  if (asked.text !== editor.state.doc.toString() || asked.file !== shown.file) return;
  looked = answer;
  showOutputs();
  const messages = allMessages();
  annotate(editor, { ...answer, messages });
  showMessages(editor, messages);
  const all = performance.now() - start;
  byId("time").textContent = `${(answer.microseconds / 1000).toFixed(1)} ms`;
  byId("time").title = `${all.toFixed(1)} ms until it was shown`;
  document.body.dataset.latency = all.toFixed(2);
});

/// The source's messages, and those that only some backends have.
function allMessages() {
  const key = (m) => [m.code, m.message, JSON.stringify(m.at)].join("|");
  const known = new Map(looked.messages.map((m) => [key(m), { ...m }]));
  for (const output of looked.outputs) {
    for (const message of output?.messages ?? []) {
      const name = NAMES[output.backend] ?? output.backend;
      const same = known.get(key(message));
      if (!same) known.set(key(message), { ...message, only: [name] });
      else if (same.only) same.only.push(name);
    }
  }
  return [...known.values()];
}

function showOutputs() {
  for (const output of looked.outputs) {
    const pane = output && outputs.get(output.backend);
    if (!pane) continue;
    const errors = output.messages.filter((m) => m.severity === "error").length;
    pane.map = output.map;
    pane.box.classList.toggle("stale", output.text === null);
    pane.state.textContent = output.text === null ? `${errors} ${errors === 1 ? "error" : "errors"}; this is what it was before` : "";
    if (output.text !== null) setText(pane.view, output.text);
  }
}

// Lines that belong together.

const isMine = (from) => typeof from === "number";

function fromSource(line, chosen) {
  for (const { view, map } of outputs.values()) {
    const lines = line === null ? [] : map.flatMap((from, at) => (from === line ? [at] : []));
    link(view, lines, chosen);
  }
  link(editor, line === null || !outputs.size ? [] : [line], false);
}

function fromOutput(pane, line, chosen) {
  const from = line === null ? null : pane.map[line];
  for (const other of outputs.values()) {
    const same = (f) => f !== null && f !== undefined && JSON.stringify(f) === JSON.stringify(from);
    const lines = from === null || from === undefined ? [] : other.map.flatMap((f, at) => (same(f) ? [at] : []));
    link(other.view, lines, chosen && other !== pane);
  }
  link(editor, isMine(from) ? [from] : [], chosen);
  byId("from").textContent = Array.isArray(from) ? `from ${from[0]}:${from[1] + 1}` : isMine(from) ? `from line ${from + 1}` : "";
}

async function complete(context) {
  const word = context.matchBefore(/[@\w]*/);
  if (!context.explicit && (!word || word.from === word.to || /^\d/.test(word.text))) return null;
  const line = context.state.doc.lineAt(context.pos);
  const found = await quietly(() => ask("complete", { ...question(), line: line.number - 1, column: context.pos - line.from }));
  if (!found?.length) return null;
  // The server is asked behind the `@`, which stays.
  const from = word ? word.from + (word.text.startsWith("@") ? 1 : 0) : context.pos;
  const types = { kernel: "function", parameter: "variable", field: "property", attribute: "keyword", macro: "constant" };
  return {
    from,
    options: found.map((c) => ({ label: c.label.replace(/^@/, ""), type: types[c.kind] ?? c.kind, detail: c.detail || undefined })),
    validFor: /^\w*$/,
  };
}

// Options.

function showOptions() {
  byId("backends").replaceChildren(
    ...there.backends.map((name, number) =>
      element("button", { type: "button", "aria-pressed": String(shown.backends.includes(name)), title: `Alt+${number + 1}`, onclick: () => toggle(name) }, NAMES[name] ?? name),
    ),
  );
  byId("part").value = shown.part;
  byId("defines").value = shown.options.defines.join("\n");
  byId("instances").value = shown.options.instantiate.join("\n");
  byId("choices").value = shown.options.choices.join("\n");
  for (const input of byId("switches").querySelectorAll("input")) input.checked = shown.options[input.name];
}

function toggle(name) {
  const on = shown.backends.includes(name);
  const order = there.backends;
  const backends = on ? shown.backends.filter((b) => b !== name) : [...shown.backends, name];
  shown.backends = order.filter((b) => backends.includes(b));
  changedOptions();
}

function makeOutputs() {
  for (const [name, pane] of outputs) {
    if (shown.backends.includes(name)) continue;
    pane.view.destroy();
    pane.box.remove();
    outputs.delete(name);
  }
  const column = byId("outputs");
  for (const name of shown.backends) {
    if (!outputs.has(name)) {
      const label = NAMES[name] ?? name;
      const state = element("span", { class: "state" });
      const copy = element("button", { type: "button", title: "Copy this text", onclick: () => navigator.clipboard?.writeText(pane.view.state.doc.toString()) }, "Copy");
      const body = element("div", { class: "editor" });
      const box = element("section", { class: "output", "data-backend": name, "aria-label": label }, element("h2", {}, label, state, copy), body);
      const pane = { box, state, map: [], view: null };
      pane.view = outputEditor(body, label, (line, chosen) => fromOutput(pane, line, chosen));
      outputs.set(name, pane);
    }
    column.append(outputs.get(name).box);
  }
  column.classList.toggle("none", !shown.backends.length);
}

function changedOptions() {
  store();
  showOptions();
  makeOutputs();
  look();
  if (isOpen("launch")) launch.run();
}

const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

function typedOptions() {
  shown.options.defines = lines(byId("defines").value);
  shown.options.instantiate = lines(byId("instances").value);
  shown.options.choices = lines(byId("choices").value);
  for (const input of byId("switches").querySelectorAll("input")) shown.options[input.name] = input.checked;
  store();
  look();
  if (isOpen("launch")) launch.run();
}

// Files.

const kept = () => "brook-text:" + shown.file;

/// What was typed outlives a reload of the page; the file stays as it is.
function keep() {
  const text = editor.state.doc.toString();
  const edited = disk.text !== null && text !== normal(disk.text);
  try {
    if (edited) sessionStorage.setItem(kept(), text);
    else sessionStorage.removeItem(kept());
  } catch {
    // There is no room for it, so that it ends with the page.
  }
  byId("edited").hidden = !edited;
}

/// Shows a file; `more` is what else changes with it.
async function open(file, more = {}) {
  wanted = file;
  document.body.classList.add("busy-open");
  try {
    const answer = await ask("source", { file });
    // Somebody may have chosen another one meanwhile.
    if (wanted === file) show(file, answer, more);
  } catch (error) {
    if (wanted === file) {
      complain(error);
      if (shown.file) byId("file").value = shown.file;
    }
  } finally {
    if (wanted === file) document.body.classList.remove("busy-open");
  }
}

function show(file, answer, more) {
  calm();
  shown = { ...shown, ...more, file };
  disk = answer;
  showText(file, sessionStorage.getItem(kept()) ?? disk.text);
  keep();
  store();
  byId("file").value = file;
  document.title = `${file} – brook explore`;
  launch.forget();
  look();
  if (isOpen("launch")) launch.run();
}

/// Takes over what another editor has written.
async function refresh() {
  if (document.hidden || !shown.file || !disk.stamp) return;
  const file = shown.file;
  const answer = await quietly(() => ask("source", { file, known: disk.stamp }));
  if (!answer || answer.stamp === disk.stamp || shown.file !== file) return;
  const edited = editor.state.doc.toString() !== normal(disk.text);
  disk = answer;
  if (!edited) setText(editor, disk.text);
  keep();
}

function revert() {
  setText(editor, disk.text, true);
  keep();
}

// Links.

function store() {
  history.replaceState(null, "", links.write(shown));
}

async function copyLink() {
  store();
  const edited = !byId("edited").hidden;
  const said = edited ? "Copied; it shows the file, without what you have typed" : "Copied";
  try {
    await navigator.clipboard.writeText(location.href);
    byId("link").textContent = said;
  } catch {
    byId("link").textContent = "The address above is the link";
  }
  setTimeout(() => (byId("link").textContent = "Link"), 3000);
}

/// What an address says, as far as there is such a thing.
function sane(said) {
  const backends = there.backends.filter((b) => said.backends.includes(b));
  const parts = [...byId("part").options].map((o) => o.value);
  return { ...said, backends, part: parts.includes(said.part) ? said.part : "device" };
}

async function fromAddress() {
  takeToken();
  const said = sane(links.read(location.hash));
  if (!there.files.length) return begin();
  const before = shown.file;
  shown = { ...said, file: before };
  showOptions();
  makeOutputs();
  await open(said.file ?? before);
}

// Panels, themes, keys.

function isOpen(name) {
  return byId("tab-" + name).getAttribute("aria-selected") === "true";
}

function select(name) {
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const mine = tab.id === "tab-" + name;
    tab.setAttribute("aria-selected", String(mine));
    tab.tabIndex = mine ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = !mine;
  }
  if (name === "launch") launch.run();
}

function keys(event) {
  if (event.altKey && !event.ctrlKey && !event.metaKey && /^Digit[1-9]$/.test(event.code)) {
    const name = there.backends[Number(event.code.slice(5)) - 1];
    if (name) {
      event.preventDefault();
      toggle(name);
    }
  } else if (event.key === "F6") {
    // From one part of the page to the next.
    event.preventDefault();
    const stops = [editor.contentDOM, ...[...outputs.values()].map((o) => o.view.contentDOM), document.querySelector("[role=tab][aria-selected=true]")];
    const at = stops.findIndex((s) => s.contains(document.activeElement));
    stops[(at + (event.shiftKey ? stops.length - 1 : 1) + stops.length) % stops.length].focus();
  }
}

async function begin() {
  try {
    there = await ask("files", {});
    calm();
  } catch (error) {
    complain(error);
    return;
  }
  const file = byId("file");
  file.replaceChildren(...there.files.map((name) => element("option", { value: name }, name)));
  file.hidden = there.files.length < 2;
  byId("more-files").hidden = !there.more;
  if (!there.files.length) {
    complain(new Refused(404, "There is no .okl or .br file in this folder."));
    return;
  }
  const said = sane(links.read(location.hash));
  shown = { ...said, file: null };
  showOptions();
  makeOutputs();
  await open(said.file ?? there.files.find((f) => !/\.(h|hpp|brh)$/.test(f)) ?? there.files[0]);
}

byId("switches").append(
  ...links.SWITCHES.map((name) => element("label", {}, element("input", { type: "checkbox", name, onchange: typedOptions }), SWITCH_WORDS[name])),
);
for (const name of ["defines", "instances", "choices"]) byId(name).addEventListener("input", typedOptions);
// Other kernels have other arguments.
byId("file").addEventListener("change", (event) => open(event.target.value, { kernel: null, arguments: [] }));
byId("part").addEventListener("change", (event) => {
  shown.part = event.target.value;
  changedOptions();
});
byId("link").addEventListener("click", copyLink);
byId("theme").addEventListener("click", nextTheme);
byId("revert").addEventListener("click", revert);
const tabs = [...document.querySelectorAll("[role=tab]")];
for (const tab of tabs) {
  tab.addEventListener("click", () => select(tab.id.slice(4)));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    select(next.id.slice(4));
    next.focus();
  });
}
addEventListener("keydown", keys);
addEventListener("hashchange", fromAddress);
theme(localStorage.getItem("brook-theme"));
setInterval(refresh, 1000);
begin();

/// For those who look at the page from outside: the whole text of an output, of which only what is in sight is in the page.
window.brook = { output: (name) => outputs.get(name)?.view.state.doc.toString() };

