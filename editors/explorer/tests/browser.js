// A server on files of its own, and a page of it in Chromium.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const brook = process.env.BROOK ?? join(here, "../../../target/debug/brook");

export async function startServer(files, path = ".") {
  const folder = mkdtempSync(join(tmpdir(), "brook-page-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const child = spawn(brook, ["explore", "--port", "0", join(folder, path)], { stdio: ["ignore", "pipe", "ignore"] });
  const address = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`brook explore ended with ${code}`)));
    createInterface({ input: child.stdout }).once("line", resolve);
  });
  return {
    folder,
    address,
    origin: new URL(address).origin,
    write: (name, text) => writeFileSync(join(folder, name), text),
    stop() {
      child.removeAllListeners("exit");
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const startBrowser = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });

/// A page whose own mistakes fail the test that opened it.
export async function openPage(browser, address, more = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...more });
  const page = await context.newPage();
  const mistakes = [];
  page.on("pageerror", (error) => mistakes.push(String(error)));
  page.on("console", (said) => said.type() === "error" && mistakes.push(said.text()));
  await page.goto(address);
  return {
    page,
    context,
    mistakes,
    /// Waits until all is answered that `act` makes the page ask.
    async after(act) {
      await act();
      await idle(page);
    },
    text: (name) => page.evaluate((n) => window.brook.output(n), name),
  };
}

export const idle = (page) => page.waitForFunction(() => document.body.dataset.latency && !/busy/.test(document.body.className));

/// Selects all that is in the source's editor and types something else.
export async function retype(page, text) {
  await page.click("#source .cm-content");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}
