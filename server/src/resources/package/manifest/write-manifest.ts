import { unreachable } from "#base";
import { type PackageFile, textFile } from "../package-files.ts";
import type { Document, Member } from "./document.ts";
import { PyYamlEmitter } from "./py-yaml-emitter.ts";

/** The format of a package's manifests. */
export type ManifestFormat = "json" | "yaml";

/** A manifest file; `stem` is the path without its extension. */
export function manifestFile(stem: string, document: Document, format: ManifestFormat): PackageFile {
  return textFile(`${stem}.${format}`, format === "json" ? writeJson(document) : writeYaml(document));
}

/**
 * A document as the hosted product writes JSON, byte for byte (PKG-11): two spaces, lists on the line of their
 * key, objects of a list as `[{ … }, { … }]`, an empty object as two braces on two lines, no newline at the end.
 */
export function writeJson(document: Document): string {
  return jsonOf(document, "");
}

const JSON_INDENT = "  ";

function jsonOf(document: Document, indent: string): string {
  switch (document.kind) {
    case "text":
      return quote(document.text);
    case "literal":
      return document.text;
    case "list":
      return `[${document.items.map((item) => jsonOf(item, indent)).join(", ")}]`;
    case "object":
      return jsonObject(document.members, indent);
    default:
      return unreachable(document);
  }
}

function jsonObject(members: readonly Member[], indent: string): string {
  const lines = members.map(
    ([key, value]) => `${indent}${JSON_INDENT}${quote(key)}: ${jsonOf(value, indent + JSON_INDENT)}`,
  );
  return `{\n${lines.join(",\n")}${lines.length > 0 ? "\n" : ""}${indent}}`;
}

/** Escaped beside JSON's own escapes: characters that could end a script element or a quoted attribute, and the two line separators. */
const ESCAPED = /[<>&='\u2028\u2029]/g;

function quote(text: string): string {
  return JSON.stringify(text).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * A document as the hosted product writes YAML (PKG-14): block style, lists not indented under their key, empty
 * messages as `{}`, a newline at the end.
 */
export function writeYaml(document: Document): string {
  const emitter = new PyYamlEmitter();
  if (document.kind === "object" && document.members.length > 0) writeMembers(emitter, document.members, 0);
  else if (document.kind === "list" && document.items.length > 0) writeItems(emitter, document.items, 0);
  else writeInline(emitter, document, 2);
  return emitter.finish().replace(/^ /, "");
}

const YAML_INDENT = 2;

/** Called at the column of the first key. */
function writeMembers(emitter: PyYamlEmitter, members: readonly Member[], indent: number): void {
  for (const [index, [key, value]] of members.entries()) {
    if (index > 0) emitter.newLine(indent);
    emitter.key(key);
    emitter.put(":");
    writeValue(emitter, value, indent);
  }
}

function writeValue(emitter: PyYamlEmitter, value: Document, indent: number): void {
  if (value.kind === "object" && value.members.length > 0) {
    emitter.newLine(indent + YAML_INDENT);
    writeMembers(emitter, value.members, indent + YAML_INDENT);
  } else if (value.kind === "list" && value.items.length > 0) {
    emitter.newLine(indent);
    writeItems(emitter, value.items, indent);
  } else writeInline(emitter, value, indent + YAML_INDENT);
}

/** Called at the column of the first dash. */
function writeItems(emitter: PyYamlEmitter, items: readonly Document[], indent: number): void {
  for (const [index, item] of items.entries()) {
    if (index > 0) emitter.newLine(indent);
    emitter.put("-");
    if (item.kind === "object" && item.members.length > 0) {
      emitter.put(" ");
      writeMembers(emitter, item.members, indent + YAML_INDENT);
    } else if (item.kind === "list" && item.items.length > 0) {
      emitter.put(" ");
      writeItems(emitter, item.items, indent + YAML_INDENT);
    } else writeInline(emitter, item, indent + YAML_INDENT);
  }
}

function writeInline(emitter: PyYamlEmitter, value: Document, indent: number): void {
  if (value.kind === "text") emitter.text(value.text, indent);
  else if (value.kind === "literal") emitter.put(` ${value.text}`);
  else emitter.put(value.kind === "list" ? " []" : " {}");
}
