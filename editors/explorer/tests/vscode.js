// The extension in VS Code itself, by way of code-server, and the picture of docs/editors.md:
//
//   CODE_SERVER=…/code-server VSIX=…/brook-kernels.vsix BROOK=…/brook npm run vscode
//
// It fails if messages, lenses, hints or hovers do not come.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { startBrowser } from "./browser.js";

const { CODE_SERVER: editor, VSIX: extension, BROOK: brook } = process.env;
const picture = join(dirname(fileURLToPath(import.meta.url)), "../../../docs/editor.png");
const home = mkdtempSync(join(tmpdir(), "brook-editor-"));
const files = join(home, "kernels");
mkdirSync(files);
mkdirSync(join(home, "user/User"), { recursive: true });
writeFileSync(
  join(home, "user/User/settings.json"),
  JSON.stringify({
    "brook.path": resolve(brook),
    "chat.commandCenter.enabled": false,
    "editor.minimap.enabled": false,
    "security.workspace.trust.enabled": false,
    "telemetry.telemetryLevel": "off",
    "window.commandCenter": false,
    "workbench.colorTheme": "Default Light Modern",
    "workbench.layoutControl.enabled": false,
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": false,
  }),
);
writeFileSync(
  join(files, "scale.okl"),
  `@kernel void scale(const int n, const float factor, float *x) {
  for (int block = 0; block < n; block += 256; @outer) {
    @shared float loaded[256];
    for (int i = 0; i < 256; ++i; @inner) {
      loaded[i] = block + i < n ? x[block + i] : 0.0f;
    }
    for (int i = 0; i < 256; ++i; @inner) {
      if (block + i < n) x[block + i] = facto * loaded[255 - i];
    }
  }
}
`,
);
const free = () =>
  new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
const port = await free();
const env = { ...process.env, HOME: home };
const places = ["--user-data-dir", join(home, "user"), "--extensions-dir", join(home, "extensions")];
const installed = spawnSync(editor, [...places, "--install-extension", resolve(extension)], { env, encoding: "utf8" });
if (installed.status !== 0) throw new Error(installed.stderr);
const child = spawn(
  editor,
  [...places, "--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust", files],
  { env, stdio: "ignore" },
);
const browser = await startBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1100, height: 620 } });
  const address = `http://127.0.0.1:${port}/?folder=${files}`;
  for (let tries = 0; ; tries++) {
    try {
      await page.goto(address);
      break;
    } catch (error) {
      if (tries === 60) throw error;
      await page.waitForTimeout(1000);
    }
  }
  await page.waitForSelector(".monaco-workbench", { timeout: 60_000 });
  await page.getByRole("treeitem", { name: "scale.okl" }).dblclick();
  await page.waitForSelector(".squiggly-error", { timeout: 60_000 });
  await page.waitForSelector(".codelens-decoration a:has-text('show CUDA')", { timeout: 60_000 });
  await page.keyboard.press("Control+Shift+M");
  await page.waitForSelector(".markers-panel :text(\"'facto' is not declared\")");
  await page.locator(".view-line", { hasText: "loaded[255" }).locator("span", { hasText: "loaded" }).last().hover();
  await page.waitForSelector(".monaco-hover:has-text('one for all items of a group')");
  await page.waitForTimeout(500);
  await page.screenshot({ path: picture, animations: "disabled" });
} finally {
  await browser.close();
  child.kill();
  rmSync(home, { recursive: true, force: true });
}
