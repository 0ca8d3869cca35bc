/** A range of a text. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The value of a top-level field of a JSON object's text; undefined when it has none. It scans the brackets and builds no tree:
 * documents are large, and parsing one would block every conversation. The text must be JSON.
 */
export function locateJsonField(text: string, name: string): TextRange | undefined {
  const key = JSON.stringify(name);
  let depth = 0;
  let valueFrom = -1;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at);
        // At this depth a string before a colon is a key.
        if (depth === 1 && valueFrom < 0 && text.startsWith(key, at) && end - at === key.length)
          valueFrom = afterColon(text, end);
        at = end - 1;
        break;
      }
      case "{":
      case "[":
        depth++;
        break;
      case "}":
      case "]":
        depth--;
        if (valueFrom >= 0 && (depth === 1 || depth === 0)) return { start: valueFrom, end: depth === 1 ? at + 1 : at };
        break;
      case ",":
        if (valueFrom >= 0 && depth === 1) return { start: valueFrom, end: at };
        break;
    }
  }
  return undefined;
}

function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}

/** The start of the value of the key that ends here; -1 when it is no key. */
function afterColon(text: string, from: number): number {
  const colon = /\s*:\s*/y;
  colon.lastIndex = from;
  return colon.test(text) ? colon.lastIndex : -1;
}

/**
 * The lines of a top-level block field of a YAML text, from its key to the next one: only keys begin at the margin of a top-level mapping.
 * `"absent"` when there is no such field; undefined when the text has another layout, or the part refers to another part.
 */
export function locateYamlField(text: string, name: string): TextRange | "absent" | undefined {
  const first = /^(?![^\S\r\n\u2028\u2029]*(?:#.*)?$|---|%|\uFEFF)/m.exec(text);
  if (!first || !/[\w"']/.test(text.charAt(first.index)) || /^(?:\.\.\.|---\s+\S)/m.test(text)) return undefined;
  const key = new RegExp(`^(?:${name}|"${name}"|'${name}')[ \\t]*:(?=\\s)`, "m").exec(text);
  if (!key) return "absent";
  const rest = /^(?![\s#-]|$)/gm;
  rest.lastIndex = key.index + key[0].length;
  const next = rest.exec(text);
  const end = next ? next.index : text.length;
  return REFERENCE.test(text.slice(key.index, end)) ? undefined : { start: key.index, end };
}

/** An anchor or an alias; `&` and `*` inside words or before a space are neither. */
const REFERENCE = /(?:^|[\s[{,])[*&][^\s,[\]{}*]+(?![^\s,[\]{}])/;
