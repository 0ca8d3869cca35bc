import { readFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = readFileSync(join(import.meta.dirname, "..", "..", "docs", "configuration.md"), "utf8");

/** What the tables of docs/configuration.md say of a key. */
export interface KeyRow {
  readonly meaning: string;
  /** Markdown; empty for a key that has no default. */
  readonly fallback: string;
}

/** Where a table of the page has its keys, by its heading: before each of them stands one of these. */
const PREFIXES: Readonly<Record<string, readonly string[]>> = {
  "Settings of the server": [""],
  Models: ["models."],
  Search: ["search."],
  Speech: ["speech."],
  "Services of Google Cloud": ["dialogflow.", "dlp.", "bigqueryExport.", "cloudLogging.", "cloudStorage."],
  "Connectors and remote agents": ["connectors.http[]."],
  "Questions about data": [""],
};

/** The rows of the page by the key that they are of, exactly; `known`: the keys of the schema. */
export function keyRows(known: ReadonlySet<string>): ReadonlyMap<string, KeyRow> {
  const rows = new Map<string, KeyRow>();
  for (const section of PAGE.split(/^## /m).slice(1)) {
    const prefixes = PREFIXES[section.split("\n", 1)[0] ?? ""] ?? [];
    for (const table of section.match(/(?:^\|.*\n)+/gm) ?? [])
      for (const [key, row] of rowsOf(table)) for (const prefix of prefixes) addTo(rows, `${prefix}${key}`, row, known);
  }
  return rows;
}

/** A key that only some of the sections of a heading have is a row of these. */
function addTo(rows: Map<string, KeyRow>, key: string, row: KeyRow, known: ReadonlySet<string>): void {
  if (known.has(key)) rows.set(key, row);
}

function rowsOf(table: string): readonly (readonly [string, KeyRow])[] {
  const [head = [], , ...lines] = table.trimEnd().split("\n").map(cellsOf);
  const at = head.findIndex((name) => name === "file" || name === "key");
  const fallbackAt = head.indexOf("default");
  if (at < 0) return [];
  return lines.flatMap((cells) => {
    const keys = keysIn(cells[at] ?? "");
    const fallbacks = fallbacksOf(cells[fallbackAt] ?? "", keys.length);
    return keys.map((key, index): [string, KeyRow] => [
      key,
      { meaning: cells.at(-1) ?? "", fallback: fallbacks[index] ?? "" },
    ]);
  });
}

function cellsOf(line: string): readonly string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((text) => text.trim());
}

/** `` `breaker.failures`, `.openMs` `` are two keys: the second is the first with another ending. */
function keysIn(text: string): readonly string[] {
  let before = "";
  return [...text.matchAll(/`([^`]+)`/g)].map(([, written = ""]) => {
    const ending = written.startsWith(".") ? written.slice(1).split(".") : [];
    const key = ending.length > 0 ? [...before.split(".").slice(0, -ending.length), ...ending].join(".") : written;
    before = key;
    return key.replace(/\.(\*|<id>)(?=\.|$)/g, ".<name>");
  });
}

/** One default for each key where as many are listed; else what is written holds for all of them. */
function fallbacksOf(text: string, keys: number): readonly string[] {
  const listed = text.split(/,\s/).map((one) => one.trim());
  const all = keys > 1 && listed.length === keys ? listed : Array.from({ length: keys }, () => text);
  return all.map((one) => (one === "none" ? "" : one));
}
