import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describe, it } from "node:test";

const ROOT = resolve(import.meta.dirname, "..", "..");
const SPEC = join(ROOT, "docs", "spec");
const LEFT_OUT = new Set(["node_modules", "dist", "gen", ".git", ".frontdesk"]);
const TEXT = /\.(?:ts|tsx|mjs|js|pyi?|md|ya?ml|json|css|html|sh)$/;

/** A numbered rule as a page of docs/spec writes it. */
interface Rule {
  readonly id: string;
  readonly anchor: string;
  readonly page: string;
  readonly evidence: readonly string[];
}

const EVIDENCE = ["definitions", "published", "observed", "choice"];

function readRules(page: string): readonly Rule[] {
  const items = readFileSync(join(SPEC, page), "utf8").split(/^- /m).slice(1);
  return items.map((item) => {
    const [, anchor = "", id = ""] = /^<a id="([\w-]+)"><\/a>\*\*([A-Z][A-Z\d]*-\d+)\*\* /.exec(item) ?? [];
    const evidence = /\*\(([\w\s,]+)\)\*\n/.exec(item)?.[1]?.split(/,\s+/) ?? [];
    return { id, anchor, page, evidence };
  });
}

const rules = readdirSync(SPEC)
  .filter((name) => name !== "README.md")
  .flatMap(readRules);

/** Every text file of the repository but the specification and this test. */
function sources(folder: string): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (LEFT_OUT.has(entry.name) || path === SPEC || path === import.meta.filename) return [];
    if (entry.isDirectory()) return sources(path);
    if (!TEXT.test(entry.name) || entry.name === "package-lock.json") return [];
    return [{ path: relative(ROOT, path), text: readFileSync(path, "utf8") }];
  });
}

const files = sources(ROOT);
const prefixes = [...new Set(rules.map(({ id }) => id.split("-")[0] ?? ""))];
const CITATION = new RegExp(`\\b(?:${prefixes.join("|")})-\\d+\\b`, "g");
const citations = files.flatMap(({ path, text }) => [...text.matchAll(CITATION)].map(([id]) => ({ path, id })));

/** A citation by its form, whatever its prefix, and prefixes of public standards, which have numbers too. */
const ANY_CITATION = /(?<=[(,] ?)([A-Z][A-Z\d]{1,5})-\d{1,3}(?=[),])/g;
const STANDARDS = new Set(["AIP", "ISO", "RFC", "SHA", "UTF"]);

/** Numbered sections of pages that are not in the repository: `(some-page 1.7)`, `page 13.1,`, `reference section 2.9`. */
const ELSEWHERE = [
  /\((?:reference: )?[a-z]+-[a-z]+ \d+(?:\.\d+)*[,)]/,
  /\((?:reference: )?[a-z]+ \d{1,2}\.\d{1,2}[,)]/,
  /"[a-z]+-[a-z]+ \d+\.\d+/,
  /\breference(?:\s+\*)?\s+section\b/,
  /\breference\/[a-z]+\.md/,
  /\bsection \d[\d.]* of the reference\b/,
];

describe("docs/spec", () => {
  it("has rules with an id, the anchor of that id and their evidence", () => {
    assert.ok(rules.length > 100);
    for (const { id, anchor, page, evidence } of rules) {
      assert.match(id, /^[A-Z][A-Z\d]*-\d+$/, page);
      assert.equal(anchor, id.toLowerCase());
      assert.ok(evidence.length > 0 && evidence.every((word) => EVIDENCE.includes(word)), `${id}: ${evidence}`);
    }
  });

  it("gives each id once, and each prefix to one page", () => {
    assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length);
    const pages = new Set(rules.map(({ id, page }) => `${id.split("-")[0]} ${page}`));
    assert.equal(pages.size, prefixes.length);
  });

  it("has every rule that is cited", () => {
    const known = new Set(rules.map(({ id }) => id));
    assert.deepEqual(
      citations.filter(({ id }) => !known.has(id)),
      [],
    );
  });

  it("has a page for every prefix that is cited", () => {
    const known = new Set([...prefixes, ...STANDARDS]);
    assert.deepEqual(
      files.flatMap(({ path, text }) =>
        [...text.matchAll(ANY_CITATION)].flatMap(([id, prefix = ""]) => (known.has(prefix) ? [] : [`${path}: ${id}`])),
      ),
      [],
    );
  });

  it("lists every page with the prefix of its rules", () => {
    const readme = readFileSync(join(SPEC, "README.md"), "utf8");
    const listed = [...readme.matchAll(/^\| \[([\w-]+\.md)\]\(\1\) \| `([A-Z\d]+)` \|/gm)].map(
      ([, page, prefix]) => `${prefix} ${page}`,
    );
    const pages = new Set(rules.map(({ id, page }) => `${id.split("-")[0]} ${page}`));
    assert.deepEqual(listed.sort(), [...pages].sort());
  });

  it("has no rule that neither code nor a test cites", () => {
    const cited = new Set(citations.filter(({ path }) => !path.endsWith(".md")).map(({ id }) => id));
    assert.deepEqual(
      rules.filter(({ id }) => !cited.has(id)).map(({ id }) => id),
      [],
    );
  });

  it("is what the repository cites, and not pages that only their authors can open", () => {
    assert.deepEqual(
      files.flatMap(({ path, text }) =>
        ELSEWHERE.flatMap((form) => form.exec(text)?.[0] ?? []).map((found) => `${path}: ${found}`),
      ),
      [],
    );
  });
});
