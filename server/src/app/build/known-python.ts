import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { InspectedModule, InspectPython } from "#resources";
import { HOME } from "../home-folder.ts";

/**
 * What the sandbox says of the Python texts of the shipped example, by their SHA-256: the first start would wait for the image of
 * Python otherwise. Written by `server/test/python/known-python.test.ts` with `UPDATE_PAGES=1`.
 */
export const KNOWN_PYTHON = join(HOME, "examples", "order-desk", "known-python.json");

/** Inspects Python; texts of the shipped example without the sandbox. */
export function withKnownPython(inspect: InspectPython): InspectPython {
  let known: Readonly<Record<string, InspectedModule>> | undefined;
  return async (code) => {
    known ??= existsSync(KNOWN_PYTHON) ? JSON.parse(readFileSync(KNOWN_PYTHON, "utf8")) : {};
    return known?.[hash("sha256", code)] ?? inspect(code);
  };
}
