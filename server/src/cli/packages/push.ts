import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import {
  AgentService,
  ImportAppResponseSchema,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import { Code, ConnectError } from "#status";
import { appName } from "../app-name.ts";
import { asCommandError, exportedPackage } from "../app-package.ts";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "../command.ts";
import { finished } from "../operation.ts";
import { OUTPUT_FLAGS, printResult } from "../print-result.ts";
import { callServer, clientFor } from "../server-client.ts";
import { deleteEvaluations } from "./delete-evaluations.ts";
import { changesBetween, changesText, changesValue } from "./file-changes.ts";

/** `frontdesk push`: makes the draft of an app the same as a folder; resources that the folder lacks are deleted. */
export const push: Command = {
  name: "push",
  operands: "<folder> [app]",
  summary: "make an app on a server the same as a folder, and delete what the folder does not have",
  flags: [{ name: "dry-run", summary: "say what would change, and change nothing" }, ...OUTPUT_FLAGS, ...SERVER_FLAGS],
  examples: ["push my-desk", "push my-desk order-desk --dry-run", "push my-desk order-desk --context office"],
  run: async (input) => {
    const [folder, app, ...others] = input.positionals;
    if (!folder || others.length > 0) throw new CommandError("name one folder, and the app if it has another name.");
    const found = await stat(folder).catch(() => undefined);
    if (!found?.isDirectory()) throw new CommandError(`${folder} is not a folder.`);
    return asCommandError(() => pushFrom(folder, appName(app ?? basename(resolve(folder)), input), input));
  },
};

async function pushFrom(folder: string, name: string, input: CommandInput): Promise<number> {
  const { packFiles, packFolder, previewImport, readPackageFolder, withKnownIds } = await import("#app");
  const { files, warnings } = await readPackageFolder(folder);
  const { zip } = await packFolder(folder, Date.now());
  const { before, after } = await previewImport(await presentApp(name, input), zip);
  const changes = changesBetween(before, after);
  const isDry = input.flags["dry-run"] === true;
  const sent = await packFiles(withKnownIds(files, after), basename(name), Date.now());
  const importWarnings = changes.length > 0 || isDry ? await importApp(name, sent, isDry, input) : [];
  if (!isDry) await deleteEvaluations(name, changes, input);
  for (const warning of [...warnings, ...importWarnings]) process.stderr.write(`warning: ${warning}\n`);
  const value = { name, warnings: [...warnings, ...importWarnings], changes: changesValue(changes) };
  printResult(input.flags, { value, text: () => changesText(changes, isDry) });
  return 0;
}

/** The app as it is now; undefined when there is none. */
async function presentApp(name: string, input: CommandInput): Promise<Uint8Array | undefined> {
  return callServer(input, async () => {
    const found = await clientFor(AgentService, input)
      .getApp({ name })
      .catch((error: unknown) => {
        if (error instanceof ConnectError && error.code === Code.NotFound) return undefined;
        throw error;
      });
    return found && exportedPackage(name, "", "json", input);
  });
}

/** Returns the server's warnings. */
async function importApp(
  name: string,
  zip: Uint8Array,
  validateOnly: boolean,
  input: CommandInput,
): Promise<readonly string[]> {
  const at = name.lastIndexOf("/apps/");
  return callServer(input, async () => {
    const operation = await clientFor(AgentService, input).importApp({
      parent: name.slice(0, at),
      appId: name.slice(at + "/apps/".length),
      app: { case: "appContent", value: zip },
      importOptions: { conflictResolutionStrategy: Strategy.OVERWRITE, validateOnly },
    });
    return (await finished(operation, ImportAppResponseSchema, input)).warnings;
  });
}
