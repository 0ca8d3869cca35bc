// Several test files in one process. Most of a short file's time is the loading of the two thousand modules that it tests, so
// neighbours in a folder share it. A file is a suite of its process; its hooks stay its own.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./progress.mjs";

/** It looks at which source files run. */
const FROM_SOURCES = "server/test/flows/run-session-walk.slow.test.ts";

/**
 * Files in one process at most, by how their paths begin: the first line that fits. One where files measure or kill processes,
 * take long, or load little; so many that none waits long for another, and a group ends well before the runner's limit.
 */
const KINDS = [
  [FROM_SOURCES, 1],
  ["server/test/console/pages.test.ts", 1],
  ["server/test/console/", 12],
  ["console/test/", 3],
  ["python/src/", 7],
  ["python/", 1],
  ...["live", "python", "voice"].map((folder) => [`server/test/${folder}/`, 7]),
  ["server/test/replicas/chaos.test.ts", 1],
  ["server/test/replicas/", 6],
  ["server/test/sandbox-attacks/", 2],
  ["server/test/", 32],
  ["", 75],
];

/** What has a process load bundled modules, and declares its files. */
const [BUNDLED, SUITES] = ["bundled-modules.mjs", "file-suites.mjs"].map((name) =>
  JSON.stringify(new URL(name, import.meta.url).href),
);

/** Its files wait for pages: a group of them runs beside two that compute. */
const BROWSER = "server/test/console/";

/**
 * The same files behind a few entries, which are gone when this process ends. The runner goes by name: the first are those whose
 * files take long, so that none of them is left alone at the end. `modules`: the list of those that tests of the server load bundled.
 */
export function groupTests(files, modules) {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-tests-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const groups = KINDS.flatMap(([kind, size]) => {
    const members = files.filter((file) => kindOf(file) === kind);
    return chunks(members, size).map((chunk) => ({ kind, files: chunk }));
  });
  return inOrder(groups).map(({ kind, files: members }, index) => {
    const name = kind.replace(".test.ts", "").split("/").filter(Boolean).join("-") || "others";
    const path = join(folder, `${String(index + 1).padStart(3, "0")} ${name}.test.mjs`);
    const isBundled = kind !== FROM_SOURCES && (kind.startsWith("server/") || kind === "");
    return writeEntry(path, members, isBundled ? modules : undefined);
  });
}

function kindOf(file) {
  const path = relative(ROOT, file).replaceAll("\\", "/");
  const [kind] = KINDS.find(([start]) => path.startsWith(start));
  return kind;
}

/** As many chunks as needed, of files that do not lie together: those of a folder often take as long as each other. */
function chunks(files, size) {
  const count = Math.ceil(files.length / size);
  return Array.from({ length: count }, (_, index) => files.filter((_file, at) => at % count === index));
}

function inOrder(groups) {
  const browser = groups.filter(({ kind }) => kind === BROWSER);
  const others = groups.filter(({ kind }) => kind !== BROWSER);
  const turns = Math.max(browser.length, Math.ceil(others.length / 2));
  return Array.from({ length: turns }, (_, index) => [
    ...browser.slice(index, index + 1),
    ...others.slice(2 * index, 2 * index + 2),
  ]).flat();
}

function writeEntry(path, files, modules) {
  const suites = files.map((file) => [relative(ROOT, file), pathToFileURL(file).href]);
  const bundled = modules && [`import { loadBundled } from ${BUNDLED};`, `loadBundled(${JSON.stringify(modules)});`];
  const lines = [`import { describeFiles } from ${SUITES};`, `describeFiles(${JSON.stringify(suites)});`];
  writeFileSync(path, [...(bundled ?? []), ...lines, ""].join("\n"));
  return path;
}
