import { unreachable } from "#base";
import type { Document, Member } from "./document.ts";

/**
 * A document as the hosted product writes JSON, byte for byte (PKG-11): two spaces, lists on the line of their
 * key, objects of a list as `[{ … }, { … }]`, an empty object as two braces on two lines, no newline at the end.
 */
export function writeJson(document: Document): string {
  return write(document, "");
}

const STEP = "  ";

function write(document: Document, indent: string): string {
  switch (document.kind) {
    case "text":
      return quote(document.text);
    case "literal":
      return document.text;
    case "list":
      return `[${document.items.map((item) => write(item, indent)).join(", ")}]`;
    case "object":
      return writeObject(document.members, indent);
    default:
      return unreachable(document);
  }
}

function writeObject(members: readonly Member[], indent: string): string {
  const lines = members.map(([key, value]) => `${indent}${STEP}${quote(key)}: ${write(value, indent + STEP)}`);
  return `{\n${lines.join(",\n")}${lines.length > 0 ? "\n" : ""}${indent}}`;
}

/** Beside JSON's own escapes: characters that could end a script element or a quoted attribute, and the two line separators. */
const ESCAPED = /[<>&='\u2028\u2029]/g;

function quote(text: string): string {
  return JSON.stringify(text).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
