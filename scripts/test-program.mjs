// The program that tests start as a process: the server in one file, because the two thousand modules of its sources take longer to
// load than most commands run.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleServer } from "./pack/server-bundle.mjs";

const [folder] = process.argv.slice(2);
rmSync(folder, { recursive: true, force: true });
await bundleServer(folder, { inCheckout: true });
// As in the package: where nothing says that files are modules, Node compiles each once more to find out.
writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
