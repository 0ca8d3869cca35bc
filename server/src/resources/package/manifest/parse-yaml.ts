import { parseAllDocuments, type YAMLError } from "yaml";
import { lineColumn } from "./line-column.ts";
import type { ParsedText, SyntaxProblem } from "./parsed-text.ts";

/** Aliases in one file beyond this are an attack (each may stand for a whole tree), not a manifest. */
const MOST_ALIASES = 100;

/** One YAML document of JSON's types, merge keys allowed. */
export function parseYaml(text: string): ParsedText {
  const documents = parseAllDocuments(text, { merge: true, uniqueKeys: true, prettyErrors: false });
  if (!Array.isArray(documents)) return { kind: "parsed", value: null, remarks: [] };
  const [document, second] = documents;
  if (!document) return { kind: "parsed", value: null, remarks: [] };
  if (second) return broken(text, second.range[0], "A manifest is a single document; this starts a second one.");
  if (document.errors.length > 0)
    return { kind: "broken", problems: document.errors.map((error) => problem(text, error)) };
  const remarks = document.warnings.map((warning) => problem(text, warning));
  try {
    return { kind: "parsed", value: document.toJS({ maxAliasCount: MOST_ALIASES }) as unknown, remarks };
  } catch (error) {
    if (error instanceof ReferenceError) return broken(text, 0, error.message);
    throw error;
  }
}

function problem(text: string, { pos, message }: YAMLError): SyntaxProblem {
  return { ...lineColumn(text, pos[0]), message: `Not valid YAML: ${message}` };
}

function broken(text: string, offset: number, message: string): ParsedText {
  return { kind: "broken", problems: [{ ...lineColumn(text, offset), message }] };
}
