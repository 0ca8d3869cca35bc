import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fail, ROOT } from "./progress.mjs";
import { groupTests } from "./test-groups.mjs";
import { ensureTestModules } from "./test-modules.mjs";
import { ensureTestProgram } from "./test-program.mjs";

const FOLDERS = ["python", "server/src", "server/test", "console/test", "examples"];

/**
 * The sets that have a command of their own, by parts of the paths of their files; what is in none is in `usual`. `long`: tests that take minutes. `slow`: files that
 * take some ten seconds or more, and pages in a browser: a quarter of the files and three quarters of the time, so that the usual ones end within ten minutes on two
 * processors.
 */
const SETS = {
  long: [".long.test.ts"],
  slow: [".slow.test.ts", join("server", "test", "console")],
};

/** Names `PROGRAM`, which tests start as a process. */
const STARTS_PROGRAM = join(ROOT, "server", "test", "program.ts");
const RELATIVE_IMPORT = /\b(?:from|import|import\()\s*"(\.[^"]+\.ts)"/g;

/**
 * The options and the test files of a set by name, so that a pattern without a match is an error, and the path of the server that they start, if any
 * does. Arguments restrict them to files or folders, of which the slow tests are run with the usual ones. A single file is run from the sources; several share
 * processes, and bundled modules.
 */
export async function testFiles(node, args, set) {
  const options = args.filter((arg) => arg.startsWith("-"));
  const given = args.filter((arg) => !arg.startsWith("-"));
  const roots =
    given.length > 0
      ? given.map((path) => resolve(process.env.INIT_CWD ?? ROOT, path))
      : FOLDERS.map((folder) => join(ROOT, folder));
  const wanted = given.length > 0 && set !== "long" ? ["usual", "slow"] : [set];
  const files = roots.flatMap((root) => testsBelow(root, wanted)).sort();
  if (files.length === 0) fail(`no test file (*.test.ts) in ${roots.join(", ")}.`);
  if (files.length === 1) {
    const program = imports(files[0], STARTS_PROGRAM) ? await ensureTestProgram(node) : undefined;
    return { files: [...options, ...files], program };
  }
  const program = await ensureTestProgram(node);
  return { files: [...options, ...groupTests(files, await ensureTestModules(node))], program };
}

function setOf(file) {
  const path = relative(ROOT, file);
  return Object.keys(SETS).find((set) => SETS[set].some((part) => path.includes(part))) ?? "usual";
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

function testsBelow(path, wanted) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  if (found.isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.name !== "node_modules" && entry.name !== "dist")
    .flatMap((entry) =>
      entry.isDirectory()
        ? testsBelow(join(path, entry.name), wanted)
        : entry.name.endsWith(".test.ts") && wanted.includes(setOf(join(path, entry.name)))
          ? [join(path, entry.name)]
          : [],
    );
}
