import { stat } from "node:fs/promises";
import type { PackageFiles } from "#app";
import { ifThere } from "#base";
import { appName } from "../app-name.ts";
import { asCommandError, packageOnServer } from "../app-package.ts";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "../command.ts";
import { OUTPUT_FLAGS, printResult } from "../output/print-result.ts";
import { showElapsed } from "../output/progress-bar.ts";
import { changesBetween, changesText, changesValue, type FileChange } from "./file-changes.ts";
import { rememberSeen } from "./last-seen.ts";
import { type LabelledPackage, previewOf } from "./preview.ts";
import { unlikeFiles } from "./unlike-files.ts";

/** `frontdesk pull`: makes a folder the same as an app on a server; files of the package that the app lacks are deleted. */
export const pull: Command = {
  name: "pull",
  operands: "<app> <folder>",
  summary: "make a folder the same as an app on a server, and delete what the app does not have",
  flags: [
    { name: "app-version", value: "name", summary: "this version, by id or display name, instead of the draft" },
    { name: "yaml", summary: "write YAML manifests in a new folder (default JSON; a folder keeps its own)" },
    { name: "dry-run", summary: "say what would change, and change nothing" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: [
    "pull order-desk my-desk",
    "pull order-desk my-desk --dry-run",
    "pull order-desk released --app-version v1",
  ],
  run: async (input) => {
    const [app, folder, ...others] = input.positionals;
    if (!app || !folder || others.length > 0) throw new CommandError("name one app and one folder.");
    return asCommandError(() => pullInto(folder, app, input));
  },
};

async function pullInto(folder: string, app: string, input: CommandInput): Promise<number> {
  const before = await showing("Reading the folder", () => filesIn(folder));
  const { packageFiles, writePackageFolder } = await import("#app");
  const isYaml = before.size === 0 ? input.flags.yaml === true : before.has("app.yaml");
  const version = typeof input.flags["app-version"] === "string" ? input.flags["app-version"] : undefined;
  const { zip } = await packageOnServer(app, version, input, isYaml ? "yaml" : "json");
  const changes = await changesTo(before, { label: app, zip });
  assertPackage(folder, before, changes);
  const isDry = input.flags["dry-run"] === true;
  if (!isDry && changes.length > 0) {
    const written = changes.flatMap(({ path, after }) => (after ? [{ path, bytes: after }] : []));
    const deleted = changes.flatMap(({ path, after }) => (after ? [] : [path]));
    await showing("Writing the folder", () => writePackageFolder(folder, written, deleted));
  }
  if (!isDry && version === undefined)
    rememberSeen({ folder, app: appName(app, input) }, await packageFiles(zip), input);
  const value = { name: appName(app, input), folder, changes: changesValue(changes) };
  printResult(input.flags, { value, text: () => changesText(changes, isDry) });
  return 0;
}

/** A folder of thousands of files takes a while. */
async function showing<T>(what: string, work: () => Promise<T>): Promise<T> {
  const progress = showElapsed(what, process.stderr);
  try {
    return await work();
  } finally {
    progress.end();
  }
}

/** What makes the files of a folder those of an app. Without a package in the folder, or with one that has a fault, each file that is not the same. */
async function changesTo(before: PackageFiles, app: LabelledPackage): Promise<readonly FileChange[]> {
  const { packageFiles, packFiles } = await import("#app");
  const after = await packageFiles(app.zip);
  const changes = changesBetween(before, after);
  if (changes.length === 0 || before.size === 0) return changes;
  const files = [...before].map(([path, bytes]) => ({ path, bytes }));
  const folder = { label: "the folder", zip: await packFiles(files, "app", Date.now()) };
  const preview = await previewOf(app, folder).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error;
  });
  return preview ? unlikeFiles(before, after, preview) : changes;
}

/** The files of the package in a folder; none when there is no folder yet. Files that are not part of a package are left alone. */
async function filesIn(folder: string): Promise<PackageFiles> {
  const found = await ifThere(stat(folder));
  if (!found) return new Map();
  if (!found.isDirectory()) throw new CommandError(`${folder} is not a folder.`);
  const { readPackageFolder } = await import("#app");
  const { files } = await readPackageFolder(folder);
  return new Map(files.map(({ path, bytes }) => [path, bytes]));
}

/** A folder `tools/` of something else must not be emptied. */
function assertPackage(folder: string, before: PackageFiles, changes: readonly FileChange[]): void {
  const isPackage = before.has("app.json") || before.has("app.yaml");
  const lost = changes.find(({ kind }) => kind !== "added");
  if (isPackage || !lost) return;
  throw new CommandError(`${folder} is not the folder of an app, and ${lost.path} in it would be lost. Name another.`);
}
