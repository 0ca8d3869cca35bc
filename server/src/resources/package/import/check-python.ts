import type { InspectPython } from "../../contract.ts";
import type { PythonSource } from "../texts/load-texts.ts";

/**
 * A warning for every Python text that does not load, with file, line and column. The hosted product leaves such tools and
 * callbacks out; here they are imported, so that the app shows where it hurts instead of missing a part.
 */
export async function checkPython(
  sources: readonly PythonSource[],
  inspect: InspectPython,
): Promise<readonly string[]> {
  const found = await Promise.all(sources.map((source) => problemOf(source, inspect)));
  return found.flatMap((problem) => problem ?? []);
}

async function problemOf({ file, field, code }: PythonSource, inspect: InspectPython): Promise<string | undefined> {
  try {
    const module = await inspect(code);
    if (module.kind === "module") return undefined;
    const { line, column, type, message } = module;
    return `${file}:${line}:${column}: ${type}: ${message} (${field}). It was imported, but it does not load.`;
  } catch (error) {
    return `${file}: could not be checked (${field}): ${error instanceof Error ? error.message : String(error)}`;
  }
}
