import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cell, code, paragraphs, type ReferencePage, table } from "./markdown.ts";

const STUB = readFileSync(join(import.meta.dirname, "..", "guest", "frontdesk.pyi"), "utf8");

/** A class or function of the stub: the lines of its body are without their indentation. */
interface Definition {
  readonly head: string;
  readonly body: readonly string[];
}

/** A page for each class that Python of an app sees, and one for the names that are there without a class. */
export function pythonPages(): readonly ReferencePage[] {
  const lines = STUB.split("\n");
  const start = lines.findIndex((line) => line.startsWith("class "));
  const definitions = definitionsOf(lines.slice(start));
  const classes = definitions.filter(({ head }) => /^class [A-Za-z]/.test(head));
  const globals = definitions.filter(({ head }) => /^(def|\w+:)/.test(head));
  return [globalsPage(globals), ...classes.map(classPage)];
}

function globalsPage(globals: readonly Definition[]): ReferencePage {
  const rows = globals.map(({ head }) => [code(signatureOf(head))]);
  return {
    path: "reference/python/names",
    title: "Names without import",
    text: paragraphs(
      "# Python: names without an import",
      "For those who write tools and callbacks in Python. These names are there in every file of an app, beside the classes of this reference; what runs when is on [the page of Python](../../python.md).",
      table(["name"], rows),
    ),
  };
}

function classPage({ head, body }: Definition): ReferencePage {
  const [, name = "", bases = ""] = /^class (\w+)(?:\((.*)\))?:/.exec(head) ?? [];
  const members = definitionsOf(body.filter((line) => !/^"""/.test(line)));
  const fields = members.filter(({ head: line }) => /^\w+(:| =)/.test(line));
  const methods = members.filter(({ head: line }) => /^(@|def )/.test(line));
  return {
    path: `reference/python/${name}`,
    title: name,
    text: paragraphs(
      `# Python: ${name}`,
      `${cell(docstringOf(body)) || `For tools and callbacks in Python: the class ${code(name)}.`}${bases.includes("_Model") ? " It has the manner of a Pydantic model: keyword arguments, `model_dump()`, `model_validate()`." : basesText(bases)}`,
      fields.length > 0 ? "## Fields" : "",
      table(
        ["field", "type"],
        fields.map(({ head: line }) => {
          const [field = "", ...type] = line.split(/: | = /);
          return [code(field), code(type.join(" = "))];
        }),
      ),
      methods.length > 0 ? "## Methods" : "",
      table(
        ["method", "what it does"],
        methods.map(({ head: line, body: inner }) => [code(signatureOf(line)), cell(docstringOf(inner))]),
      ),
    ),
  };
}

function basesText(bases: string): string {
  const own = bases.split(",")[0]?.trim() ?? "";
  return /^[A-Z]\w+Context$/.test(own) ? ` It has all of [${own}](${own}.md).` : "";
}

/** Decorators belong to what follows; lines that are indented to what is before them. */
function definitionsOf(lines: readonly string[]): readonly Definition[] {
  const found: { head: string; body: string[] }[] = [];
  let prefix = "";
  for (const line of lines) {
    if (line.trim() === "") continue;
    const last = found.at(-1);
    if (line.startsWith("    ") && last) last.body.push(line.slice(4));
    else if (line.startsWith(")") && last) last.head += line;
    else if (line.startsWith("@")) prefix = `${line} `;
    else {
      found.push({ head: prefix + line, body: [] });
      prefix = "";
    }
  }
  return found.map(({ head, body }) =>
    head.includes("(") && !/\).*:/.test(head.replace(/^@\S+ /, ""))
      ? { head: `${head}${body.join(" ")}`, body: [] }
      : { head: /\($/.test(head.split(")")[0] ?? "") ? `${head.split(")")[0]}${body.join(" ")})` : head, body },
  );
}

function docstringOf(body: readonly string[]): string {
  const text = body.join("\n");
  return /^"""(.*?)"""/s.exec(text)?.[1] ?? "";
}

function signatureOf(head: string): string {
  return head
    .replace(/^(?:@\S+ )*def /, "")
    .replace(/\b(self|cls)(, )?/, "")
    .replace(/:\s*\.\.\.$|:$/, "")
    .replace(/\s+/g, " ");
}
