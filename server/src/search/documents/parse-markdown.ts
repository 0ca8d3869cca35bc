import { parse as parseYaml } from "yaml";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { MAX_CHARACTERS, type ParsedDocument } from "./parsed-document.ts";

const FRONT_MATTER = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n/;

/** Splits Markdown at its headings. YAML front matter becomes metadata; its `title` and `url` are title and URI. */
export function parseMarkdown(markdown: string): ParsedDocument {
  const front = FRONT_MATTER.exec(markdown);
  const data = front ? frontMatter(front[1] ?? "") : {};
  const sections = sectionsOf(markdown.slice(front?.[0].length ?? 0, MAX_CHARACTERS));
  const title =
    typeof data.title === "string" ? data.title : (sections.find(({ level }) => level === 1)?.heading ?? "");
  return {
    title,
    uri: typeof data.url === "string" ? data.url : "",
    sections: sections.map(({ heading, text }) => ({ heading, text })).filter(({ heading, text }) => heading || text),
    data,
  };
}

/** Front matter that is not YAML is ignored. */
function frontMatter(yaml: string): JsonObject {
  try {
    const value = asJson(parseYaml(yaml, { maxAliasCount: 0 }));
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function sectionsOf(body: string) {
  const sections = [{ level: 0, heading: "", text: "" }];
  let fenced = false;
  for (const line of body.split(/\r?\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      fenced = !fenced;
      continue;
    }
    const heading = fenced ? undefined : /^(#{1,6})\s+(.*?)\s*#*$/.exec(line);
    const section = sections.at(-1);
    if (heading) sections.push({ level: heading[1]?.length ?? 1, heading: plain(heading[2] ?? ""), text: "" });
    else if (section) section.text += `${fenced ? line : plain(line)}\n`;
  }
  return sections.map((section) => ({ ...section, text: section.text.trim() }));
}

/** A line as plain text: links and images by their text, no emphasis, no list or quote marks. */
function plain(line: string): string {
  return line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__|`)/g, "")
    .replace(/^\s*(?:[-*+]|>)\s+/, "")
    .trim();
}

/** A YAML value as JSON: times as ISO 8601, unsupported values as null. */
function asJson(value: unknown): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== "object") return value === undefined ? null : String(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asJson(member)]));
}
