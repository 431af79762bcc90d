// The list of what is wrong with a source.
import { byId, element } from "./dom.js";
import { fixesOf, goTo, mend } from "./editors.js";
import { lineOf } from "./picture.js";

/// Lists messages; a place of the source is where a press on it leads.
export function showMessages(editor, messages) {
  const list = byId("messages");
  const rows = messages.map((m) => {
    const mine = m.at && !m.at.file;
    const place = lineOf(m.at);
    const notes = m.notes.map((note) =>
      element("li", {}, note.at && !note.at.file ? element("button", { type: "button", onclick: () => goTo(editor, note.at) }, `${note.message} (${lineOf(note.at)})`) : note.message + (note.at ? ` (${lineOf(note.at)})` : "")),
    );
    const title = [m.code, place, m.only ? m.only.join(", ") : ""].filter(Boolean).join(" · ");
    return element(
      "li",
      { class: m.severity },
      element("button", { type: "button", disabled: !mine, onclick: () => goTo(editor, m.at) }, element("small", {}, title), " ", m.message),
      fixesOf(m).map((fix) => element("button", { type: "button", class: "fix", onclick: () => mend(editor, fix) }, fix.message)),
      m.help ? element("p", {}, m.help) : null,
      notes.length ? element("ul", {}, notes) : null,
    );
  });
  list.replaceChildren(...(rows.length ? rows : [element("li", { class: "none" }, "Nothing is wrong.")]));
  const errors = messages.filter((m) => m.severity === "error").length;
  const count = errors ? `${errors} ${errors === 1 ? "error" : "errors"}` : messages.length ? `${messages.length} ${messages.length === 1 ? "warning" : "warnings"}` : "";
  byId("count").textContent = count;
  byId("count").className = errors ? "error" : "";
}
