// The program that tests start as a process: the server in one file, because the two thousand modules of its sources take longer to
// load than most commands run.
import { rmSync } from "node:fs";
import { bundleServer } from "./pack/server-bundle.mjs";

const [folder] = process.argv.slice(2);
rmSync(folder, { recursive: true, force: true });
await bundleServer(folder, { inCheckout: true });
