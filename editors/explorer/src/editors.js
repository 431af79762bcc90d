// The editor of the source, and those that show what it becomes.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, Transaction } from "@codemirror/state";
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  WidgetType,
} from "@codemirror/view";
import { decorations } from "./decorations.js";
import { element, markdown } from "./dom.js";
import { colours, generated, languageOf, meanings, setMeanings } from "./language.js";

const nonce = document.querySelector("meta[name=nonce]").content;

/// Lines that belong to what the other side points at.
const setLinked = StateEffect.define();

const linked = decorations(setLinked, (doc, lines) => {
  const there = lines.filter((line) => line >= 0 && line < doc.lines);
  return Decoration.set(there.map((line) => linkedLine.range(doc.line(line + 1).from)));
});
const linkedLine = Decoration.line({ class: "linked" });

/// What the language adds, between what is written.
const setHints = StateEffect.define();

class Hint extends WidgetType {
  constructor(hint) {
    super();
    this.hint = hint;
  }
  eq(other) {
    return other.hint.text === this.hint.text;
  }
  toDOM() {
    return element("span", { class: "hint", title: this.hint.why, "aria-hidden": true }, this.hint.text);
  }
}

const hints = decorations(setHints, (doc, told) =>
  Decoration.set(
    told
      .filter((hint) => hint.line < doc.lines)
      .map((hint) => Decoration.widget({ widget: new Hint(hint), side: 1 }).range(offset(doc, [hint.line, hint.column]))),
    true,
  ),
);

/// Where a place of the server's is in a text; past the end is the end.
export function offset(doc, [line, column]) {
  if (line >= doc.lines) return doc.length;
  const at = doc.line(line + 1);
  return Math.min(at.from + column, at.to);
}

/// Tells which line the mouse is over, and which the cursor is put on.
function pointing(onLine) {
  let last = null;
  const tell = (line, chosen) => {
    if (line === last && !chosen) return;
    last = line;
    onLine(line, chosen);
  };
  return [
    EditorView.domEventHandlers({
      mousemove(event, view) {
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false);
        tell(view.state.doc.lineAt(at).number - 1, false);
      },
      mouseleave() {
        tell(null, false);
      },
    }),
    EditorView.updateListener.of((update) => {
      if (!update.selectionSet || update.transactions.every((t) => !t.isUserEvent("select"))) return;
      tell(update.state.doc.lineAt(update.state.selection.main.head).number - 1, true);
    }),
  ];
}

/// What is left of a text in which a stretch was replaced: enough to keep where somebody looks.
function change(doc, text) {
  const before = doc.toString();
  let from = 0;
  const most = Math.min(before.length, text.length);
  while (from < most && before.charCodeAt(from) === text.charCodeAt(from)) from++;
  let same = 0;
  while (same < most - from && before.charCodeAt(before.length - 1 - same) === text.charCodeAt(text.length - 1 - same)) same++;
  return { from, to: before.length - same, insert: text.slice(from, text.length - same) };
}

/// A text as editors have it, whose lines all end the same way.
export const normal = (text) => text.replace(/\r\n?/g, "\n");

/// Shows another text; whether somebody has asked for that, who may undo it.
export function setText(view, text, asked = false) {
  const changes = change(view.state.doc, normal(text));
  if (changes.from === changes.to && !changes.insert) return;
  view.dispatch({ changes, annotations: Transaction.addToHistory.of(asked) });
}

/// Shows which lines belong to what is pointed at; the first one is brought into sight if somebody chose it.
export function link(view, lines, show) {
  const effects = [setLinked.of(lines)];
  if (show && lines.length && lines[0] < view.state.doc.lines) {
    effects.push(EditorView.scrollIntoView(view.state.doc.line(lines[0] + 1).from, { y: "center" }));
  }
  view.dispatch({ effects });
}

const shared = [
  lineNumbers(),
  drawSelection(),
  bracketMatching(),
  highlightSelectionMatches(),
  colours,
  linked,
  EditorView.cspNonce.of(nonce),
  EditorState.tabSize.of(8),
];

export function sourceEditor(parent, { changed, pointed, hover, complete }) {
  const state = (file, doc) =>
    EditorState.create({
      doc,
      extensions: [
        shared,
        history(),
        foldGutter(),
        lintGutter(),
        closeBrackets(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        indentUnit.of("  "),
        languageOf(file),
        meanings,
        hints,
        autocompletion({ override: [complete] }),
        hoverTooltip(async (view, pos) => {
          const line = view.state.doc.lineAt(pos);
          const found = await hover(line.number - 1, pos - line.from);
          if (!found) return null;
          const doc = view.state.doc;
          return {
            pos: offset(doc, found.from),
            end: offset(doc, found.to),
            above: true,
            create: () => ({ dom: markdown(found.text) }),
          };
        }),
        pointing(pointed),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
        // Tab goes on to what is next on the page, as everywhere.
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ "aria-label": "Source", spellcheck: "false" }),
      ],
    });
  const view = new EditorView({ parent, state: state("", "") });
  // Another file has another past, which nothing undoes into this one.
  return { view, show: (file, text) => view.setState(state(file, normal(text))) };
}

export function outputEditor(parent, label, pointed) {
  return new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        shared,
        generated,
        foldGutter(),
        EditorState.readOnly.of(true),
        pointing(pointed),
        keymap.of([...defaultKeymap, ...searchKeymap, ...foldKeymap]),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true" }),
      ],
    }),
  });
}

/// Shows what the server said about the text that is in the editor.
export function annotate(view, { messages, tokens, hints: told }) {
  const doc = view.state.doc;
  const diagnostics = messages
    .filter((m) => m.at && !m.at.file)
    .map((m) => {
      const from = offset(doc, m.at.from);
      return {
        from,
        to: Math.max(from, offset(doc, m.at.to)),
        severity: m.severity,
        source: m.code,
        message: [m.message, m.label, m.help].filter((t, i, all) => t && all.indexOf(t) === i).join("\n"),
        actions: fixesOf(m).map((fix) => ({ name: fix.message, apply: (view) => mend(view, fix) })),
      };
    });
  view.dispatch({ effects: [setMeanings.of(tokens), setHints.of(told)] });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

/// Changes of this text that mend what a message is about.
export const fixesOf = (message) => message.fixes.filter((fix) => fix.edits.length && fix.edits.every((e) => e.at && !e.at.file));

export function mend(view, fix) {
  const doc = view.state.doc;
  view.dispatch({
    changes: fix.edits.map((e) => ({ from: offset(doc, e.at.from), to: offset(doc, e.at.to), insert: e.text })),
    userEvent: "input.fix",
  });
}

/// Puts the cursor at a place of the source.
export function goTo(view, place) {
  const at = offset(view.state.doc, place.from);
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }), userEvent: "select" });
  view.focus();
}
