// Chromium, and a page in it that is watched: what it logs, what its policy forbids, whom it asks.
import assert from "node:assert/strict";
import {mkdirSync, readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {chromium} from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
// Where pictures are kept; a folder of the build.
const PICTURES = process.env.TGKEEP_PICTURES ?? "";

export async function launch() {
  // Chromium's sandbox is not for root, which is what a container's user often is.
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    chromiumSandbox: process.getuid() !== 0,
  });
}

/** A page at `url` in a context of its own; `more` as newContext has it. */
export async function visit(browser, url, more = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...more});
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const host = new URL(url).host;
  const faults = [];
  page.on("console", (message) => {
    // A refused request is the page's to explain; the browser logs it, too.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`script: ${error.stack}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (new URL(request.url()).host !== host) faults.push(`a request to ${request.url()}`);
  });
  await page.exposeFunction("policyBroken", (what) => faults.push(`policy: ${what}`));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) =>
      globalThis.policyBroken(
        `${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      ),
    );
  });
  await page.goto(url);
  return {
    page,
    context,
    faults,
    async close() {
      await context.close();
      assert.deepEqual(faults, [], "the page did what it must not");
    },
  };
}

/** Signs in with this token. */
export async function signIn(page, token) {
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", {name: "Sign in"}).click();
  await page.locator("#link.up").waitFor();
}

/** Goes to `hash`, and waits until that is shown. */
export async function go(page, hash, section) {
  await page.evaluate((to) => (location.hash = to), hash);
  await page.locator(`#${section}`).waitFor();
}

/** Keeps a picture of the whole page, when there is a place for it. */
export async function picture(page, name) {
  if (!PICTURES) return;
  mkdirSync(PICTURES, {recursive: true});
  await page.screenshot({path: `${PICTURES}/${name}.png`, fullPage: true});
}

/** What axe finds wrong for people who don't see, hear or point; a line each. */
export async function barriers(page) {
  // Through the debugger, not as a script of the page, whose policy takes none.
  await page.evaluate(AXE);
  const found = await page.evaluate(() => globalThis.axe.run(document, {resultTypes: ["violations"]}));
  assert.ok(found.passes.length > 10, "axe looked at the page");
  return found.violations.flatMap((one) =>
    one.nodes.map((node) => `${one.impact} ${one.id}: ${node.target} ${node.failureSummary}`),
  );
}

/** By how many pixels the page is too wide for its window. */
export const excess = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
