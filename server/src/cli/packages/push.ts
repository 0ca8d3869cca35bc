import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import {
  AgentService,
  ImportAppResponseSchema,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import { idOf } from "#aip";
import type { PackageFile, PackageFiles } from "#app";
import { ifThere } from "#base";
import { appName } from "../app-name.ts";
import { asCommandError, exportedPackage } from "../app-package.ts";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "../command.ts";
import { OUTPUT_FLAGS, printResult } from "../output/print-result.ts";
import { warn } from "../output/say.ts";
import { finished } from "../server/operation.ts";
import { faultsText } from "../server/refusal-text.ts";
import { callServer, clientFor } from "../server/server-client.ts";
import { shellWord } from "../shell-word.ts";
import { type AppState, appState, checkUnchanged, onlyIfStill, stateAfterOurs } from "./app-state.ts";
import { deleteEvaluations } from "./delete-evaluations.ts";
import { displayNameIn, rename, renameNew } from "./display-name.ts";
import { changesBetween, changesText, changesValue, type FileChange } from "./file-changes.ts";
import { refuseUndoing, rememberSeen, undoneWork } from "./last-seen.ts";
import { type LabelledPackage, type Preview, previewOf } from "./preview.ts";
import { toldWhenCut } from "./told-when-cut.ts";

/** `frontdesk push`: makes the draft of an app the same as a folder; resources that the folder lacks are deleted. */
export const push: Command = {
  name: "push",
  operands: "<folder> [app]",
  summary: "make an app on a server the same as a folder, and delete what the folder does not have",
  flags: [
    { name: "dry-run", summary: "say what would change, and change nothing" },
    { name: "force", summary: "also undo what others changed in the app since the folder was last pulled or pushed" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: ["push my-desk", "push my-desk order-desk --dry-run", "push my-desk order-desk --context office"],
  run: async (input) => {
    const [folder, app, ...others] = input.positionals;
    if (!folder || others.length > 0) throw new CommandError("name one folder, and the app if it has another name.");
    const found = await ifThere(stat(folder));
    if (!found?.isDirectory()) throw new CommandError(`${folder} is not a folder.`);
    return asCommandError(() => pushFrom(folder, appName(app ?? basename(resolve(folder)), input), input));
  },
};

async function pushFrom(folder: string, name: string, input: CommandInput): Promise<number> {
  const { packFolder, packageFiles } = await import("#app");
  const { files, zip, warnings } = await packFolder(folder, Date.now());
  printWarnings(warnings);
  const { state, present } = await presentApp(name, input);
  const preview = await previewOf(present, { label: `${folder} (folder)`, zip });
  await assertWhole(folder, preview);
  const changes = changesBetween(preview.before, preview.after);
  const isDry = input.flags["dry-run"] === true;
  const plan = { folder, name, files, preview, changes, state };
  const here = { folder, app: name };
  const before = present ? await packageFiles(present.zip) : new Map();
  const mayUndo = input.flags.force === true || !present;
  const undone = mayUndo ? undefined : undoneWork(here, before, changes, input);
  if (!isDry) refuseUndoing(undone);
  else if (undone !== undefined) printWarnings([`${undone}.`]);
  const more = isDry ? await tryPlan(plan, input) : changes.length > 0 ? await carryOut(plan, input) : [];
  printWarnings(more);
  if (!isDry) rememberSeen(here, changes.length > 0 ? await filesOnServer(name, input) : before, input);
  const value = { name, warnings: [...warnings, ...more], changes: changesValue(changes) };
  printResult(input.flags, { value, text: () => changesText(changes, isDry) });
  return 0;
}

/** An import leaves a faulty resource out, and here that would delete it from the app. */
async function assertWhole(folder: string, { omitted }: Preview): Promise<void> {
  const { importFault } = await import("#app");
  const faults = omitted.flatMap((warning) => importFault(warning) ?? []);
  if (faults.length > 0) throw new CommandError(`${folder} (folder): ${faultsText(faults)}`);
}

function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) warn(warning);
}

/** The app as it is now; without a package when there is none. */
async function presentApp(
  name: string,
  input: CommandInput,
): Promise<{ readonly state: AppState | undefined; readonly present: LabelledPackage | undefined }> {
  return callServer(input, async () => {
    const state = await appState(name, input);
    if (state === undefined) return { state, present: undefined };
    const zip = await exportedPackage(name, "", "json", input);
    return { state, present: { label: `${idOf(name)} (server)`, zip } };
  });
}

/** Undefined where it is not known, which must not fail a push that is done. */
async function filesOnServer(name: string, input: CommandInput): Promise<PackageFiles | undefined> {
  const { packageFiles } = await import("#app");
  return exportedPackage(name, "", "json", input).then(packageFiles, () => undefined);
}

/** What is pushed. */
interface Plan {
  readonly folder: string;
  /** Resource name of the app. */
  readonly name: string;
  /** Of the folder. */
  readonly files: readonly PackageFile[];
  readonly preview: Preview;
  readonly changes: readonly FileChange[];
  /** Of the app when it was compared; undefined: there was none. */
  readonly state: AppState | undefined;
}

/** Returns the server's warnings. */
async function tryPlan(plan: Plan, input: CommandInput): Promise<readonly string[]> {
  return callServer(input, async () =>
    importApp(plan.name, await packageOf(plan), { validateOnly: true, headers: {} }, input),
  );
}

/** The app gets its name first, because that can be refused where the import is not. Returns the server's warnings. */
async function carryOut(plan: Plan, input: CommandInput): Promise<readonly string[]> {
  const { folder, name, state, changes, preview } = plan;
  const [present, wanted = ""] = [displayNameIn(preview.before), displayNameIn(preview.after)];
  const zip = await packageOf(plan);
  const words = `${shellWord(folder)} ${shellWord(idOf(name))}`;
  const advice = `The push is not finished: frontdesk diff ${words} says what is left, and pushing again does that.`;
  return toldWhenCut(advice, async (written) => {
    const warnings = await callServer(input, async () => {
      await checkUnchanged(name, state, input);
      const isRenamed = state !== undefined && present !== wanted;
      if (isRenamed) await written(() => rename(name, wanted, input));
      const still = onlyIfStill(isRenamed ? await stateAfterOurs(name, state, input) : state, input);
      const told = await written(() => importApp(name, zip, { validateOnly: false, headers: still }, input));
      return state === undefined ? renameNew(name, wanted, told, input) : told;
    });
    await deleteEvaluations(name, changes, input);
    return warnings;
  });
}

async function packageOf({ name, files, preview }: Plan): Promise<Uint8Array> {
  const { packFiles, withKnownIds } = await import("#app");
  return packFiles(withKnownIds(files, preview.after), idOf(name), Date.now());
}

/** Returns the server's warnings. */
async function importApp(
  name: string,
  zip: Uint8Array,
  { validateOnly, headers }: { readonly validateOnly: boolean; readonly headers: Readonly<Record<string, string>> },
  input: CommandInput,
): Promise<readonly string[]> {
  const request = {
    parent: name.slice(0, name.lastIndexOf("/apps/")),
    appId: idOf(name),
    app: { case: "appContent" as const, value: zip },
    importOptions: { conflictResolutionStrategy: Strategy.OVERWRITE, validateOnly },
  };
  const operation = await clientFor(AgentService, input).importApp(request, { headers });
  return (await finished(operation, ImportAppResponseSchema, input)).warnings;
}
