import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The same from its sources, as `npm start` runs it. */
export const SOURCE = join(import.meta.dirname, "..", "src", "cli", "main.ts");

/**
 * The `frontdesk` command, to start as a process. `npm test` bundles it once, as it is for the package, because the modules of the
 * sources take longer to load than most commands run. A test file that is run without it starts the sources.
 */
export const PROGRAM = process.env.FRONTDESK_TEST_PROGRAM ?? SOURCE;

const LOAD_BUNDLED = join(import.meta.dirname, "..", "..", "scripts", "launch", "load-bundled.mjs");

/** Flags of Node for a file of the tests that is started as a process and loads much of the server. */
export const FLAGS = [
  "--disable-warning=ExperimentalWarning",
  ...(process.env.FRONTDESK_TEST_MODULES ? ["--import", pathToFileURL(LOAD_BUNDLED).href] : []),
];
