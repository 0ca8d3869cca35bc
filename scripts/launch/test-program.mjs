import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runStep } from "./progress.mjs";

/** Where the bundled server is. */
export const TEST_PROGRAM_FOLDER = join(ROOT, "node_modules", ".cache", "frontdesk-program");
const STAMP = join(TEST_PROGRAM_FOLDER, ".stamp");
const SOURCES = join(ROOT, "server", "src");

/** The `frontdesk` command as tests start it. */
const TEST_PROGRAM = join(TEST_PROGRAM_FOLDER, "cli", "main.js");

/** Bundles it when it is missing or its sources changed. Returns its path. */
export async function ensureTestProgram(node) {
  const stamp = sourceStamp();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === stamp) return TEST_PROGRAM;
  await runStep(
    "bundling the server for tests",
    node,
    [join(ROOT, "scripts", "test-program.mjs"), TEST_PROGRAM_FOLDER],
    {
      failure: "The server could not be bundled; the bundler said:",
    },
  );
  writeFileSync(STAMP, stamp);
  return TEST_PROGRAM;
}

/** Changes with the sources and with what they are bundled of. */
export function sourceStamp() {
  const hash = createHash("sha256");
  const sources = readdirSync(SOURCES, { recursive: true })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .sort()
    .map((name) => join(SOURCES, name));
  const bundlers = readdirSync(join(ROOT, "scripts", "pack")).map((name) => join("scripts", "pack", name));
  const definitions = [join("protos", "gen", ".stamp"), join("protos", "file-descriptors.js")];
  const others = ["package-lock.json", join("server", "package.json"), ...definitions, ...bundlers];
  for (const file of [...others.map((name) => join(ROOT, name)), ...sources])
    hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}
