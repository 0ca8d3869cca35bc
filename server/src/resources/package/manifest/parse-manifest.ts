import { isJsonObject, type JsonObject } from "#base";
import type { Findings } from "../findings.ts";
import { decodeText } from "../package-files.ts";
import { parseJson } from "./parse-json.ts";
import { parseYaml } from "./parse-yaml.ts";
import type { ParsedText, SyntaxProblem } from "./parsed-text.ts";

/**
 * A manifest file as a JSON object, by its ending: `.json` is JSON, anything else YAML. Undefined with a violation naming
 * file, line and column when it cannot be read: an unreadable file does not even say which resource it holds, so nothing
 * can be left out with certainty and the import is refused.
 */
export function parseManifest(path: string, bytes: Uint8Array, findings: Findings): JsonObject | undefined {
  const text = decodeText(bytes)?.replace(/^\uFEFF/, "");
  if (text === undefined) return refuse(path, "is not UTF-8 text.", findings);
  const parsed = parseText(path, text);
  if (parsed.kind === "broken") {
    for (const problem of parsed.problems)
      findings.violations.push({ field: at(path, problem), description: problem.message });
    return undefined;
  }
  for (const remark of parsed.remarks) findings.warnings.push(`${at(path, remark)}: ${remark.message}`);
  if (parsed.value === null) return {};
  if (isJsonObject(parsed.value)) return parsed.value;
  return refuse(path, "must hold an object of fields.", findings);
}

function parseText(path: string, text: string): ParsedText {
  try {
    const parsed = path.endsWith(".json") ? parseJson(text) : parseYaml(text);
    if (parsed.kind === "broken" || isWellFormed(parsed.value)) return parsed;
    return { kind: "broken", problems: [{ line: 1, column: 1, message: "A text in it holds half a surrogate pair." }] };
  } catch (error) {
    // Both parsers recurse: a text nested by the ten thousands ends in the engine's stack limit, not in a result.
    if (error instanceof RangeError)
      return { kind: "broken", problems: [{ line: 1, column: 1, message: "Nested too deeply." }] };
    throw error;
  }
}

function at(path: string, { line, column }: SyntaxProblem): string {
  return `${path}:${line}:${column}`;
}

function refuse(path: string, description: string, findings: Findings): undefined {
  findings.violations.push({ field: path, description: `The file ${description}` });
  return undefined;
}

/** An escape such as `\ud83d` alone passes every parser, and can be stored nowhere. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isWellFormed(item));
}
