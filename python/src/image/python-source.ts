import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** Folder of the CPython build. */
export const PYTHON_FOLDER = dirname(require.resolve("pyodide/package.json"));

/** The interpreter as published: the loader is written against the imports and the table of exactly this file. */
export const PYTHON_WASM = join(PYTHON_FOLDER, "pyodide.asm.wasm");

/** SHA-256 of the one interpreter that the sealed loader knows (CPython 3.12.7 out of pyodide 0.27.7). */
export const PYTHON_WASM_SHA256 = "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f";

/** The interpreter's start-up code; used by the image builder only. */
export const PYTHON_GLUE = join(PYTHON_FOLDER, "pyodide.asm.js");

/** The standard library; used by the image builder only. */
export const STANDARD_LIBRARY = join(PYTHON_FOLDER, "python_stdlib.zip");

/** The Python of this package: the driver of a call, and what stands in for an operating system. */
export const GUEST_FOLDER = join(import.meta.dirname, "../../guest/sealed_guest");

/** The IANA time zone database as rules. */
export const TIME_ZONE_RULES = require.resolve("tzdata");

/** The parsed time zone rules. */
export async function readTimeZoneRules(): Promise<unknown> {
  return JSON.parse(await readFile(TIME_ZONE_RULES, "utf8"));
}
