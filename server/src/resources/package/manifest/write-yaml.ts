import type { Document, Member } from "./document.ts";
import { YamlPen } from "./yaml-pen.ts";

/**
 * A document as the hosted product writes YAML (PKG-14): block style, lists not indented under their key, empty
 * messages as `{}`, a newline at the end.
 */
export function writeYaml(document: Document): string {
  const pen = new YamlPen();
  if (document.kind === "object" && document.members.length > 0) writeMembers(pen, document.members, 0);
  else if (document.kind === "list" && document.items.length > 0) writeItems(pen, document.items, 0);
  else writeInline(pen, document, 2);
  return pen.finish().replace(/^ /, "");
}

const STEP = 2;

/** The pen stands where the first key goes. */
function writeMembers(pen: YamlPen, members: readonly Member[], indent: number): void {
  for (const [index, [key, value]] of members.entries()) {
    if (index > 0) pen.newLine(indent);
    pen.key(key);
    pen.put(":");
    writeValue(pen, value, indent);
  }
}

function writeValue(pen: YamlPen, value: Document, indent: number): void {
  if (value.kind === "object" && value.members.length > 0) {
    pen.newLine(indent + STEP);
    writeMembers(pen, value.members, indent + STEP);
  } else if (value.kind === "list" && value.items.length > 0) {
    pen.newLine(indent);
    writeItems(pen, value.items, indent);
  } else writeInline(pen, value, indent + STEP);
}

/** The pen stands where the first dash goes. */
function writeItems(pen: YamlPen, items: readonly Document[], indent: number): void {
  for (const [index, item] of items.entries()) {
    if (index > 0) pen.newLine(indent);
    pen.put("-");
    if (item.kind === "object" && item.members.length > 0) {
      pen.put(" ");
      writeMembers(pen, item.members, indent + STEP);
    } else if (item.kind === "list" && item.items.length > 0) {
      pen.put(" ");
      writeItems(pen, item.items, indent + STEP);
    } else writeInline(pen, item, indent + STEP);
  }
}

function writeInline(pen: YamlPen, value: Document, indent: number): void {
  if (value.kind === "text") pen.text(value.text, indent);
  else if (value.kind === "literal") pen.put(` ${value.text}`);
  else pen.put(value.kind === "list" ? " []" : " {}");
}
