import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { type JsonValue, yamlValue } from "#base";

/** A file of a model. */
export interface SourceFile {
  /** As it is shown to people. */
  readonly path: string;
  readonly text: string;
}

/** What an import could not carry, and where it stands. */
export interface ImportNote {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** A value of a YAML or JSON file that knows its line. */
export interface Located {
  readonly file: string;
  readonly line: number;
  readonly value: JsonValue | undefined;
  get(key: string): Located | undefined;
  /** Of a list; none for other values. */
  items(): readonly Located[];
  /** Of a map; none for other values. */
  entries(): readonly (readonly [key: string, value: Located])[];
}

/** A file that is not what its name says. */
export class FileFault extends Error {
  override readonly name = "FileFault";
}

/** Reads YAML or JSON; `FileFault` with the line where it is neither. */
export function readLocated({ path, text }: SourceFile): Located {
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error) throw new FileFault(`${path}:${lineAt(error.pos[0])}: ${error.message.split("\n")[0]}`);
  const whole = yamlValue(document);
  if ("problem" in whole) throw new FileFault(`${path}:${lineAt(whole.offset)}: ${whole.problem}`);
  const lineOf = (node: unknown, line: number) => (isNode(node) && node.range ? lineAt(node.range[0]) : line);
  const located = (node: unknown, line: number): Located => {
    const own: Node | undefined = isAlias(node) ? node.resolve(document) : isNode(node) ? node : undefined;
    const readEntries = (): ReturnType<Located["entries"]> =>
      isMap(own)
        ? own.items.map(({ key, value }) => [
            isScalar(key) ? String(key.value) : String(key),
            located(value, lineOf(key, line)),
          ])
        : [];
    const readItems = () => (isSeq(own) ? own.items.map((item) => located(item, lineOf(item, line))) : []);
    let knownEntries: ReturnType<Located["entries"]> | undefined;
    let knownItems: ReturnType<Located["items"]> | undefined;
    const entries = () => {
      knownEntries ??= readEntries();
      return knownEntries;
    };
    return {
      file: path,
      line,
      get value() {
        return own?.toJS(document) as JsonValue | undefined;
      },
      get: (key) => entries().find(([name]) => name === key)?.[1],
      items: () => {
        knownItems ??= readItems();
        return knownItems;
      },
      entries,
    };
  };
  return located(document.contents, 1);
}

/** The text of a key; numbers and truth values as they are written. */
export function textAt(node: Located | undefined, key: string): string | undefined {
  return asText(node?.get(key));
}

/** The text of a value, without spaces around it; undefined for lists, objects and blanks. */
export function asText(node: Located | undefined): string | undefined {
  const value = node?.value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** The texts of a list, or one text. */
export function textsAt(node: Located | undefined, key: string): readonly string[] {
  const found = node?.get(key);
  const one = asText(found);
  return one === undefined ? (found?.items() ?? []).flatMap((item) => asText(item) ?? []) : [one];
}

/** Whether a key is the truth value `true`; a text that says so is none. */
export function isTrue(node: Located | undefined, key: string): boolean {
  return node?.get(key)?.value === true;
}
