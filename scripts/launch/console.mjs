import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runStep } from "./progress.mjs";

const CONSOLE = join(ROOT, "console");
const STAMP = join(CONSOLE, "dist", ".stamp");

/** Builds the web console when it is missing or its sources changed. */
export async function ensureConsole(node) {
  if (isConsoleBuilt()) return;
  const vite = join(ROOT, "node_modules", "vite", "bin", "vite.js");
  await runStep("building the console", node, [vite, "build", CONSOLE, "--logLevel", "error"], {
    failure: "The console could not be built; Vite said:",
  });
  writeFileSync(STAMP, sourceStamp());
}

/** Whether the console was built from its sources as they are now. */
export function isConsoleBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === sourceStamp();
}

/** Code of the server that the console shares. */
const SHARED = join("..", "server", "src", "evaluation", "statistics");

function sourceStamp() {
  const hash = createHash("sha256");
  const folders = ["src", "public", "build", SHARED];
  const files = ["index.html", "package.json", "vite.config.ts", ...folders.flatMap(sourceFiles)];
  for (const file of files.filter((name) => existsSync(join(CONSOLE, name))).sort()) {
    hash.update(file).update(readFileSync(join(CONSOLE, file)));
  }
  hash.update(readFileSync(join(ROOT, "protos", "gen", ".stamp")));
  return hash.digest("hex");
}

function sourceFiles(folder) {
  const path = join(CONSOLE, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? sourceFiles(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}
