// Makes the packages for the registry: `npm run pack` writes dist/packages/<name>/ and a tarball of each beside it, or into the folder of
// its argument. The same sources give the same bytes. `--without-docs` leaves the pages of the documentation out, which take longer to build
// than the rest, for a command that serves none.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { ROOT } from "./launch/progress.mjs";
import { stageClient } from "./pack/client-package.mjs";
import { stageSealedPython } from "./pack/sealed-python-package.mjs";
import { stageServer } from "./pack/server-package.mjs";
import { writeTarball } from "./pack/tarball.mjs";
import { stageWidget } from "./pack/widget-package.mjs";

const args = process.argv.slice(2);
const withDocs = !args.includes("--without-docs");
const given = args.find((arg) => !arg.startsWith("--"));
const staging = join(ROOT, "dist", "packages");
const out = given ? resolve(process.env.INIT_CWD ?? ROOT, given) : staging;
const folderOf = (name) => join(staging, name);

mkdirSync(out, { recursive: true });
if (withDocs) buildDocs();
stageSealedPython(folderOf("sealed-python"));
await stageServer(folderOf("server"), folderOf("sealed-python"), { withDocs });
stageClient(folderOf("client"));
await stageWidget(folderOf("widget"));
for (const name of ["sealed-python", "server", "client", "widget"]) {
  const { file, size, unpacked } = writeTarball(folderOf(name), out);
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  process.stdout.write(`${file}  ${megabytes(size)}, unpacked ${megabytes(unpacked)}\n`);
}

/** In a process of its own: VitePress sets the environment to production, and npm then leaves packages out of the bill of materials. */
function buildDocs() {
  execFileSync(process.execPath, [join(ROOT, "scripts", "docs.mjs")], { stdio: "inherit" });
}
