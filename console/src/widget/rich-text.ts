import { make, makeLink } from "./dom.ts";

/** How far quotes and lists are read inside one another; what is deeper stays as it was written. */
const DEEPEST = 6;

/** What agents write: the Markdown of chats, without HTML. What is none of it stays as it was written. */
export function richText(text: string): readonly HTMLElement[] {
  return blocksOf(text.replace(/\r\n?/g, "\n").split("\n"), 0);
}

/** A block at the beginning of some lines, and how many of them it takes. */
interface Block {
  readonly element: HTMLElement;
  readonly length: number;
}

/** Lists, quotes, tables and code may stand right below the sentence that announces them. */
function blocksOf(lines: readonly string[], depth: number): readonly HTMLElement[] {
  const found: HTMLElement[] = [];
  let paragraph: string[] = [];
  const finish = () => {
    if (paragraph.length > 0) found.push(paragraphOf(paragraph));
    paragraph = [];
  };
  for (let at = 0; at < lines.length; ) {
    const block = blockAt(lines, at, depth);
    if (block) {
      finish();
      found.push(block.element);
      at += block.length;
      continue;
    }
    const line = lines[at] ?? "";
    if (line.trim() === "") finish();
    else paragraph.push(line);
    at += 1;
  }
  finish();
  return found;
}

const FENCE = /^\s*(```|~~~)/;
const HEADING = /^\s*#{1,6}\s+/;
const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;
const QUOTE = /^\s*> ?/;
const BULLET = /^\s*[-*+•]\s+/;
const NUMBER = /^\s*\d+[.)]\s+/;
const COLUMNS = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

function blockAt(lines: readonly string[], at: number, depth: number): Block | undefined {
  const line = lines[at] ?? "";
  const fence = FENCE.exec(line)?.[1];
  if (fence) return codeAt(lines, at, fence);
  if (HEADING.test(line)) return { element: headingOf(line), length: 1 };
  if (RULE.test(line)) return { element: make("hr"), length: 1 };
  if (line.includes("|") && COLUMNS.test(lines[at + 1] ?? "") && lines[at + 1]?.includes("|"))
    return tableAt(lines, at);
  if (depth >= DEEPEST) return undefined;
  if (QUOTE.test(line)) return quoteAt(lines, at, depth);
  return BULLET.test(line) || NUMBER.test(line) ? listAt(lines, at, depth) : undefined;
}

function headingOf(line: string): HTMLElement {
  return make("p", { className: "title" }, ...spansOf(line.replace(HEADING, "")));
}

/** Code runs to its end mark, or to the end while it is still being written. */
function codeAt(lines: readonly string[], at: number, fence: string): Block {
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line.trim() === fence);
  const inside = end < 0 ? rest : rest.slice(0, end);
  return {
    element: make("pre", {}, make("code", {}, inside.join("\n"))),
    length: inside.length + (end < 0 ? 1 : 2),
  };
}

function quoteAt(lines: readonly string[], at: number, depth: number): Block {
  const inside = takeWhile(lines.slice(at), (line) => QUOTE.test(line));
  const words = inside.map((line) => line.replace(QUOTE, ""));
  return { element: make("blockquote", {}, ...blocksOf(words, depth + 1)), length: inside.length };
}

function tableAt(lines: readonly string[], at: number): Block {
  const [head = "", , ...rest] = lines.slice(at);
  const rows = takeWhile(rest, (line) => line.includes("|"));
  const rowOf = (line: string, tag: "td" | "th") =>
    make("tr", {}, ...cellsOf(line).map((cell) => make(tag, {}, ...spansOf(cell))));
  return {
    element: make(
      "table",
      {},
      make("thead", {}, rowOf(head, "th")),
      make("tbody", {}, ...rows.map((row) => rowOf(row, "td"))),
    ),
    length: rows.length + 2,
  };
}

function cellsOf(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

/** A numbered list begins with the number that was written: with empty lines between them, each item is a list of its own. */
function listAt(lines: readonly string[], at: number, depth: number): Block {
  const first = lines[at] ?? "";
  const mark = BULLET.test(first) ? BULLET : NUMBER;
  const indent = indentOf(first);
  const isInside = (line: string) => line.trim() !== "" && indentOf(line) > indent + 1;
  const all = takeWhile(lines.slice(at), (line) => isInside(line) || mark.test(line));
  const items: { readonly words: string; readonly inside: string[] }[] = [];
  for (const line of all) {
    if (isInside(line)) items.at(-1)?.inside.push(line);
    else items.push({ words: line.replace(mark, ""), inside: [] });
  }
  const children = items.map(({ words, inside }) => make("li", {}, ...spansOf(words), ...blocksOf(inside, depth + 1)));
  const element =
    mark === BULLET
      ? make("ul", {}, ...children)
      : make("ol", { start: Number.parseInt(first.trim(), 10) }, ...children);
  return { element, length: all.length };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function takeWhile(lines: readonly string[], isTaken: (line: string) => boolean): readonly string[] {
  const end = lines.findIndex((line) => !isTaken(line));
  return end < 0 ? lines : lines.slice(0, end);
}

function paragraphOf(lines: readonly string[]): HTMLElement {
  return make("p", {}, ...lines.flatMap((line, at) => [...(at > 0 ? [make("br")] : []), ...spansOf(line.trim())]));
}

/** Labels have an end, so that a line of brackets takes no longer than another one. */
const SPAN = new RegExp(
  [
    /\\(?<escaped>[\\`*_{}[\]()#+\-.!~|>])/,
    /`(?<code>[^`\n]+)`/,
    /!?\[(?<label>[^\]\n]{1,300})\]\((?<target>(?:[^()\s]|\([^()\s]*\))+)\)/,
    /\*\*\*(?<both>[^*\n]+)\*\*\*/,
    /\*\*(?<bold>(?=\S)(?:[^*\n]|\*(?!\*))+)\*\*/,
    /(?<!\w)__(?<strong>(?=\S)[^_\n]+)__(?!\w)/,
    /(?<![\w*])\*(?=[^\s*])(?<slanted>[^*\n]*[^*\s])\*(?![\w*])/,
    /(?<!\w)_(?=[^\s_])(?<emphasized>[^_\n]*[^_\s])_(?!\w)/,
    /~~(?<struck>[^~\n]+)~~/,
    /(?<url>https?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?*_])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

function spansOf(line: string, depth = 0): readonly (Node | string)[] {
  if (depth > DEEPEST) return [line];
  const found: (Node | string)[] = [];
  let end = 0;
  for (const match of line.matchAll(SPAN)) {
    found.push(line.slice(end, match.index), spanOf(match.groups ?? {}, depth + 1));
    end = match.index + match[0].length;
  }
  return [...found, line.slice(end)];
}

function spanOf(groups: Readonly<Record<string, string | undefined>>, depth: number): Node | string {
  const { escaped, code, label, target = "", both, struck, url } = groups;
  if (escaped !== undefined) return escaped;
  if (code !== undefined) return make("code", {}, code);
  // A picture is a link, too: an address that somebody talked the model into must not be fetched by itself.
  if (label !== undefined) return makeLink(target, label, spansOf(label, depth));
  if (url !== undefined) return makeLink(url, url);
  if (struck !== undefined) return make("s", {}, ...spansOf(struck, depth));
  const strong = both ?? groups.bold ?? groups.strong;
  const slanted = groups.slanted ?? groups.emphasized ?? "";
  if (strong === undefined) return make("em", {}, ...spansOf(slanted, depth));
  const words = make("strong", {}, ...spansOf(strong, depth));
  return both === undefined ? words : make("em", {}, words);
}
