// The panel that runs a kernel for small arguments and draws what it launches.
import { ask, latest } from "./api.js";
import { byId, element } from "./dom.js";
import { goTo } from "./editors.js";
import { lineOf, picture } from "./picture.js";

/// `page` says what is asked about, what is wanted of a run (a kernel and arguments), and takes what somebody wants instead.
export function launchPanel(page) {
  let ran = null;

  const run = latest("run", async () => {
    const asked = page.question();
    if (!asked.file) return;
    try {
      const answer = await ask("run", { ...asked, ...page.wanted() });
      if (asked.text !== page.question().text) return;
      ran = { ...answer, launch: Math.min(ran?.launch ?? 0, Math.max(0, (answer.launches?.length ?? 1) - 1)), group: null };
    } catch (error) {
      page.complain(error);
      return;
    }
    showRun();
  });

  function showRun() {
    const kernels = byId("kernel");
    kernels.replaceChildren(...ran.kernels.map((k) => element("option", { value: k.name, selected: k.name === ran.kernel }, k.name)));
    kernels.disabled = ran.kernels.length < 2;
    showArguments();
    const nothing = !ran.kernels.length && !ran.messages?.length;
    const trouble = nothing ? ["There is no kernel here. Of a template, say an instance under Options."] : ran.wrong ? [ran.wrong] : (ran.messages ?? []).map((m) => [m.code, lineOf(m.at), m.message].filter(Boolean).join(" · "));
    byId("run-trouble").replaceChildren(...trouble.map((text) => element("p", {}, text)));
    const box = byId("picture");
    const launches = ran.launches ?? [];
    const pick = byId("launch-number");
    pick.replaceChildren(...launches.map((l, i) => element("option", { value: i, selected: i === ran.launch }, `launch ${i + 1}${l.at ? ", " + lineOf(l.at) : ""}`)));
    pick.hidden = launches.length < 2;
    const launch = launches[ran.launch];
    if (!launch) {
      box.replaceChildren(...(ran.launches ? [element("p", {}, "Nothing is launched with these arguments.")] : []));
      byId("findings").replaceChildren();
      return;
    }
    // What is seen after all launches belongs to none.
    const findings = ran.findings.filter((f) => f.launch === ran.launch + 1);
    const first = findings.map((f) => f.who.group).find(Boolean);
    const chosen = ran.group ?? (first && first.every((n, axis) => n < launch.groups[axis]) ? first : [0, 0, 0]);
    const choose = (group) => {
      ran.group = group;
      showRun();
    };
    box.replaceChildren(picture(launch, findings, ran.elements, { chosen, choose, goTo: (at) => goTo(page.editor, at) }));
    const inside = (f) => (f.launch && launches.length > 1 ? `launch ${f.launch}` : "");
    const follow = (f) => {
      if (f.launch && launches[f.launch - 1]) ran.launch = f.launch - 1;
      ran.group = f.who.group;
      showRun();
      goTo(page.editor, f.at);
    };
    const told = ran.findings.map((f) =>
      element(
        "li",
        { class: f.remark ? "remark" : "error" },
        element("button", { type: "button", disabled: !f.at || f.at.file, onclick: () => follow(f) }, element("small", {}, [f.code, lineOf(f.at), inside(f)].filter(Boolean).join(" · ")), " ", f.message),
      ),
    );
    byId("findings").replaceChildren(...(told.length ? told : [element("li", { class: "none" }, "The sanitizer finds nothing wrong with these arguments.")]));
  }

  function showArguments() {
    const box = byId("arguments");
    const kernel = ran.kernels.find((k) => k.name === ran.kernel);
    const names = kernel?.parameters.map((p) => p.name) ?? [];
    const shape = JSON.stringify([ran.kernel, kernel?.parameters.map((p) => [p.name, p.type, p.value])]);
    if (box.dataset.of === shape) return;
    box.dataset.of = shape;
    box.replaceChildren(
      ...(kernel?.parameters ?? []).map((p) => {
        const said = page.wanted().arguments.find(([name]) => name === p.name)?.[1] ?? "";
        return element(
          "label",
          {},
          element("span", {}, `${p.name} `, element("small", {}, p.type)),
          element("input", {
            value: said,
            placeholder: p.value,
            "data-name": p.name,
            spellcheck: "false",
            autocomplete: "off",
            oninput(event) {
              const others = page.wanted().arguments.filter(([name]) => name !== p.name && names.includes(name));
              const value = event.target.value;
              page.want({ arguments: value.trim() ? [...others, [p.name, value]] : others });
            },
          }),
        );
      }),
    );
  }

  byId("kernel").addEventListener("change", (event) => page.want({ kernel: event.target.value, arguments: [] }));
  byId("launch-number").addEventListener("change", (event) => {
    ran.launch = Number(event.target.value);
    ran.group = null;
    showRun();
  });
  return {
    run,
    /// Another file is shown, or another address.
    forget() {
      ran = null;
      byId("arguments").dataset.of = "";
    },
  };
}
