import { FileFault, type SourceFile } from "../../files/located.ts";

/** A parameter of LookML, or a block such as `dimension: id { … }`. */
export interface LookmlNode {
  readonly file: string;
  readonly line: number;
  readonly key: string;
  /** Name of a block; "" for others. */
  readonly name: string;
  /** Of a parameter. */
  readonly text?: string;
  /** Of a list; those of `[key: "value"]` have a key. */
  readonly items?: readonly { readonly key?: string; readonly text: string }[];
  /** Of a block. */
  readonly children: readonly LookmlNode[];
}

const TOKEN = /#[^\n]*|\s+|"((?:[^"\\]|\\.)*)"|([+A-Za-z_][\w.@+*-]*|[\d.-][\w.-]*)|([:{}[\],])/gy;
/** Parameters whose value goes on until `;;`. */
const LONG = /^(sql\w*|html|expression\w*)$/;

/** Parses a file of LookML; `FileFault` with the line where it is none. */
export function parseLookml(file: SourceFile): readonly LookmlNode[] {
  const scanner = createScanner(file);
  const nodes = readEntries(scanner);
  if (scanner.peek()) scanner.fail(`${scanner.peek()?.text} stands alone`);
  return nodes;
}

interface Token {
  readonly kind: "text" | "word" | "symbol";
  readonly text: string;
  readonly line: number;
}

interface Scanner {
  readonly path: string;
  peek(): Token | undefined;
  next(): Token;
  /** Text until `;;`. */
  long(): string;
  fail(message: string): never;
}

function createScanner({ path, text }: SourceFile): Scanner {
  let at = 0;
  let line = 1;
  let ahead: Token | undefined;
  const advance = (piece: string) => {
    at += piece.length;
    line += piece.split("\n").length - 1;
  };
  const fail = (message: string): never => {
    throw new FileFault(`${path}:${line}: ${message}`);
  };
  const read = (): Token | undefined => {
    while (at < text.length) {
      TOKEN.lastIndex = at;
      const match = TOKEN.exec(text) ?? fail(`${JSON.stringify(text[at])} is not expected`);
      const [piece, string, word, symbol] = match;
      const found = { line };
      advance(piece);
      if (string !== undefined) return { ...found, kind: "text", text: string.replace(/\\(["\\])/g, "$1") };
      if (word !== undefined) return { ...found, kind: "word", text: word };
      if (symbol !== undefined) return { ...found, kind: "symbol", text: symbol };
    }
    return undefined;
  };
  return {
    path,
    fail,
    peek: () => {
      ahead ??= read();
      return ahead;
    },
    next() {
      const token = this.peek() ?? fail("the file ends in the middle");
      ahead = undefined;
      return token;
    },
    long() {
      const end = text.indexOf(";;", at);
      if (end < 0) fail("there is no ;; behind it");
      const found = text.slice(at, end);
      advance(text.slice(at, end + 2));
      return found.trim();
    },
  };
}

function readEntries(scanner: Scanner): readonly LookmlNode[] {
  const nodes: LookmlNode[] = [];
  while (scanner.peek()?.kind === "word") nodes.push(readEntry(scanner));
  return nodes;
}

function readEntry(scanner: Scanner): LookmlNode {
  const { text: key, line } = scanner.next();
  if (scanner.next().text !== ":") scanner.fail(`a colon is missing behind ${key}`);
  const own = { file: scanner.path, line, key, name: "", children: [] };
  if (LONG.test(key)) return { ...own, text: scanner.long() };
  const value = scanner.next();
  if (value.kind === "symbol" && value.text === "{") return { ...own, children: readBlock(scanner) };
  if (value.kind === "symbol" && value.text === "[") return { ...own, items: readList(scanner) };
  if (value.kind === "symbol") scanner.fail(`${value.text} is not expected behind ${key}`);
  const next = scanner.peek();
  if (value.kind === "word" && next?.kind === "symbol" && next.text === "{") {
    scanner.next();
    return { ...own, name: value.text, children: readBlock(scanner) };
  }
  return { ...own, text: value.text };
}

function readBlock(scanner: Scanner): readonly LookmlNode[] {
  const children = readEntries(scanner);
  if (scanner.next().text !== "}") scanner.fail("a closing brace is missing");
  return children;
}

function readList(scanner: Scanner): NonNullable<LookmlNode["items"]> {
  const items: { key?: string; text: string }[] = [];
  for (;;) {
    const token = scanner.next();
    if (token.text === "]" && token.kind === "symbol") return items;
    if (token.text === "," && token.kind === "symbol") continue;
    const colon = scanner.peek();
    if (colon?.kind === "symbol" && colon.text === ":") {
      scanner.next();
      items.push({ key: token.text, text: scanner.next().text });
    } else items.push({ text: token.text });
  }
}

/** The parameter of a block. */
export function parameter(node: LookmlNode, key: string): LookmlNode | undefined {
  return node.children.find((child) => child.key === key && child.name === "");
}

/** The text of a parameter of a block; undefined where it is empty or missing. */
export function textOf(node: LookmlNode, key: string): string | undefined {
  const text = parameter(node, key)?.text;
  return text === "" ? undefined : text;
}
