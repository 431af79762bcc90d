// A launch as a picture: groups, the items of one of them, and what these do from one barrier to the next.
import { drawn, element } from "./dom.js";

/// Cells of a side that are drawn.
const MOST = 64;
/// What has one side is drawn in rows: as many as a warp has items.
const ROW = 32;

const product = (extents) => extents.reduce((all, n) => all * n, 1);
const extent = (extents) => {
  const last = extents.findLastIndex((n) => n !== 1);
  return extents.slice(0, Math.max(last, 0) + 1).join(" × ");
};
const same = (a, b) => a && b && a.every((n, i) => n === b[i]);
const coordinates = (place) => `(${place.join(", ")})`;

/// What is wrong at a cell of a grid: findings by who was there.
function culprits(findings, of) {
  return findings.flatMap((finding, number) =>
    [finding.who, finding.otherWho].filter(Boolean).flatMap((who) => {
      const cell = of(who);
      return cell ? [{ cell, number, finding }] : [];
    }),
  );
}

/// A grid of cells; what has one side is in rows, and three-dimensional ones are slices side by side.
function grid(extents, { label, marked, chosen, choose }) {
  const rows = extents[1] === 1 && extents[2] === 1 && extents[0] > ROW;
  const shown = rows ? [Math.min(extents[0], ROW * MOST), 1, 1] : extents.map((n, axis) => Math.min(n, axis === 2 ? 8 : MOST));
  const [wide, high] = rows ? [ROW, Math.ceil(shown[0] / ROW)] : shown;
  const size = Math.max(4, Math.min(22, Math.floor(620 / (wide * shown[2])), Math.floor(360 / high)));
  const gap = size > 8 ? 2 : 1;
  const slice = wide * size + 12;
  const corner = ([x, y, z]) => [z * slice + (rows ? x % ROW : x) * size, (rows ? Math.floor(x / ROW) : y) * size];
  const made = drawn("svg", {
    class: "grid",
    role: "img",
    "aria-label": label,
    width: slice * shown[2],
    height: high * size + 2,
  });
  const centre = (place) => corner(place).map((at) => at + size / 2);
  for (let z = 0; z < shown[2]; z++) {
    for (let y = 0; y < shown[1]; y++) {
      for (let x = 0; x < shown[0]; x++) {
        const place = [x, y, z];
        const [left, top] = corner(place);
        const wrong = marked.filter((m) => same(m.cell, place));
        const error = wrong.some((m) => !m.finding.remark);
        const cell = drawn(
          "rect",
          {
            x: left,
            y: top,
            width: size - gap,
            height: size - gap,
            class: "cell" + (wrong.length ? (error ? " wrong" : " remark") : "") + (same(chosen, place) ? " chosen" : ""),
            "data-at": place.join(","),
            onclick: choose ? () => choose(place) : undefined,
          },
          drawn("title", {}, coordinates(place) + wrong.map((m) => `\n${m.finding.code}: ${m.finding.message}`).join("")),
        );
        made.append(cell);
      }
    }
  }
  const hidden = extents.some((n, axis) => n > shown[axis]);
  return { made, centre, shown, hidden };
}

/// Lines between two items that meet at the same memory.
function meetings(drawing, findings, pairOf) {
  for (const finding of findings) {
    const pair = pairOf(finding);
    if (!pair || pair.some((p) => !p || p.some((n, axis) => n >= drawing.shown[axis]))) continue;
    const [[ax, ay], [bx, by]] = pair.map(drawing.centre);
    const bend = Math.min(24, 6 + Math.abs(ax - bx) / 4);
    drawing.made.append(
      drawn("path", { class: "meeting", d: `M${ax},${ay} Q${(ax + bx) / 2},${(ay + by) / 2 - bend} ${bx},${by}` }),
    );
  }
}

export function picture(launch, findings, elements, { chosen, choose, goTo }) {
  const made = element("div", { class: "picture" });
  const caption = (what, extents, hidden) =>
    element("figcaption", {}, `${product(extents)} ${product(extents) === 1 ? what.replace(/s\b/, "") : what}` + (extents.filter((n) => n > 1).length > 1 ? ` (${extent(extents)})` : "") + (hidden ? "; the first are drawn" : ""));
  const groups = grid(launch.groups, {
    label: `${product(launch.groups)} ${elements ? "elements" : "groups"}`,
    marked: culprits(findings, (who) => (elements ? who.item : who.group)),
    chosen: elements ? null : chosen,
    choose: elements ? null : choose,
  });
  if (elements) meetings(groups, findings, (f) => f.otherWho && [f.who.item, f.otherWho.item]);
  made.append(element("figure", { class: "groups" }, caption(elements ? "elements" : "groups", launch.groups, groups.hidden), groups.made));
  if (elements) return made;
  const here = findings.filter((f) => [f.who, f.otherWho].some((who) => who && same(who.group, chosen)));
  const items = grid(launch.items, {
    label: `${product(launch.items)} items of group ${coordinates(chosen)}`,
    marked: culprits(here, (who) => (same(who.group, chosen) ? who.item : null)),
    chosen: null,
    choose: null,
  });
  meetings(items, here, (f) => f.otherWho && same(f.who.group, f.otherWho.group) && [f.who.item, f.otherWho.item]);
  made.append(element("figure", { class: "items" }, caption(`items of group ${coordinates(chosen)}`, launch.items, items.hidden), items.made));
  made.append(element("figure", { class: "phases" }, element("figcaption", {}, "What a group does"), phases(launch, findings, goTo)));
  return made;
}

const lineOf = (place) => (place ? `${place.file ? place.file + ":" : "line "}${place.from[0] + 1}` : "");

/// From one barrier to the next: bars as wide as items are many, and lines where all wait.
function phases(launch, findings, goTo) {
  const most = Math.max(1, product(launch.items));
  const list = element("ol", { class: "steps" });
  const inside = (place, at) => place && at && !place.file && !at.file && at.from[0] >= place.from[0] && at.from[0] <= place.to[0];
  for (const step of launch.steps) {
    const to = () => step.at && !step.at.file && goTo(step.at);
    if (step.barrier) {
      list.append(element("li", { class: "barrier" }, element("button", { type: "button", onclick: to, title: "All items of the group wait for each other here." }, `barrier, ${step.at ? lineOf({ ...step.at, from: step.at.to }) : ""}`)));
      continue;
    }
    const wrong = findings.some((f) => !f.remark && inside(step.at, f.at));
    const width = Math.max(2, Math.round((100 * product(step.items)) / most));
    const bar = drawn("svg", { class: "bar" + (wrong ? " wrong" : ""), viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": true }, drawn("rect", { width, height: 10 }));
    list.append(element("li", {}, element("button", { type: "button", onclick: to }, bar, element("span", {}, `${extent(step.items)} items, ${lineOf(step.at)}` + (wrong ? " — see the findings" : "")))));
  }
  if (launch.more) list.append(element("li", { class: "more" }, "and so on"));
  if (!launch.steps.length) list.append(element("li", { class: "more" }, "nothing: there are no items"));
  return list;
}

export { lineOf };
