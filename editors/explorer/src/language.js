// Colours of words before anybody has looked at what they mean; the server says that a moment later.
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { c, cpp } from "@codemirror/legacy-modes/mode/clike";
import { RangeSetBuilder, StateEffect } from "@codemirror/state";
import { Decoration } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { decorations } from "./decorations.js";

/// C and C++, with `@attributes`, and what vendors have added.
function language(mode) {
  return StreamLanguage.define({
    ...mode,
    name: "kernel",
    token(stream, state) {
      if (stream.match(/^@[A-Za-z_]\w*/)) return "meta";
      if (stream.match(/^__[a-z]\w*__\b|^__(kernel|global|local|private|constant)\b/)) return "meta";
      return mode.token(stream, state);
    },
  });
}

const languages = { okl: language(cpp), br: language(c), bri: language(c) };

export const languageOf = (file) => languages[file.split(".").pop()] ?? languages.okl;
export const generated = languages.okl;

export const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.keyword, class: "c-keyword" },
    { tag: [tags.comment], class: "c-comment" },
    { tag: [tags.string, tags.character], class: "c-string" },
    { tag: [tags.number, tags.bool, tags.atom], class: "c-number" },
    { tag: [tags.meta, tags.processingInstruction], class: "c-attribute" },
    { tag: [tags.typeName, tags.standard(tags.variableName)], class: "c-type" },
  ]),
);

/// Pieces of the text by what they mean: [line, column, length, class].
export const setMeanings = StateEffect.define();

export const meanings = decorations(setMeanings, (doc, pieces) => {
  const builder = new RangeSetBuilder();
  for (const [line, column, length, name] of pieces) {
    if (line >= doc.lines) continue;
    const from = doc.line(line + 1).from + column;
    if (length > 0 && from + length <= doc.length) builder.add(from, from + length, mark(name));
  }
  return builder.finish();
});

const marks = new Map();

function mark(name) {
  if (!marks.has(name)) marks.set(name, Decoration.mark({ class: "m-" + name }));
  return marks.get(name);
}
