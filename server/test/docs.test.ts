import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, it } from "node:test";
import { readConfig } from "#app";
import { MAY_IMPORT } from "./arrows.ts";

const ROOT = resolve(import.meta.dirname, "..", "..");
const LEFT_OUT = new Set(["node_modules", "dist", "gen", ".git", ".frontdesk"]);

/** A page of the documentation, by its path from the root. */
interface Page {
  readonly path: string;
  readonly text: string;
}

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path, ending) : entry.name.endsWith(ending) ? [path] : [];
  });
}

const pages: readonly Page[] = filesBelow(ROOT, ".md").map((path) => ({
  path: relative(ROOT, path),
  text: readFileSync(path, "utf8"),
}));

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** The text of each file of the server, tests left out. */
const sources: readonly string[] = filesBelow(join(ROOT, "server", "src"), ".ts")
  .filter((path) => !path.endsWith(".test.ts"))
  .map((path) => readFileSync(path, "utf8"));

function matches(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ""))];
}

function blocks(text: string, language: string): string[] {
  return matches(text, new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"));
}

describe("the documentation", () => {
  it("links only to files and headings that exist", () => {
    const broken = pages.flatMap(({ path, text }) =>
      matches(text, /\]\(([^)\s]+)\)/g)
        .filter((target) => !/^https?:/.test(target) && !leadsSomewhere(path, target))
        .map((target) => `${path}: ${target}`),
    );
    assert.deepEqual(broken, []);
  });

  it("names only files and folders of the repository that exist", () => {
    const missing = pages.flatMap(({ path, text }) =>
      matches(text, /`((?:\.ci|python|server|client|console|scripts|protos|docs|examples|deploy)\/[\w./-]*)`/g)
        .filter((name) => !name.startsWith("protos/gen") && !existsSync(join(ROOT, name)))
        .map((name) => `${path}: ${name}`),
    );
    assert.deepEqual(missing, []);
  });

  it("names in pages for those who change it only files that exist, by the end of their path", () => {
    const known = filesBelow(ROOT, "").map((path) => path.split(sep).join("/"));
    const missing = pages
      .filter(({ path }) =>
        /^(ARCHITECTURE|CONTRIBUTING|(server|python|console|client|protos|docs\/flows)\b.*)\.md$/.test(path),
      )
      .flatMap(({ path, text }) =>
        matches(text, /`([\w-][\w./-]*\.(?:tsx?|mjs|pyi?))`/g)
          .filter((name) => !known.some((file) => file.endsWith(`/${name}`)))
          .map((name) => `${path}: ${name}`),
      );
    assert.deepEqual(missing, []);
  });

  it("starts the command with npx only so that nothing can be downloaded under its name", () => {
    const risky = pages.flatMap(({ path, text }) =>
      text
        .split("\n")
        // Across lines too, as in the configuration of a desktop client.
        .flatMap((line, at, lines) => (/\bnpx\b/.test(line) ? [lines.slice(at, at + 2).join(" ")] : []))
        .filter((command) => /\bfrontdesk\b/.test(command) && !/\bnpx --no frontdesk\b/.test(command))
        .map((command) => `${path}: ${command}`),
    );
    assert.deepEqual(risky, []);
  });

  it("has JSON examples that are JSON", () => {
    for (const { path, text } of pages)
      for (const block of blocks(text, "json")) assert.doesNotThrow(() => JSON.parse(block), `${path}:\n${block}`);
  });
});

describe("the site of the documentation", () => {
  it("has each page of docs/ in its sidebar, but for the rules and decisions that their own pages list", async () => {
    const { LISTED } = await import(join(ROOT, "docs", "site", "sidebar.mjs"));
    const own = pages
      .map(({ path }) => path)
      .filter((path) => /^docs\/((coming-from|tutorials)\/)?[\w-]+\.md$/.test(path));
    const shown = own.map((path) => path.slice("docs/".length, -".md".length)).filter((page) => page !== "index");
    const listed = LISTED.filter((page: string) => !page.endsWith("/README"));
    assert.deepEqual(listed.toSorted(), shown.toSorted());
  });

  it("says of each page whom it is for", async () => {
    const { PAGES } = await import(join(ROOT, "docs", "site", "sidebar.mjs"));
    for (const { path, reader, words } of PAGES.values()) assert.ok(reader.length > 5 && words !== undefined, path);
  });
});

function leadsSomewhere(from: string, target: string): boolean {
  const [file = "", heading] = target.split("#");
  const path = file === "" ? join(ROOT, from) : resolve(ROOT, dirname(from), file);
  if (!existsSync(path)) return false;
  if (!heading) return true;
  const page = readFileSync(path, "utf8");
  const headings = matches(page, /^#+ (.+)$/gm).map(anchorOf);
  return [...headings, ...matches(page, /<a id="([\w-]+)">/g)].includes(heading);
}

/** As the usual renderers make it. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}

describe("ARCHITECTURE.md", () => {
  it("shows the arrows that the plan holds", () => {
    const rows = [...read("ARCHITECTURE.md").matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)];
    const shown = Object.fromEntries(rows.map(([, room = "", doors = ""]) => [room, doorsOf(doors.trim())]));
    const planned = Object.entries(MAY_IMPORT).map(([room, doors]) => [room, [...doors].sort()]);
    assert.deepEqual(shown, Object.fromEntries(planned));
  });

  it("names every page about a room", () => {
    const named = matches(read("ARCHITECTURE.md"), /\(((?:server|python|console)\/[\w/-]*README\.md)\)/g);
    const about = pages
      .map(({ path }) => path)
      .filter((path) => /^(server\/src|python|console)\b.*README\.md$/.test(path));
    assert.ok(about.length > 15);
    assert.deepEqual(
      about.filter((path) => !named.includes(path)),
      [],
    );
  });
});

/** `nothing`, `base, status`, or `all but cli`: a room never means itself. */
function doorsOf(text: string): string[] {
  if (text === "nothing") return [];
  const except = /^all but (.+)$/.exec(text)?.[1]?.split(" and ");
  const rooms = Object.keys(MAY_IMPORT);
  if (!except) return text.split(", ").sort();
  const own = except.includes("testing") ? "app" : "testing";
  return rooms.filter((room) => room !== own && !except.includes(room)).sort();
}

describe("docs/configuration.md", () => {
  const page = read("docs/configuration.md");
  const settings = read("server/src/app/config.ts");

  it("names every environment variable that is read", () => {
    const own = new Set(sources.flatMap((text) => matches(text, /\b(FRONTDESK_[A-Z0-9_]*[A-Z0-9])\b/g)));
    const models = matches(read("server/src/models/models-config-from.ts"), /"([A-Z]+(?:_[A-Z]+)+)"/g);
    assert.ok(own.size > 40 && models.length > 8);
    assert.deepEqual(
      [...own, ...models].filter((name) => !page.includes(`\`${name}\``)),
      [],
    );
  });

  it("names every metric", () => {
    const metrics = sources.flatMap((text) => matches(text, /\bname: "(frontdesk_[a-z_]+)"/g));
    assert.ok(metrics.length > 20);
    assert.deepEqual(
      metrics.filter((name) => !page.includes(`\`${name}\``)),
      [],
    );
  });

  it("names every flag of start", () => {
    const flags = matches(/const FLAGS = \{(.*?)\} as const/s.exec(settings)?.[1] ?? "", /^ {2}"?([\w-]+)"?: \{/gm);
    assert.ok(flags.length > 5);
    assert.deepEqual(
      flags.filter((flag) => !page.includes(`\`--${flag}\``)),
      [],
    );
  });

  it("names every key of the configuration file", () => {
    const schema =
      /const FileSchema = z.strictObject\(\{(.*?)^\}\)/ms.exec(read("server/src/app/config/config-file.ts"))?.[1] ?? "";
    const keys = matches(schema, /(\w+): (?:z|seconds)\b/g);
    assert.ok(keys.length > 10);
    assert.deepEqual(
      keys.filter((key) => !new RegExp(`\`(?:\\w+\\.)?${key}(?:\\.\\w+)?\``).test(page)),
      [],
    );
  });

  it("has examples that a server accepts", () => {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-docs-"));
    try {
      // The files and folders that the examples name.
      mkdirSync(join(folder, "data", "sales"), { recursive: true });
      writeFileSync(join(folder, "data", "ops.duckdb"), "");
      writeFileSync(join(folder, "sales.model.yaml"), "name: sales\ndatasets: [{ name: orders, table: orders }]\n");
      for (const { path, text } of pages)
        for (const block of blocks(text, "yaml")) {
          const file = join(folder, "config.yaml");
          writeFileSync(file, block);
          assert.doesNotThrow(
            () =>
              readConfig(["--config", file], {
                MISTRAL_API_KEY: "k",
                OKTA_CLIENT_SECRET: "s",
                METRICS_TOKEN: "0123456789abcdef",
              }),
            `${path}:\n${block}`,
          );
        }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("docs/errors.md", () => {
  it("names every reason that a refusal gives", () => {
    const page = read("docs/errors.md");
    const reasons = new Set(sources.flatMap((text) => matches(text, /reason: "([A-Z_]{3,})"/g)));
    assert.ok(reasons.size > 15);
    assert.deepEqual(
      [...reasons].filter((reason) => !page.includes(`\`${reason}\``)),
      [],
    );
  });
});
