// Elements. Nothing is ever read as HTML.

export const byId = (id) => document.getElementById(id);

export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function drawn(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/// A little Markdown, as the server writes it: paragraphs, tables, blocks of code, `code`, **bold**.
export function markdown(text) {
  const made = element("div", { class: "said" });
  for (const block of text.split(/(```[^\n]*\n[\s\S]*?\n```)/)) {
    const code = /^```[^\n]*\n([\s\S]*)\n```$/.exec(block);
    if (code) {
      made.append(element("pre", {}, code[1]));
      continue;
    }
    for (const paragraph of block.split(/\n\s*\n/)) {
      const lines = paragraph.split("\n").filter((line) => line.trim());
      if (!lines.length) continue;
      if (lines[0].startsWith("|")) {
        const rows = lines.filter((line) => !/^[|\s:-]+$/.test(line));
        const cells = (row) => row.slice(1, -1).split(/(?<!\\)\|/).map((c) => c.trim().replaceAll("\\|", "|"));
        made.append(
          element("table", {}, rows.map((row, i) => element("tr", {}, cells(row).map((c) => element(i ? "td" : "th", {}, inline(c)))))),
        );
      } else if (lines.length === 1 && /^-{3,}$/.test(lines[0])) made.append(element("hr"));
      else made.append(element("p", {}, inline(lines.join(" "))));
    }
  }
  return made;
}

function inline(text) {
  return text.split(/(`[^`]*`|\*\*[^*]+\*\*)/).map((piece) => {
    if (piece.length > 1 && piece.startsWith("`")) return element("code", {}, piece.slice(1, -1));
    if (piece.length > 4 && piece.startsWith("**")) return element("strong", {}, piece.slice(2, -2));
    return piece;
  });
}
