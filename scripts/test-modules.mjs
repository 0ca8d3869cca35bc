// Bundles the modules that tests import into a folder, which is replaced at once: other tests may be running.
import { renameSync, rmSync } from "node:fs";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { testedModules } from "./launch/test-modules.mjs";
import { TEST_PROGRAM_FOLDER } from "./launch/test-program.mjs";
import { bundleModules } from "./pack/module-bundle.mjs";

const [folder] = process.argv.slice(2);
const paths = testedModules().map((name) => (isAbsolute(name) ? name : fileURLToPath(import.meta.resolve(name))));
const scratch = `${folder}-${process.pid}`;
try {
  await bundleModules(scratch, TEST_PROGRAM_FOLDER, paths);
  rmSync(folder, { recursive: true, force: true });
  renameSync(scratch, folder);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
