import { join } from "node:path";

/** The same from its sources, as `npm start` runs it. */
export const SOURCE = join(import.meta.dirname, "..", "src", "cli", "main.ts");

/**
 * The `frontdesk` command, to start as a process. `npm test` bundles it once, as it is for the package, because the modules of the
 * sources take longer to load than most commands run. A test file that is run without it starts the sources.
 */
export const PROGRAM = process.env.FRONTDESK_TEST_PROGRAM ?? SOURCE;
