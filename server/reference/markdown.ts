/** A page of the reference: its path below docs/ without ending, and its Markdown. */
export interface ReferencePage {
  /** E.g. `reference/commands/deploy`. */
  readonly path: string;
  /** How lists of pages name it. */
  readonly title: string;
  readonly text: string;
}

/** Texts of definitions as Markdown that renders as it is written: no markup of pages, and no links into the definitions. */
export function prose(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\[[\w.]*\]/g, "$1")
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : escaped(part)))
    .join("");
}

/** The same on one line, for a cell of a table. */
export function cell(text: string): string {
  return prose(text).replace(/\s+/g, " ").trim().replaceAll("|", "\\|");
}

function escaped(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll("{", "&#123;");
}

/** Code on one line, which may have any characters but backticks. */
export function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}

/** A table; its cells are Markdown already. Nothing without rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Paragraphs and tables as one text; empty ones are left out. */
export function paragraphs(...parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** The address of one page from another one. */
export function linkTo(from: string, to: string, anchor = ""): string {
  const up = "../".repeat(from.split("/").length - 1);
  return `${up}${to}.md${anchor && `#${anchor}`}`;
}
