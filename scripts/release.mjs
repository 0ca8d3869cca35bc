// Makes the commit of a release: `npm run release -- 0.2.0` writes the version to every package and the chart, the date to the changelog, and the data
// folder of the release for the tests of later ones. `--check <version>` says whether the checkout is that release, `--notes <version>` what changed.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, ROOT } from "./launch/progress.mjs";
import { DOCUMENTS, dateRelease, namingVersion, notesOf, versionsOf } from "./release/texts.mjs";

const [first, second] = process.argv.slice(2);
const WORKSPACES = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).workspaces;
const CHART = "deploy/helm/frontdesk/Chart.yaml";

if (first === "--check") check(second ?? "");
else if (first === "--notes") process.stdout.write(`${notesOf(read("CHANGELOG.md"), second ?? "")}\n`);
else release(first ?? "");

function release(version) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) fail("write the version to release: npm run release -- 0.2.0");
  const changelog = dateRelease(read("CHANGELOG.md"), version, new Date().toISOString().slice(0, 10));
  const flags = ["--workspaces", "--include-workspace-root", "--no-git-tag-version", "--allow-same-version"];
  run("npm", ["version", version, ...flags]);
  write("CHANGELOG.md", changelog);
  write(CHART, read(CHART).replace(/^((?:appV|v)ersion: ).*$/gm, `$1${version}`));
  for (const path of DOCUMENTS) write(path, namingVersion(read(path), version));
  run(process.execPath, ["--disable-warning=ExperimentalWarning", "server/test/storage/make-release.ts"]);
  process.stdout.write(`Commit this as ${version}, tag it v${version} and push the tag: the workflow publishes it.\n`);
}

function check(version) {
  const manifests = Object.fromEntries(
    ["", ...WORKSPACES].map((folder) => [folder, read(join(folder, "package.json"))]),
  );
  const documents = Object.fromEntries(DOCUMENTS.map((path) => [path, read(path)]));
  const wrong = Object.entries(versionsOf({ manifests, chart: read(CHART), documents }))
    .filter(([, found]) => found !== version)
    .map(([place, found]) => `${place} has ${found}`);
  if (/\(unreleased\)/.test(notesOf(read("CHANGELOG.md"), version, { heading: true })))
    wrong.push("the changelog has no date");
  if (wrong.length > 0) fail(`this checkout is not release ${version}: ${wrong.join(", ")}.`);
}

function read(path) {
  return readFileSync(join(ROOT, path), "utf8");
}

function write(path, text) {
  writeFileSync(join(ROOT, path), text);
}

function run(command, args) {
  const done = spawnSync(command, args, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  if (done.status !== 0) fail(`${command} ${args[0]} failed`);
}
