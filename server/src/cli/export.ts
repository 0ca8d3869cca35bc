import { readdir, stat, writeFile } from "node:fs/promises";
import { extname } from "node:path";
import {
  AgentService,
  ExportAppResponseSchema,
  ExportAppRequest_ExportFormat as Format,
} from "@frontdesk/protos/ces/agent_service";
import { ifThere } from "#base";
import { appName } from "./app-name.ts";
import { STREAM, versionName } from "./app-package.ts";
import { type Command, CommandError, SERVER_FLAGS } from "./command.ts";
import { OUTPUT_FLAGS, printResult } from "./output/print-result.ts";
import { finished } from "./server/operation.ts";
import { callServer, clientFor } from "./server/server-client.ts";

/** `frontdesk export`: an app as a package, a zip or a folder. */
export const exportApp: Command = {
  name: "export",
  operands: "<app> <folder|file.zip|->",
  summary: "export an app as a package: a folder, a zip, or - for a zip on standard output",
  flags: [
    { name: "yaml", summary: "write YAML manifests (default JSON)" },
    { name: "app-version", value: "name", summary: "export this version, by id or display name, instead of the draft" },
    { name: "force", summary: "write over a zip that exists, or into a folder that has files" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: [
    "export order-desk my-app",
    "export order-desk desk.zip --yaml",
    "export order-desk -",
    "export order-desk v1 --app-version v1",
  ],
  run: async (input) => {
    const [app, target] = input.positionals;
    if (!app || !target) throw new CommandError("the app or the target is missing.");
    await checkTarget(target, input.flags.force === true);
    const version = input.flags["app-version"];
    const response = await callServer(input, async () => {
      const name = appName(app, input);
      const operation = await clientFor(AgentService, input).exportApp({
        name,
        exportFormat: input.flags.yaml ? Format.YAML : Format.JSON,
        appVersion: typeof version === "string" ? await versionName(name, version, input) : "",
      });
      return finished(operation, ExportAppResponseSchema, input);
    });
    if (response.app.case !== "appContent") throw new CommandError("the server returned no package.");
    await write(response.app.value, target);
    if (target === STREAM) return 0;
    const name = appName(app, input);
    printResult(input.flags, { value: { name, target }, text: `exported ${name} to ${target}` });
    return 0;
  },
};

/** What looks like the ending of a file; `v1.2` has none. */
const ENDING = /^\.[a-z][a-z0-9]{0,4}$/i;

const isZip = (target: string) => extname(target).toLowerCase() === ".zip";

/** Throws `CommandError` for a target of another kind, and for one that has something, which is lost where `force` does not say so. */
async function checkTarget(target: string, force: boolean): Promise<void> {
  if (target === STREAM) {
    if (process.stdout.isTTY) throw new CommandError("a zip is not for a terminal: name a file, or pass it on.");
    return;
  }
  const found = await ifThere(stat(target));
  const isFolder = found?.isDirectory() === true;
  if (isZip(target)) {
    if (isFolder) throw new CommandError(`${target} is a folder; name a file.`);
    if (found && !force) throw new CommandError(`${target} exists; --force writes over it.`);
    return;
  }
  if (!isFolder && ENDING.test(extname(target)) && !/[\\/]$/.test(target))
    throw new CommandError(`${target} is neither a folder nor a .zip; for a folder of this name, write ${target}/.`);
  if (found && !isFolder) throw new CommandError(`${target} is not a folder.`);
  if (isFolder && !force && (await readdir(target)).length > 0)
    throw new CommandError(`${target} is not empty; --force writes into it, and frontdesk pull makes it like the app.`);
}

async function write(zip: Uint8Array, target: string): Promise<void> {
  if (target === STREAM) return new Promise((resolve) => process.stdout.write(zip, () => resolve()));
  if (isZip(target)) return writeFile(target, zip);
  const { unpackToFolder } = await import("#app");
  await unpackToFolder(zip, target);
}
