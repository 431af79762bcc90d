// Makes the page's script, with all that it imports, of `src`: it is part of the command, which has no network and needs no Node.
//
//   node build.js          writes it
//   node build.js --check  fails if it is not what `src` makes
import { build } from "esbuild";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const page = join(here, "../../src/cli/explore/page");

const made = await build({
  entryPoints: [join(here, "src/main.js")],
  absWorkingDir: here,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  write: false,
  metafile: true,
});

// Whose code is in it, by the packages that it was taken from.
const packages = new Set();
for (const input of Object.keys(made.metafile.inputs)) {
  const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) packages.add(found[1]);
}
const notices = [...packages].sort().map((name) => {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((f) => /^licen[cs]e/i.test(f));
  if (!file) throw new Error(`${name} has no licence beside it`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
});
const outputs = {
  "explorer.js": made.outputFiles[0].text,
  "explorer.licences.txt":
    "explorer.js has code of these packages in it.\n\n" + notices.join("\n" + "-".repeat(80) + "\n\n"),
};
let stale = false;
for (const [name, text] of Object.entries(outputs)) {
  const path = join(page, name);
  if (process.argv.includes("--check")) {
    if (readFileSync(path, "utf8") === text) continue;
    console.error(`${name} is not what editors/explorer/src makes; run: npm run build`);
    stale = true;
  } else {
    writeFileSync(path, text);
    console.log(`${name}: ${Math.ceil(text.length / 1024)} KiB`);
  }
}
process.exit(stale ? 1 : 0);
