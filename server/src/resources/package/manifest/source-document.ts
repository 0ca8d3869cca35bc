import { type Node as JsonNode, parseTree } from "jsonc-parser";
import { isAlias, isMap, isScalar, isSeq, parseDocument, type Node as YamlNode, type Document as YamlText } from "yaml";
import { isJsonObject, type JsonObject } from "#base";
import type { Document, Member } from "./document.ts";
import { YAML_OPTIONS } from "./parse-text.ts";

/** The document of an object of a parsed manifest, in the file's own spelling of numbers and order of keys. */
export type SourceOf = (object: JsonObject) => Document | undefined;

/** The documents of all objects of a manifest, whose value is `json`. The file's is made at the first call only, because few manifests have unknown fields. */
export function documentsOf(json: JsonObject, documentOfFile: () => Document): SourceOf {
  let documents: WeakMap<object, Document> | undefined;
  return (object) => {
    documents ??= documentsByObject(json, documentOfFile());
    return documents.get(object);
  };
}

/** The document of a manifest's text, which must be valid, by its file name. */
export function documentOfText(path: string, text: string): Document {
  return path.endsWith(".json") ? documentOfJson(text) : documentOfYaml(text);
}

function documentsByObject(json: JsonObject, root: Document): WeakMap<object, Document> {
  const found = new WeakMap<object, Document>();
  const visit = (value: unknown, document: Document | undefined): void => {
    if (Array.isArray(value) && document?.kind === "list") {
      for (const [index, item] of value.entries()) visit(item, document.items[index]);
    } else if (isJsonObject(value) && document?.kind === "object") {
      found.set(value, document);
      // The last of repeated keys counts.
      const members = new Map(document.members);
      for (const [key, item] of Object.entries(value)) visit(item, members.get(key));
    }
  };
  visit(json, root);
  return found;
}

/** Valid JSON as a document; numbers keep their spelling and objects the order of their keys. */
export function documentOfJson(text: string): Document {
  const root = parseTree(text);
  return root ? jsonNode(root, text) : { kind: "literal", text: "null" };
}

function jsonNode(node: JsonNode, text: string): Document {
  const { type, children = [], value, offset, length } = node;
  if (type === "array") return { kind: "list", items: children.map((child) => jsonNode(child, text)) };
  if (type === "string") return { kind: "text", text: String(value) };
  if (type !== "object") return { kind: "literal", text: text.slice(offset, offset + length) };
  const members = children.flatMap(({ children: [key, item] = [] }): readonly Member[] =>
    key && item ? [[String(key.value), jsonNode(item, text)]] : [],
  );
  return { kind: "object", members };
}

/** Valid YAML as a document; aliases and merge keys are what they stand for. */
function documentOfYaml(text: string): Document {
  const document = parseDocument(text, YAML_OPTIONS);
  return yamlNode(document.contents, document);
}

function yamlNode(node: unknown, document: YamlText): Document {
  if (isAlias(node)) return yamlNode(node.resolve(document), document);
  if (isSeq(node)) return { kind: "list", items: node.items.map((item) => yamlNode(item, document)) };
  if (isMap(node))
    return { kind: "object", members: node.items.flatMap(({ key, value }) => yamlMember(key, value, document)) };
  if (!isScalar(node)) return { kind: "literal", text: "null" };
  const { value, source } = node;
  if (typeof value === "string") return { kind: "text", text: value };
  if (typeof value !== "number") return { kind: "literal", text: String(value) };
  if (source !== undefined && JSON_NUMBER.test(source)) return { kind: "literal", text: source };
  return Number.isFinite(value) ? { kind: "literal", text: String(value) } : { kind: "text", text: String(value) };
}

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;

function yamlMember(key: unknown, value: unknown, document: YamlText): readonly Member[] {
  const name = isScalar(key) ? String(key.value) : String(key);
  if (name !== "<<") return [[name, yamlNode(value as YamlNode, document)]];
  const merged = yamlNode(value as YamlNode, document);
  const sources = merged.kind === "list" ? merged.items : [merged];
  return sources.flatMap((source) => (source.kind === "object" ? source.members : []));
}

/** A document as JSON text in one line. */
export function jsonOfDocument(document: Document): string {
  if (document.kind === "literal") return document.text;
  if (document.kind === "text") return JSON.stringify(document.text);
  if (document.kind === "list") return `[${document.items.map(jsonOfDocument).join(",")}]`;
  return `{${document.members.map(([key, value]) => `${JSON.stringify(key)}:${jsonOfDocument(value)}`).join(",")}}`;
}
