import { make, makeLink } from "./dom.ts";

/** What agents write: paragraphs, lists, bold words, code and links of Markdown. Everything else stays as it was written. */
export function richText(text: string): readonly HTMLElement[] {
  return text
    .trim()
    .split(/\n{2,}/)
    .flatMap((block) => blockOf(block.split("\n")));
}

/** Lines of one kind after each other are one list or paragraph: agents write lists right below the sentence that announces them. */
function blockOf(lines: readonly string[]): readonly HTMLElement[] {
  const runs: string[][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last && kindOf(last[0] ?? "") === kindOf(line)) last.push(line);
    else runs.push([line]);
  }
  return runs.map(elementOf);
}

function kindOf(line: string): "ul" | "ol" | "p" {
  if (BULLET.test(line)) return "ul";
  return NUMBER.test(line) ? "ol" : "p";
}

/** A numbered list begins with the number that was written: with empty lines between them, each item is a list of its own. */
function elementOf(lines: readonly string[]): HTMLElement {
  const kind = kindOf(lines[0] ?? "");
  if (kind === "ul") return listOf("ul", lines, BULLET);
  if (kind === "ol") return Object.assign(listOf("ol", lines, NUMBER), { start: Number.parseInt(lines[0] ?? "", 10) });
  const inside = lines.flatMap((line, at) => [...(at > 0 ? [make("br")] : []), ...spansOf(line.replace(HEADING, ""))]);
  return make("p", {}, ...inside);
}

const BULLET = /^\s*[-*•]\s+/;
const NUMBER = /^\s*\d+[.)]\s+/;
const HEADING = /^#{1,6}\s+/;
const SPAN =
  /\*\*(?<bold>[^*\n]+)\*\*|`(?<code>[^`\n]+)`|\[(?<label>[^\]\n]+)\]\((?<target>[^)\s]+)\)|(?<url>https?:\/\/[^\s<>"')]+[^\s<>"').,;:!?])/g;

function listOf(tag: "ul" | "ol", lines: readonly string[], mark: RegExp): HTMLElement {
  return make(tag, {}, ...lines.map((line) => make("li", {}, ...spansOf(line.replace(mark, "")))));
}

function spansOf(line: string): readonly (Node | string)[] {
  const found: (Node | string)[] = [];
  let end = 0;
  for (const match of line.matchAll(SPAN)) {
    found.push(line.slice(end, match.index), spanOf(match.groups ?? {}));
    end = match.index + match[0].length;
  }
  return [...found, line.slice(end)];
}

function spanOf({ bold, code, label, target, url }: Readonly<Record<string, string | undefined>>): Node {
  if (bold !== undefined) return make("strong", {}, bold);
  if (code !== undefined) return make("code", {}, code);
  if (url !== undefined) return makeLink(url, url);
  return makeLink(target ?? "", label ?? "");
}
