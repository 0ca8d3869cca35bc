// Format, lint, types and structure: `npm run check`. `--write` fixes format, imports and what lint can fix.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./launch/progress.mjs";

const bin = (name) => join(ROOT, "node_modules", ".bin", name);
const write = process.argv.includes("--write") ? ["--write"] : [];
const STEPS = [
  ["format and lint", bin("biome"), ["check", ...write, ROOT]],
  ["types of sealed Python", bin("tsc"), ["-p", "python"]],
  ["types of the client", bin("tsc"), ["-p", "client"]],
  ["types of the server", bin("tsc"), ["-p", "server"]],
  ["types of the console", bin("tsc"), ["-p", "console"]],
  ["structure", process.execPath, ["--test", join("server", "test", "plan.test.ts")]],
];

for (const [title, command, args] of STEPS) {
  if (!existsSync(command)) throw new Error(`${command} is missing; run npm install.`);
  const done = spawnSync(command, args, { cwd: ROOT, stdio: "inherit" });
  if (done.status !== 0) {
    process.stderr.write(`frontdesk: ${title}: failed, see above.\n`);
    process.exit(1);
  }
}
