// Bundles the modules that tests import into a folder.
import { rmSync } from "node:fs";
import { testedModules } from "./launch/test-modules.mjs";
import { TEST_PROGRAM_FOLDER } from "./launch/test-program.mjs";
import { bundleModules } from "./pack/module-bundle.mjs";

const [folder] = process.argv.slice(2);
rmSync(folder, { recursive: true, force: true });
await bundleModules(folder, TEST_PROGRAM_FOLDER, testedModules());
