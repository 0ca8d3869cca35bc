import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail, ROOT } from "./progress.mjs";
import { groupTests } from "./test-groups.mjs";

const FOLDERS = ["python", "server/src", "server/test", "console/test", "examples"];

/** Tests that take minutes: they are run only by name, or all of them by a command of their own. */
const LONG = ".long.test.ts";

/** The test files by name, so that a pattern without a match is an error. Arguments restrict them to files or folders. */
export function testFiles(args, { long = false } = {}) {
  const options = args.filter((arg) => arg.startsWith("-"));
  const given = args.filter((arg) => !arg.startsWith("-"));
  const roots =
    given.length > 0
      ? given.map((path) => resolve(process.env.INIT_CWD ?? ROOT, path))
      : FOLDERS.map((folder) => join(ROOT, folder));
  const files = roots.flatMap((root) => testsBelow(root, long)).sort();
  if (files.length === 0) fail(`no test file (*.test.ts) in ${roots.join(", ")}.`);
  return [...options, ...groupTests(files)];
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
