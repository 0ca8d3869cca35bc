import { stringify } from "yaml";
import type { ModelDefinition } from "../model/model.ts";
import { validateModel } from "../model/validate-model.ts";
import { ModelFault } from "../query/model-query.ts";
import { type Located, readLocated, type SourceFile } from "./located.ts";
import { ModelSchema } from "./model-schema.ts";

/** Faults of its form that are told of a file: who wrote thousands made one mistake, and each is looked for in the file. */
const MAX_FAULTS = 20;

/** Reads a model file. Throws `ModelFault` with all faults, those of its form with file and line (SEM-1). */
export function readModelFile(file: SourceFile): ModelDefinition {
  const located = readLocated(file);
  const parsed = ModelSchema.safeParse(located.value);
  if (!parsed.success) {
    const { issues } = parsed.error;
    const faults = issues
      .slice(0, MAX_FAULTS)
      .map(({ path, message }) => `${file.path}:${lineAt(located, path)}: ${path.join(".") || "(top)"}: ${message}`);
    const left = issues.length - faults.length;
    throw new ModelFault(left > 0 ? [...faults, `and ${left} more faults`] : faults);
  }
  const faults = validateModel(parsed.data);
  if (faults.length > 0) throw new ModelFault(faults.map((fault) => `${file.path}: ${fault}`));
  return parsed.data;
}

/** The line of the innermost value on a path that exists. */
function lineAt(node: Located, path: readonly PropertyKey[]): number {
  const [key, ...rest] = path;
  if (key === undefined) return node.line;
  const next = typeof key === "number" ? node.items()[key] : node.get(String(key));
  return next ? lineAt(next, rest) : node.line;
}

/** A model as its file. */
export function writeModelFile(model: ModelDefinition): string {
  const filled = Object.entries(model).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return stringify(Object.fromEntries(filled), { lineWidth: 120 });
}
