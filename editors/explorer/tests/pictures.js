// Makes the pictures of docs/explore.md: `BROOK=… npm run pictures`.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { idle, openPage, startBrowser, startServer } from "./browser.js";

const top = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const RACE = `@kernel void reverse(const int n, float *x) {
  for (int b = 0; b < n; b += 64; @outer) {
    @shared float s[64];
    for (int t = 0; t < 64; ++t; @inner) {
      s[t] = x[b + t];
      x[b + t] = s[63 - t]; // too early: nobody has waited
    }
    for (int t = 0; t < 64; ++t; @inner) {
      x[b + t] += s[t];
    }
  }
}
`;
const files = { "reverse.okl": RACE };
files["stencil7.okl"] = readFileSync(join(top, "examples/okl/stencil7.okl"), "utf8");
const browser = await startBrowser();
const server = await startServer(files);
try {
  const shot = async (name, hash, act) => {
    const { page, context } = await openPage(browser, server.address + hash, { viewport: { width: 1200, height: 760 } });
    await idle(page);
    await act(page);
    await idle(page);
    await page.screenshot({ path: join(top, "docs", name), animations: "disabled" });
    await context.close();
  };
  await shot("explore-lines.png", "&file=reverse.okl&for=cuda,opencl", async (page) => {
    await page.hover("#source .cm-line:nth-child(5)");
    await page.waitForSelector("[data-backend=opencl] .linked");
  });
  await shot("explore-launch.png", "&file=reverse.okl&for=openmp&arg=n=200", async (page) => {
    await page.click("#tab-launch");
    await page.waitForSelector(".picture");
  });
} finally {
  await browser.close();
  server.stop();
}
