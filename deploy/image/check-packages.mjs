// Ends the build when npm has left out a package with native code, which it does without a word where there is none for a processor: the image would
// answer no questions to files, draw no charts as PNG, or isolate Python less.
//   node check-packages.mjs <folder with node_modules> <x64|arm64>
import { existsSync } from "node:fs";
import { join } from "node:path";

const [folder, cpu] = process.argv.slice(2);
const NATIVE = [`@deno/linux-${cpu}-glibc`, `@duckdb/node-bindings-linux-${cpu}`, `@resvg/resvg-js-linux-${cpu}-gnu`];

const missing = NATIVE.filter((name) => !existsSync(join(folder, "node_modules", name)));
if (missing.length > 0) {
  process.stderr.write(`npm has left out ${missing.join(", ")}: not in the registry, or not to be reached.\n`);
  process.exitCode = 1;
}
