// How long it takes from a key to what the page shows: `BROOK=… npm run latency -- FILE…`, medians and the slowest twentieth.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { idle, openPage, startBrowser, startServer } from "./browser.js";

const LETTERS = 60;
const files = process.argv.slice(2);
const browser = await startBrowser();
const server = await startServer(Object.fromEntries(files.map((file) => [basename(file), readFileSync(file, "utf8")])));
try {
  for (const file of files) {
    for (const backends of ["cuda", "cuda,hip,metal,opencl,openmp,sycl"]) {
      const { page, context } = await openPage(browser, `${server.address}&file=${basename(file)}&for=${backends}`);
      await idle(page);
      await page.click("#source .cm-content");
      await page.keyboard.press("Control+End");
      const times = [];
      // In a comment: sound texts, as they mostly are. Each letter waits for what the one before is answered.
      await page.keyboard.insertText("// ");
      await idle(page);
      for (let i = 0; i < LETTERS; i++) {
        await page.keyboard.press("abcdefgh"[i % 8]);
        await idle(page);
        times.push(Number(await page.evaluate(() => document.body.dataset.latency)));
      }
      times.sort((a, b) => a - b);
      const lines = readFileSync(file, "utf8").split("\n").length;
      console.log(`${basename(file)} (${lines} lines), ${backends}: median ${times[LETTERS / 2].toFixed(1)} ms, 95 % ${times[Math.floor(LETTERS * 0.95)].toFixed(1)} ms`);
      await context.close();
    }
  }
} finally {
  await browser.close();
  server.stop();
}
