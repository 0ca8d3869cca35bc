import { isScalar, type ParsedNode, parseAllDocuments, visit, type YAMLError } from "yaml";
import { lineColumn } from "./line-column.ts";
import type { ParsedText, SyntaxProblem } from "./parsed-text.ts";
import { MOST_YAML } from "./yaml-limit.ts";

/** Aliases in one file beyond this are an attack (each may stand for a whole tree), not a manifest. */
const MOST_ALIASES = 100;

/** One YAML document of JSON's types, merge keys allowed. A key that stands twice is a remark, as in JSON. */
export function parseYaml(text: string): ParsedText {
  if (text.length > MOST_YAML)
    return broken(text, 0, `A YAML manifest has at most ${MOST_YAML} characters; write this one as JSON.`);
  // `core` also where the file asks for YAML 1.1, whose dates and sets are no JSON.
  // The library compares every key with every other when it looks for repeated ones; `repeatedKeys` does not.
  const documents = parseAllDocuments(text, { schema: "core", merge: true, uniqueKeys: false, prettyErrors: false });
  const [document, second] = Array.isArray(documents) ? documents : [];
  if (!document) return { kind: "parsed", value: null, remarks: [] };
  if (second) return broken(text, second.range[0], "A manifest is a single document; this starts a second one.");
  const [error] = document.errors;
  // What follows the first error is mostly its echo.
  if (error) return { kind: "broken", problems: [problem(text, error)] };
  const remarks = [
    ...document.warnings.map((warning) => problem(text, warning)),
    ...repeatedKeys(text, document.contents),
  ];
  try {
    return { kind: "parsed", value: document.toJS({ maxAliasCount: MOST_ALIASES }) as unknown, remarks };
  } catch (failure) {
    if (failure instanceof ReferenceError) return broken(text, 0, failure.message);
    throw failure;
  }
}

function repeatedKeys(text: string, contents: ParsedNode | null): readonly SyntaxProblem[] {
  const remarks: SyntaxProblem[] = [];
  visit(contents, {
    Map: (_, { items }) => {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === "<<") continue;
        if (keys.has(key.value))
          remarks.push({ ...lineColumn(text, key.range?.[0] ?? 0), message: repeated(String(key.value)) });
        keys.add(key.value);
      }
    },
  });
  return remarks;
}

function repeated(key: string): string {
  return `The key '${key}' stands twice in one object; its last value was used.`;
}

function problem(text: string, { pos, message }: YAMLError): SyntaxProblem {
  return { ...lineColumn(text, pos[0]), message: `Not valid YAML: ${message}` };
}

function broken(text: string, offset: number, message: string): ParsedText {
  return { kind: "broken", problems: [{ ...lineColumn(text, offset), message }] };
}
