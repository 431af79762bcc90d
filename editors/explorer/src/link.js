// What the page shows, as a link: the file, what it is shown as, and how it is translated.

export const SWITCHES = ["no_widen", "no_auto_barriers", "contract", "relaxed", "brookgpu"];

export function read(hash) {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const switches = (said.get("with") ?? "").split(",");
  return {
    file: said.get("file"),
    backends: (said.get("for") ?? "cuda").split(",").filter(Boolean),
    part: said.get("part") ?? "device",
    kernel: said.get("kernel"),
    arguments: said.getAll("arg").map((text) => {
      const at = text.indexOf("=");
      return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
    }),
    options: {
      defines: said.getAll("D"),
      instantiate: said.getAll("instance"),
      choices: said.getAll("choose"),
      ...Object.fromEntries(SWITCHES.map((name) => [name, switches.includes(name)])),
    },
  };
}

export function write(shown) {
  const said = new URLSearchParams();
  if (shown.file) said.set("file", shown.file);
  said.set("for", shown.backends.join(","));
  if (shown.part !== "device") said.set("part", shown.part);
  shown.options.defines.forEach((text) => said.append("D", text));
  shown.options.instantiate.forEach((text) => said.append("instance", text));
  shown.options.choices.forEach((text) => said.append("choose", text));
  const switches = SWITCHES.filter((name) => shown.options[name]);
  if (switches.length) said.set("with", switches.join(","));
  if (shown.kernel) said.set("kernel", shown.kernel);
  shown.arguments.forEach(([name, value]) => said.append("arg", `${name}=${value}`));
  return "#" + said;
}
