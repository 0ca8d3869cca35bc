import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Zippable, zipSync } from "fflate";
import { WHEEL_TIME } from "../__fixtures__/wheel-time.ts";

const WHEEL = "cpython_tests-3.11-py3-none-any.whl";

/** What is large, or another test. */
const LEFT_OUT = /^test_.*\.py$|\.(?:aiff?|aifc|au|wav|pem|xpm|exe|tar|gz|zip|whl|uue)$/;

/** Tests out of which others take something. */
const SHARED = ["test_grammar", "test_set"];

/** Folders of the suite that tests look into. */
const FOLDERS = ["", "support", "data", "ziptestdata"];

/** Writes a wheel of CPython's test suite in `suite` into `folder`: the named modules, and what they have beside them. */
export async function writeTestWheel(suite: string, folder: string, modules: readonly string[]): Promise<void> {
  const wanted = new Set([...modules, ...SHARED].map((name) => `${name}.py`));
  const files: Zippable = {};
  for (const path of (await Promise.all(FOLDERS.map((name) => filesOf(suite, name)))).flat()) {
    if (LEFT_OUT.test(path) && !wanted.has(path)) continue;
    files[`test/${path}`] = await readFile(join(suite, path));
  }
  files["cpython_tests-3.11.dist-info/METADATA"] = new TextEncoder().encode(
    "Metadata-Version: 2.1\nName: cpython-tests\nVersion: 3.11\n",
  );
  const wheel = zipSync(files, { level: 0, mtime: WHEEL_TIME });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, WHEEL), wheel);
  await writeFile(join(folder, "SHA256SUMS"), `${createHash("sha256").update(wheel).digest("hex")}  ${WHEEL}\n`);
}

async function filesOf(suite: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(suite, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => (folder ? `${folder}/${name}` : name));
}
