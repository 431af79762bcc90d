// The page in a browser: typing, mistakes, lines that belong together, options, links, pictures, who may ask.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, afterEach, test } from "node:test";
import { idle, openPage, retype, startBrowser, startServer } from "./browser.js";

const SCALE = `@kernel void scale(const int n, const float factor, float *x) {
  for (int i = 0; i < n; ++i; @tile(256, @outer, @inner)) {
    x[i] *= factor;
  }
}
`;
const RACE = `@kernel void f(const int n, float *x) {
  for (int b = 0; b < n; b += 64; @outer) {
    @shared float s[64];
    for (int t = 0; t < 64; ++t; @inner) {
      s[t] = x[b + t];
      x[b + t] = s[63 - t];
    }
  }
}
`;
const SUM = `kernel void sum(float a<>, float b<>, out float c<>) {
  c = a + b;
}
`;

let browser, server, opened, page, after_, text;

before(async () => {
  browser = await startBrowser();
  server = await startServer({ "scale.okl": SCALE, "race.okl": RACE, "deep/sum.br": SUM });
});
after(async () => {
  await browser?.close();
  server?.stop();
});

async function open(hash, more) {
  await opened?.context.close();
  opened = await openPage(browser, server.address + hash, more);
  ({ page, after: after_, text } = opened);
  await idle(page);
}
afterEach(async () => {
  const mistakes = opened?.mistakes ?? [];
  await opened?.context.close();
  opened = null;
  assert.deepEqual(mistakes, []);
});

test("outputs follow what is typed", async () => {
  await open("&file=scale.okl&for=cuda,opencl");
  assert.match(await text("cuda"), /threadIdx\.x/);
  assert.match(await text("opencl"), /get_local_id\(0\)/);
  await after_(() => retype(page, SCALE.replaceAll("factor", "weight")));
  assert.match(await text("cuda"), /\*= weight;/);
  assert.match(await text("opencl"), /\*= weight;/);
  assert.equal(await page.isVisible("#edited"), true);
  await after_(() => page.click("#revert"));
  assert.match(await text("cuda"), /\*= factor;/);
  assert.equal(await page.isVisible("#edited"), false);
});

test("every letter of a program can be typed", async () => {
  await open("&file=scale.okl");
  await page.click("#source .cm-content");
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  // Brackets close by themselves: typing over them is what people do.
  await after_(() => page.keyboard.type(SCALE.split("\n").map((line) => line.trim()).join(" ").trim(), { delay: 5 }));
  await page.waitForFunction(() => document.querySelector("#messages").innerText.includes("Nothing is wrong."));
  await page.waitForFunction(() => window.brook.output("cuda").includes("*= factor"));
});

test("mistakes are shown where they are, and mended", async () => {
  await open("&file=scale.okl");
  const good = await text("cuda");
  await after_(() => retype(page, SCALE.replace("x[i] *= factor;", "x[i] *= factor")));
  const message = await page.innerText("#messages li.error");
  assert.match(message, /line 3/);
  assert.equal(await page.innerText("#count"), "1 error");
  assert.equal(await page.locator("#source .cm-lintPoint-error").count(), 1);
  // What it was before is left, and said to be.
  assert.equal(await text("cuda"), good);
  assert.match(await page.innerText(".output .state"), /1 error/);
  await page.click("#messages li.error button");
  assert.equal(await page.evaluate(() => document.activeElement.closest("#source") !== null), true);
  await after_(() => page.click("#messages .fix"));
  assert.equal(await page.locator("#messages li.error").count(), 0);
});

test("what only one backend minds is said to be its own", async () => {
  await open("&file=scale.okl&for=cuda,metal");
  await after_(() => retype(page, SCALE.replaceAll("float", "double")));
  const messages = await page.innerText("#messages");
  assert.match(messages, /OKL094/);
  assert.match(messages, /Metal/);
  assert.match(await text("cuda"), /double/);
});

test("lines that belong together are linked both ways", async () => {
  await open("&file=race.okl&for=cuda,openmp");
  const linked = (of) => page.locator(`${of} .cm-line.linked`).allInnerTexts();
  await page.hover("#source .cm-line:nth-child(6)");
  await page.waitForSelector("[data-backend=cuda] .linked");
  for (const name of ["cuda", "openmp"]) {
    const lines = await linked(`[data-backend=${name}]`);
    assert.deepEqual(lines.map((line) => line.trim()), ["x[b + t] = s[63 - t];"], name);
  }
  await page.locator("[data-backend=openmp] .cm-line", { hasText: "s[t] = x[b + t]" }).hover();
  await page.waitForFunction(() => document.querySelector("#source .linked")?.innerText.includes("s[t] ="));
  assert.deepEqual((await linked("[data-backend=cuda]")).map((line) => line.trim()), ["s[t] = x[b + t];"]);
  assert.match(await page.innerText("#from"), /line 5/);
  await page.mouse.move(5, 5);
  await page.waitForFunction(() => !document.querySelector("#source .linked"));
  // What is out of sight comes into sight for who chooses its line.
  await after_(() => page.selectOption("#file", "scale.okl"));
  const low = () => page.locator("[data-backend=cuda] .cm-line.linked").count();
  assert.equal(await low(), 0);
  await page.click("#source .cm-line:nth-child(3)");
  await page.waitForSelector("[data-backend=cuda] .linked");
});

test("options change the translation, and are in the link", async () => {
  await open("&file=scale.okl");
  await page.click("#tab-options");
  await after_(() => retype(page, SCALE.replace("256", "BLOCK")));
  assert.match(await page.locator("#messages").textContent(), /BLOCK/);
  await after_(() => page.fill("#defines", "BLOCK=128\nUNUSED"));
  assert.match(await text("cuda"), /128/);
  await after_(() => page.getByLabel("one iteration an item").check());
  await after_(() => page.click("#backends button:has-text('HIP')"));
  assert.match(await text("hip"), /scale/);
  await after_(() => page.selectOption("#part", "metadata"));
  assert.match(await text("hip"), /"kernels"/);
  const link = new URL(await page.evaluate(() => location.href));
  const said = new URLSearchParams(link.hash.slice(1));
  assert.deepEqual(said.getAll("D"), ["BLOCK=128", "UNUSED"]);
  assert.equal(said.get("for"), "cuda,hip");
  assert.equal(said.get("with"), "no_widen");
  assert.equal(said.get("token"), null);
  // The same in another tab of this browser, which knows the token.
  const second = await opened.context.newPage();
  await second.goto(link.href);
  await idle(second);
  assert.equal(await second.inputValue("#defines"), "BLOCK=128\nUNUSED");
  assert.equal(await second.getByLabel("one iteration an item", { exact: true }).isChecked(), true);
  assert.equal(await second.locator(".output").count(), 2);
  assert.equal(await second.inputValue("#part"), "metadata");
  await second.close();
});

test("files are chosen, and taken over when they change", async () => {
  await open("&file=scale.okl");
  assert.deepEqual(await page.locator("#file option").allInnerTexts(), ["deep/sum.br", "race.okl", "scale.okl"]);
  await after_(() => page.selectOption("#file", "deep/sum.br"));
  assert.match(await text("cuda"), /a \+ b/);
  server.write("deep/sum.br", SUM.replace("a + b", "a - b"));
  await page.waitForFunction(() => window.brook.output("cuda").includes("a - b"));
  // What was typed is not lost, neither by that nor by loading the page again.
  await after_(() => retype(page, SUM.replace("a + b", "a * b")));
  server.write("deep/sum.br", SUM);
  await page.waitForTimeout(1500);
  assert.match(await text("cuda"), /a \* b/);
  await page.reload();
  await page.waitForFunction(() => window.brook.output("cuda")?.includes("a * b"));
  assert.equal(await page.isVisible("#edited"), true);
  await after_(() => page.click("#revert"));
  assert.match(await text("cuda"), /a \+ b/);
});

test("each file has its own past and its own text", async () => {
  await open("&file=scale.okl");
  await after_(() => retype(page, ""));
  await after_(() => page.selectOption("#file", "deep/sum.br"));
  await page.click("#source .cm-content");
  await page.keyboard.press("Control+Z");
  assert.match(await text("cuda"), /a \+ b/);
  assert.equal(await page.isVisible("#edited"), false);
  // What is typed while another file is on its way belongs to the one that is there.
  await page.route("**/api/source", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    // The page may be gone by then.
    await route.continue().catch(() => {});
  });
  await page.selectOption("#file", "race.okl");
  await page.click("#source .cm-content");
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("// mine");
  await page.waitForFunction(() => document.title.startsWith("race.okl"));
  await idle(page);
  assert.equal(await page.isVisible("#edited"), false);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await after_(() => page.selectOption("#file", "deep/sum.br"));
  assert.match(await page.innerText("#source .cm-content"), /\/\/ mine/);
  await after_(() => page.click("#revert"));
  await page.keyboard.press("Control+Z");
  // Without room for what was typed, the page goes on.
  await page.evaluate(() => {
    let room = 1 << 22;
    while (room > 8) {
      try {
        sessionStorage.setItem("full" + room + Math.random(), "x".repeat(room));
      } catch {
        room = Math.floor(room / 2);
      }
    }
  });
  await after_(() => retype(page, SUM.replace("a + b", "a + b + a")));
  assert.match(await text("cuda"), /a \+ b \+ a/);
  assert.equal(await page.isVisible("#edited"), true);
});

test("an address that says what there is not shows what there is", async () => {
  await open("&file=scale.okl&for=opencl,nothing,cuda,cuda&part=whole");
  assert.deepEqual(await page.locator(".output").evaluateAll((all) => all.map((o) => o.dataset.backend)), ["cuda", "opencl"]);
  assert.equal(await page.inputValue("#part"), "device");
  await after_(() => page.evaluate(() => (location.hash = "#file=nowhere.okl&for=metal")));
  assert.match(await page.innerText("#trouble"), /nowhere.okl/);
  assert.equal(await page.inputValue("#file"), "scale.okl");
  opened.mistakes.length = 0;
});

test("findings belong to their launches", async () => {
  await open("&file=race.okl");
  const two = `@kernel void f(float *x) {
  for (int i = 0; i < 2; ++i; @outer) for (int j = 0; j < 2; ++j; @inner) x[i * 2 + j] = 1;
  for (int i = 0; i < 4; ++i; @outer) for (int j = 0; j < 8; ++j; @inner) x[i] = j;
}
`;
  await after_(() => retype(page, two));
  await after_(() => page.click("#tab-launch"));
  assert.equal(await page.locator(".cell.wrong").count(), 0);
  await after_(() => page.locator("#findings button", { hasText: "launch 2" }).first().click());
  assert.equal(await page.locator(".groups .cell").count(), 4);
  assert.equal(await page.locator(".items .cell").count(), 8);
  assert.ok((await page.locator(".items .cell.wrong").count()) >= 2);
  // The items of a group that has more of them than the first one.
  const more = `@kernel void f(float *x) {
  for (int b = 0; b < 2; ++b; @outer) {
    if (b == 1) {
      for (int j = 0; j < 6; ++j; @inner) if (j > 3) x[0] = j;
    } else {
      for (int j = 0; j < 2; ++j; @inner) x[j + 1] = j;
    }
  }
}
`;
  await after_(() => retype(page, more));
  assert.equal(await page.locator(".items .cell").count(), 6);
  assert.equal(await page.locator(".items .cell.wrong").count(), 2);
  await after_(() => retype(page, "template <class T> @kernel void t(T *x) { for (int i = 0; i < 9; ++i; @tile(4, @outer, @inner)) x[i] = 1; }"));
  assert.match(await page.innerText("#run-trouble"), /instance/);
  await page.click("#tab-options");
  await after_(() => page.fill("#instances", "t<float>"));
  await page.click("#tab-launch");
  await idle(page);
  assert.equal(await page.locator(".groups .cell").count(), 3);
});

test("a launch is drawn, with what goes wrong in it", async () => {
  await open("&file=race.okl&arg=n=200");
  await after_(() => page.click("#tab-launch"));
  assert.equal(await page.locator(".groups .cell").count(), 4);
  assert.equal(await page.locator(".items .cell").count(), 64);
  assert.match(await page.innerText("#findings"), /SAN001/);
  assert.ok((await page.locator(".items .cell.wrong").count()) >= 2);
  assert.ok((await page.locator(".meeting").count()) >= 1);
  assert.ok((await page.locator(".bar.wrong").count()) === 1);
  // Another group has the same items, and none of them was the first to go wrong.
  await page.click(".groups .cell[data-at='2,0,0']");
  assert.match(await page.innerText(".items figcaption"), /\(2, 0, 0\)/);
  assert.equal(await page.locator(".items .cell.wrong").count(), 0);
  await after_(() => page.fill("[data-name=n]", "1000"));
  assert.equal(await page.locator(".groups .cell").count(), 16);
  assert.match(await page.evaluate(() => location.hash), /arg=n%3D1000/);
  await after_(() => page.fill("[data-name=n]", "many"));
  assert.match(await page.innerText("#run-trouble"), /many/);
  await after_(() => page.fill("[data-name=n]", "64"));
  // Mended: two phases with a barrier between them.
  await after_(() => retype(page, RACE.replace("      x[b + t]", "    }\n    for (int t = 0; t < 64; ++t; @inner) {\n      x[b + t]")));
  await page.waitForFunction(() => document.querySelector("#findings").innerText.includes("nothing wrong"));
  assert.equal(await page.locator(".steps li").count(), 3);
  assert.match(await page.innerText(".steps .barrier"), /line 6/);
  await page.click(".steps li:nth-child(3) button");
  assert.equal(await page.evaluate(() => document.querySelector("#source .cm-activeLine").innerText.includes("@inner")), true);
});

test("streams are drawn as elements", async () => {
  await open("&file=deep/sum.br&arg=a=iota(3x4)&arg=b=iota(3x4)&arg=c=zeros(3x4)");
  await after_(() => page.click("#tab-launch"));
  assert.equal(await page.locator(".groups .cell").count(), 12);
  assert.match(await page.innerText(".groups figcaption"), /12 elements \(4 × 3\)/);
});

test("names are told of and completed", async () => {
  await open("&file=scale.okl");
  await page.hover("#source .m-parameter:text-is('factor') >> nth=1");
  await page.waitForSelector(".said");
  assert.match(await page.innerText(".said"), /float/);
  await page.mouse.move(5, 5);
  await page.click("#source .cm-line:nth-child(3)");
  await page.keyboard.press("End");
  await page.keyboard.type(" fac");
  await page.waitForSelector(".cm-tooltip-autocomplete");
  assert.match(await page.innerText(".cm-tooltip-autocomplete"), /factor/);
});

test("it works without a mouse", async () => {
  await open("&file=scale.okl");
  await after_(() => page.keyboard.press("Alt+Digit4"));
  const names = await page.locator("#backends button").allInnerTexts();
  const pressed = await page.locator("#backends button[aria-pressed=true]").allInnerTexts();
  assert.deepEqual(pressed, ["CUDA", names[3]]);
  const where = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim());
  const seen = [];
  for (let i = 0; i < 4; i++) {
    await page.keyboard.press("F6");
    seen.push(await where());
  }
  assert.deepEqual(seen, ["Source", "CUDA", names[3], "Messages"]);
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.isVisible("#panel-launch"), true);
  // Tab leaves the editor, as it leaves everything else.
  await page.keyboard.press("F6");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.closest("#source .cm-content") === null), true);
});

test("it is readable in the dark and on a phone", async () => {
  /// How bright a colour is: `rgb(r, g, b)`.
  const contrast = (selector) =>
    page.evaluate((s) => {
      const bright = (colour) => {
        const parts = colour.match(/[\d.]+/g).slice(0, 3).map((p) => Number(p) / 255);
        const [r, g, b] = parts.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const style = getComputedStyle(document.querySelector(s));
      const back = getComputedStyle(document.body).backgroundColor;
      const [a, b] = [bright(style.color), bright(back)].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05);
    }, selector);
  for (const colorScheme of ["light", "dark"]) {
    await open("&file=scale.okl", { colorScheme });
    for (const of of ["body", ".c-keyword", ".m-attribute", ".m-kernel", ".m-parameter", ".c-number", "#time"]) {
      assert.ok((await contrast(of)) >= 4.5, `${of} in ${colorScheme}: ${await contrast(of)}`);
    }
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const was = await back();
    await page.click("#theme");
    assert.notEqual(await back(), was);
  }
  await open("&file=race.okl&for=cuda,opencl", { viewport: { width: 375, height: 700 }, isMobile: true, hasTouch: true });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await after_(() => page.tap("#tab-launch"));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  const boxes = await page.locator("#source, .output, aside").evaluateAll((all) => all.map((e) => e.getBoundingClientRect().top));
  assert.deepEqual(boxes, [...boxes].sort((a, b) => a - b));
});

test("text is never taken for a page", async () => {
  const evil = `<img src=x onerror="document.title='evil'"><script>document.title='evil'</script>`;
  await open("&file=scale.okl&kernel=" + encodeURIComponent(evil) + "&D=" + encodeURIComponent("A=" + evil));
  await after_(() => retype(page, `// ${evil}\n#error ${evil}\n${SCALE.replace("factor;", '"' + evil.replaceAll('"', "'") + '";')}`));
  await after_(() => page.click("#tab-launch"));
  assert.equal(await page.title(), "scale.okl – brook explore");
  assert.equal(await page.locator("img").count(), 0);
  assert.match(await page.locator("#messages").textContent(), /<img src=x/);
});

test("another page cannot ask", async () => {
  await open("&file=scale.okl");
  const token = await page.evaluate(() => localStorage.getItem("brook-token"));
  const other = createServer((_, answer) => answer.end("<!doctype html><title>other</title>"));
  await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
  const second = await opened.context.newPage();
  await second.goto(`http://127.0.0.1:${other.address().port}/`);
  const asked = await second.evaluate(
    async ([origin, token]) => {
      const attempt = async (job) => {
        try {
          return `${(await job()).type}`;
        } catch (error) {
          return "refused";
        }
      };
      const post = (more) => fetch(origin + "/api/files", { method: "POST", body: "{}", ...more });
      const frame = document.createElement("iframe");
      frame.src = origin + "/";
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener("load", resolve));
      let inside = "hidden";
      try {
        inside = frame.contentDocument?.title ?? "hidden";
      } catch {}
      return [
        await attempt(() => post({})),
        await attempt(() => post({ headers: { authorization: "Bearer " + token } })),
        await attempt(() => post({ headers: { "content-type": "text/plain" } })),
        await attempt(() => fetch(origin + "/explorer.js")),
        localStorage.getItem("brook-token"),
        inside,
      ];
    },
    [server.origin, token],
  );
  other.close();
  assert.deepEqual(asked, ["refused", "refused", "refused", "refused", null, "hidden"]);
  // Without the token the page says what is missing.
  const third = await browser.newContext();
  const bare = await third.newPage();
  await bare.goto(server.origin + "/#file=scale.okl");
  await bare.waitForSelector("#trouble:not([hidden])");
  assert.match(await bare.innerText("#trouble"), /brook explore/);
  await third.close();
});
