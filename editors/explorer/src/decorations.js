// Decorations of a text that an effect replaces. Until then they move with what they belong to.
import { StateField } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

/// `make` makes them of the text and of what the effect says.
export const decorations = (effect, make) =>
  StateField.define({
    create: () => Decoration.none,
    update(marks, transaction) {
      const said = transaction.effects.filter((e) => e.is(effect)).at(-1);
      return said ? make(transaction.state.doc, said.value) : marks.map(transaction.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
  });
