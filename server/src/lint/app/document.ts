import {
  findNodeAtLocation,
  type Node as JsonNode,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  parseDocument,
  visit,
  type Document as YamlDocument,
} from "yaml";
import { isJsonObject, type JsonObject, yamlValue } from "#base";
import type { Place } from "../contract.ts";
import type { SourceText } from "./source-text.ts";

/** Keys and indices from the top of a document to a value. */
export type Path = readonly (string | number)[];

/** A JSON or YAML file with the places of its values. */
export interface StructuredDocument {
  readonly source: SourceText;
  /** The file's value; undefined when it cannot be parsed. */
  readonly value: unknown;
  /** Why it cannot be parsed, at its place. */
  readonly problem?: { readonly place: Place; readonly message: string };
  /** Keys that an object has twice, at the second one. */
  readonly repeatedKeys: readonly { readonly place: Place; readonly key: string }[];
  /** Where a value is, from and to, in UTF-16 units; undefined when there is none. */
  span(path: Path): readonly [start: number, end: number] | undefined;
  /** Where a key is. */
  keySpan(path: Path): readonly [start: number, end: number] | undefined;
}

/** Parses a file by its ending: `.json` is JSON, anything else YAML. */
export function parseStructured(source: SourceText): StructuredDocument {
  try {
    return source.file.endsWith(".json") ? parseJsonDocument(source) : parseYamlDocument(source);
  } catch (error) {
    // Both parsers are recursive: a text with ten thousands of levels exceeds the engine's stack.
    if (!(error instanceof RangeError)) throw error;
    const problem = { place: source.placeAt(0), message: "nested too deeply" };
    return { source, value: undefined, problem, repeatedKeys: [], span: () => undefined, keySpan: () => undefined };
  }
}

/** The object of a document; empty when it is another value. */
export function objectOf({ value }: StructuredDocument): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The place of a value, or of the nearest value around it. */
export function placeOf(document: StructuredDocument, path: Path): Place {
  for (let length = path.length; length >= 0; length -= 1) {
    const span = document.span(path.slice(0, length));
    if (span) return document.source.placeAt(span[0]);
  }
  return document.source.placeAt(0);
}

function parseJsonDocument(source: SourceText): StructuredDocument {
  // A byte order mark is no part of the text; a space keeps the offsets.
  const text = source.text.replace(/^\uFEFF/, " ");
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const node = (path: Path) => (root ? findNodeAtLocation(root, [...path]) : undefined);
  const [error] = errors;
  return {
    source,
    value: error ? undefined : parsedJson(text),
    ...(error && {
      problem: { place: source.placeAt(error.offset), message: words(printParseErrorCode(error.error)) },
    }),
    repeatedKeys: root ? repeatedJsonKeys(root, source) : [],
    span: (path) => spanOf(node(path)),
    keySpan: (path) => spanOf(node(path)?.parent?.children?.[0]),
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `CommaExpected` → `comma expected`. */
function words(code: string): string {
  return code.replace(/(?<=.)([A-Z])/g, " $1").toLowerCase();
}

function spanOf(node: JsonNode | undefined): readonly [number, number] | undefined {
  return node && [node.offset, node.offset + node.length];
}

function repeatedJsonKeys(root: JsonNode, source: SourceText): StructuredDocument["repeatedKeys"] {
  const found: { place: Place; key: string }[] = [];
  const pending = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const keys = new Set<string>();
    for (const child of node.children ?? []) {
      pending.push(child);
      const key = node.type === "object" ? child.children?.[0] : undefined;
      if (!key) continue;
      if (keys.has(String(key.value))) found.push({ place: source.placeAt(key.offset), key: String(key.value) });
      keys.add(String(key.value));
    }
  }
  return found;
}

function parseYamlDocument(source: SourceText): StructuredDocument {
  const options = { schema: "core", merge: true, uniqueKeys: false, prettyErrors: false } as const;
  const document = parseDocument(source.text, options);
  const [error] = document.errors;
  const node = (path: Path) => (path.length === 0 ? document.contents : document.getIn([...path], true));
  const value = error
    ? { problem: { place: source.placeAt(error.pos[0]), message: error.message } }
    : readValue(document, source);
  return {
    source,
    value: undefined,
    ...value,
    repeatedKeys: repeatedYamlKeys(document, source),
    span: (path) => rangeOf(node(path)),
    keySpan: (path) => rangeOf(keyNode(document, path)),
  };
}

function readValue(document: YamlDocument.Parsed, source: SourceText): Pick<StructuredDocument, "value" | "problem"> {
  const found = yamlValue(document);
  if (!("problem" in found)) return found;
  return { value: undefined, problem: { place: source.placeAt(found.offset), message: found.problem } };
}

function keyNode(document: YamlDocument, path: Path): unknown {
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  const key = path.at(-1);
  return isMap(parent) ? parent.items.find((item) => isScalar(item.key) && item.key.value === key)?.key : undefined;
}

function rangeOf(node: unknown): readonly [number, number] | undefined {
  if (!isNode(node) || !(isScalar(node) || isCollection(node) || isAlias(node)) || !node.range) return undefined;
  return [node.range[0], node.range[1]];
}

function repeatedYamlKeys(document: YamlDocument, source: SourceText): StructuredDocument["repeatedKeys"] {
  const found: { place: Place; key: string }[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === "<<") continue;
        if (keys.has(key.value)) found.push({ place: source.placeAt(key.range?.[0] ?? 0), key: String(key.value) });
        keys.add(key.value);
      }
    },
  });
  return found;
}
