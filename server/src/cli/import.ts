import {
  AgentService,
  ImportAppResponseSchema,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import { appName } from "./app-name.ts";
import { packageAt } from "./app-package.ts";
import { type Command, CommandError, SERVER_FLAGS } from "./command.ts";
import { OUTPUT_FLAGS, printResult } from "./output/print-result.ts";
import { warn } from "./output/say.ts";
import { placeOf } from "./server/connection.ts";
import { finished } from "./server/operation.ts";
import { callServer, clientFor } from "./server/server-client.ts";

/** `frontdesk import`: imports a package, a zip or a folder, as a new app or into one. */
export const importApp: Command = {
  name: "import",
  operands: "<folder|zip|-> [app]",
  summary: "import an app package; in an existing app, resources of the same name are replaced and the others stay",
  flags: [
    { name: "overwrite", summary: "delete resources of the app that the package does not have" },
    { name: "dry-run", summary: "validate the package and change nothing" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: [
    "import my-app desk",
    "import desk.zip --dry-run",
    "import - desk",
    "import my-app desk --overwrite --project retail",
  ],
  run: async (input) => {
    const [source, target] = input.positionals;
    if (!source) throw new CommandError("the folder or zip to import is missing, or - for a zip on standard input.");
    const found = await packageAt(source);
    if (!found) throw new CommandError(`${source} does not exist.`);
    const { zip, warnings } = found;
    const name = target ? appName(target, input) : undefined;
    const [parent, appId] = name ? split(name) : [placeOf(input), ""];
    const response = await callServer(input, async () => {
      const operation = await clientFor(AgentService, input).importApp({
        parent,
        appId,
        app: { case: "appContent", value: zip },
        importOptions: {
          conflictResolutionStrategy: input.flags.overwrite ? Strategy.OVERWRITE : Strategy.REPLACE,
          validateOnly: input.flags["dry-run"] === true,
        },
      });
      return finished(operation, ImportAppResponseSchema, input);
    });
    const all = [...warnings, ...response.warnings];
    for (const warning of all) warn(warning);
    printResult(input.flags, {
      value: { name: response.name, warnings: all, imported: !input.flags["dry-run"] },
      text: input.flags["dry-run"] ? "the package is valid; nothing was changed" : `imported ${response.name}`,
    });
    return 0;
  },
};

function split(name: string): [parent: string, appId: string] {
  const at = name.lastIndexOf("/apps/");
  return [name.slice(0, at), name.slice(at + "/apps/".length)];
}
