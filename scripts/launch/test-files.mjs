import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail, ROOT } from "./progress.mjs";
import { groupTests } from "./test-groups.mjs";
import { ensureTestModules } from "./test-modules.mjs";

const FOLDERS = ["python", "server/src", "server/test", "console/test", "examples"];

/** Tests that take minutes: they are run only by name, or all of them by a command of their own. */
const LONG = ".long.test.ts";

/**
 * The test files by name, so that a pattern without a match is an error. Arguments restrict them to files or folders. A single file is run
 * from the sources, of which its failures show the lines; several share processes, and bundled modules.
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
  if (files.length === 1) return [...options, ...files];
  return [...options, ...groupTests(files, await ensureTestModules(node))];
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
