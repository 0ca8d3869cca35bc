import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fail, ROOT } from "./progress.mjs";
import { groupTests } from "./test-groups.mjs";
import { ensureTestModules } from "./test-modules.mjs";
import { ensureTestProgram } from "./test-program.mjs";

const FOLDERS = ["python", "server/src", "server/test", "console/test", "examples"];

/** Tests that take minutes: they are run only by name, or all of them by a command of their own. */
const LONG = ".long.test.ts";

/** Names `PROGRAM`, which tests start as a process. */
const STARTS_PROGRAM = join(ROOT, "server", "test", "program.ts");
const RELATIVE_IMPORT = /\b(?:from|import|import\()\s*"(\.[^"]+\.ts)"/g;

/**
 * The options and the test files by name, so that a pattern without a match is an error, and the path of the server that they start, if any
 * does. Arguments restrict them to files or folders. A single file is run from the sources; several share processes, and bundled modules.
 */
export async function testFiles(node, args, { long = false } = {}) {
  const options = args.filter((arg) => arg.startsWith("-"));
  const given = args.filter((arg) => !arg.startsWith("-"));
  const roots =
    given.length > 0
      ? given.map((path) => resolve(process.env.INIT_CWD ?? ROOT, path))
      : FOLDERS.map((folder) => join(ROOT, folder));
  const files = roots.flatMap((root) => testsBelow(root, long)).sort();
  if (files.length === 0) fail(`no test file (*.test.ts) in ${roots.join(", ")}.`);
  if (files.length === 1) {
    const program = imports(files[0], STARTS_PROGRAM) ? await ensureTestProgram(node) : undefined;
    return { files: [...options, ...files], program };
  }
  const program = await ensureTestProgram(node);
  return { files: [...options, ...groupTests(files, await ensureTestModules(node))], program };
}

/** Whether a file, or what it imports by a path, imports another. */
function imports(file, wanted) {
  const found = new Set([file]);
  for (const path of found) {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    for (const [, name] of text.matchAll(RELATIVE_IMPORT)) found.add(resolve(dirname(path), name));
  }
  return found.has(wanted);
}

function testsBelow(path, long) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  if (found.isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.name !== "node_modules" && entry.name !== "dist")
    .flatMap((entry) =>
      entry.isDirectory()
        ? testsBelow(join(path, entry.name), long)
        : entry.name.endsWith(".test.ts") && entry.name.endsWith(LONG) === long
          ? [join(path, entry.name)]
          : [],
    );
}
