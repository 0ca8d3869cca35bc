// Several test files in one process. Most of a short file's time is the loading of the two thousand modules that it tests, so
// neighbours in a folder share it. A file is a suite of its process; its hooks stay its own.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./progress.mjs";

/** Files in one process: few, so that none waits long for another, and a group ends well before the runner's limit. */
const FILES_IN_GROUP = 6;

/** Folders whose files are run alone: they measure or kill processes, or take long. */
const ALONE = [
  "console/test",
  "python",
  ...["live", "python", "sandbox-attacks", "voice"].map((folder) => `server/test/${folder}`),
];

/**
 * The same files with most of them behind a few entries, which are gone when this process ends. The runner goes by name: so
 * those that wait for pages run beside those that compute.
 */
export function groupTests(files) {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-tests-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const alone = files.filter((file) => isAlone(file));
  const groups = [...byFolder(files.filter((file) => !isAlone(file)))].flatMap(([name, members]) =>
    chunks(members).map((chunk, index) =>
      chunk.length === 1 ? chunk[0] : writeEntry(join(folder, `${index + 1} ${name}.test.mjs`), chunk),
    ),
  );
  return [...alone, ...groups];
}

function isAlone(file) {
  const path = relative(ROOT, file).replaceAll("\\", "/");
  return ALONE.some((folder) => path.startsWith(`${folder}/`));
}

/** Files by the room or the kind of test that they belong to. */
function byFolder(files) {
  const found = new Map();
  for (const file of files) {
    const name = dirname(relative(ROOT, file)).split(/[\\/]/).slice(0, 3).join("-");
    found.set(name, [...(found.get(name) ?? []), file]);
  }
  return found;
}

function chunks(files) {
  const count = Math.ceil(files.length / FILES_IN_GROUP);
  return Array.from({ length: count }, (_, index) => files.filter((_file, at) => at % count === index));
}

function writeEntry(path, files) {
  const suites = files.map((file) => {
    const [name, address] = [relative(ROOT, file), pathToFileURL(file).href].map((text) => JSON.stringify(text));
    return `describe(${name}, async () => { await import(${address}); });`;
  });
  writeFileSync(path, `import { describe } from "node:test";\n${suites.join("\n")}\n`);
  return path;
}
