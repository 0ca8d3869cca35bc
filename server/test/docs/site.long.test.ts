// The documentation as readers see it: built, served by a server, searched, and looked at in a browser.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { COLOURS, darken, violations } from "../console/axe.ts";
import { type Console, openConsole, openPage, withoutBrowser } from "../console/open-console.ts";
import { ROOT } from "./documented-commands.ts";
import { QUESTIONS } from "./questions.ts";

const SITE_SOURCES = join(ROOT, "docs", "site");
const SITE = join(ROOT, "dist", "docs");
const WIDTHS = [1360, 360];

/** One page of each kind, and one that does not exist. */
const KINDS = [
  "",
  "get-started",
  "tutorials/data",
  "configuration",
  "callback-order",
  "coming-from/rasa",
  "spec/callbacks",
  "decisions/README",
  "repository/ARCHITECTURE",
  "reference/api",
  "reference/api/agents/sessions",
  "reference/mcp/run_session",
  "reference/commands/deploy",
  "reference/configuration/quotas",
  "reference/python/CallbackContext",
  "reference/errors/RESOURCE_EXHAUSTED",
  "not-there",
];

/** The pages of the site by their addresses below /docs/. */
const pages = (): ReadonlyMap<string, string> =>
  new Map(
    globSync("**/*.html", { cwd: SITE }).map((path) => [
      path.replace(/(?:^index)?\.html$/, ""),
      readFileSync(join(SITE, path), "utf8"),
    ]),
  );

before(() => {
  const built = spawnSync(process.execPath, [join(ROOT, "scripts", "docs.mjs")], { encoding: "utf8" });
  assert.equal(built.status, 0, built.stderr);
});

describe("the site of the documentation", () => {
  it("links only to pages and headings that exist", () => {
    const all = pages();
    assert.ok(all.size > 400);
    const broken = [...all].flatMap(([page, html]) =>
      [...html.matchAll(/<a [^>]*?href="(\/docs\/[^"#]*|)(?:#([^"]+))?"/g)]
        .filter(([, path = "", anchor]) => {
          const to = all.get(path === "" ? page : path.slice("/docs/".length).replace(/\.html$/, ""));
          return to === undefined || (anchor !== undefined && !to.includes(`id="${decodeURIComponent(anchor)}"`));
        })
        .map(([, path, anchor]) => `${page}: ${path}#${anchor ?? ""}`),
    );
    assert.deepEqual([...new Set(broken)], []);
  });

  it("leads from an address with a slash at its end to the page of the list", () => {
    const all = pages();
    for (const [folder, page] of [
      ["spec", "spec/README"],
      ["decisions", "decisions/README"],
      ["reference/api", "reference/api"],
    ])
      assert.match(all.get(`${folder}/index`) ?? "", new RegExp(`url=/docs/${page}"`), folder);
  });

  it("finds the page for each question of new users among the first three", async () => {
    // The site's own copy: the server needs none.
    const { resolve } = createRequire(join(SITE_SOURCES, "theme", "index.mjs"));
    const { default: MiniSearch } = await import(resolve("minisearch"));
    const { SEARCH_OPTIONS } = await import(join(SITE_SOURCES, "search.mjs"));
    const [file = ""] = globSync("assets/chunks/@localSearchIndexroot.*.js", { cwd: SITE });
    const { default: index } = await import(join(SITE, file));
    const fields = ["title", "titles", "text"];
    const search = MiniSearch.loadJSON(index, {
      fields,
      storeFields: ["title", "titles"],
      searchOptions: SEARCH_OPTIONS,
    });
    const missed = QUESTIONS.flatMap(([question, ...right]) => {
      const found = search
        .search(question)
        .map(({ id }: { readonly id: string }) => id.slice("/docs/".length).replace(/#.*$/, ""));
      const first = [...new Set<string>(found)].slice(0, 3);
      return first.some((page) => right.includes(page)) ? [] : [`${question}: ${first.join(", ")}`];
    });
    assert.deepEqual(missed, []);
    assert.ok(QUESTIONS.length >= 30);
  });
});

describe("a page of the documentation in a browser", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole({ example: false });
  });
  after(() => console[Symbol.asyncDispose]());

  for (const kind of KINDS)
    it(`/docs/${kind} has nothing that axe finds, wide and narrow, light and dark`, async () => {
      await using opened = await openPage(console.browser, console.server.address, `/docs/${kind}`);
      const { page } = opened;
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 860 });
        await page.emulateMedia({ colorScheme: "light" });
        assert.deepEqual(await violations(page), [], `${width} px`);
        const wider = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
        assert.ok(wider <= 0, `${width} px: ${wider} px wider than the window`);
        await darken(page);
        assert.deepEqual(await violations(page, COLOURS), [], `${width} px, dark`);
      }
      await page.setViewportSize({ width: WIDTHS[0] ?? 0, height: 860 });
      assert.deepEqual(opened.strangers, []);
      if (kind !== "not-there") assert.deepEqual(opened.faults, []);
    });

  it("searches as the options say, with a policy that evaluates no text", async () => {
    await using opened = await openPage(console.browser, console.server.address, "/docs/");
    const { page } = opened;
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.getByRole("searchbox").fill("in which order do callbacks run");
    const first = page.locator(".VPLocalSearchBox .results a").first();
    await first.waitFor();
    assert.match(await first.innerText(), /order callbacks run/);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(opened.faults, []);
  });
});
