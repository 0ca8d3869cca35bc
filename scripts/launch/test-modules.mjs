// What test processes load of the server: bundled, because its two thousand modules take longer to load than most test files run.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { MODULE_LIST } from "../pack/module-list.mjs";
import { ROOT, runStep } from "./progress.mjs";
import { sourceStamp } from "./test-program.mjs";

const FOLDER = join(ROOT, "node_modules", ".cache", "frontdesk-modules");
const STAMP = join(FOLDER, ".stamp");
const SOURCES = join(ROOT, "server", "src");
const TESTS = join(ROOT, "server", "test");
const DEFINITIONS = join(ROOT, "protos", "gen");

/** Packages of which a process must have one copy: what tests hand to the server is made with them. */
const SHARED = /^@(bufbuild\/protobuf|connectrpc\/connect|connectrpc\/connect-node)(\/|$)/;
const IMPORT = /\b(?:from|import|import\()\s*"([^"]+)"/g;

/** Bundles them when they are missing or their sources changed. Returns the path of their list. */
export async function ensureTestModules(node) {
  const stamp = createHash("sha256").update(sourceStamp()).update(testedModules().join("\n")).digest("hex");
  const list = join(FOLDER, MODULE_LIST);
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === stamp) return list;
  const args = [join(ROOT, "scripts", "test-modules.mjs"), FOLDER];
  await runStep("bundling the modules for tests", node, args, {
    failure: "The modules could not be bundled; the bundler said:",
  });
  writeFileSync(STAMP, stamp);
  return list;
}

/** Paths of the modules that tests import and of all definitions, and names of shared packages. */
export function testedModules() {
  const found = new Set(filesIn(DEFINITIONS).filter((path) => path.endsWith("_pb.js")));
  for (const importer of [...filesIn(SOURCES), ...filesIn(TESTS)].filter((path) => path.endsWith(".ts"))) {
    const isOfTests = importer.startsWith(TESTS) || isTestCode(importer);
    for (const [, name] of readFileSync(importer, "utf8").matchAll(IMPORT)) {
      const path = isOfTests && sourceOf(name, importer);
      if (SHARED.test(name)) found.add(name);
      else if (path && existsSync(path)) found.add(path);
    }
  }
  return [...found].sort();
}

/** The source file that a name in a test stands for; undefined: it stands for something else. */
function sourceOf(name, importer) {
  if (/^#[\w/-]+$/.test(name)) return join(SOURCES, name.slice(1), "index.ts");
  if (!name.startsWith(".")) return undefined;
  const path = resolve(dirname(importer), name);
  return path.startsWith(SOURCES) && path.endsWith(".ts") && !isTestCode(path) ? path : undefined;
}

function isTestCode(path) {
  return path.endsWith(".test.ts") || path.includes(`${sep}__fixtures__${sep}`);
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
}
