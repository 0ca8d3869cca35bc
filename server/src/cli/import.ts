import {
  AgentService,
  ImportAppResponseSchema,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import { appName } from "./app-name.ts";
import { packageAt } from "./app-package.ts";
import { type Command, CommandError, SERVER_FLAG } from "./command.ts";
import { finished } from "./operation.ts";
import { callServer, clientFor } from "./server-client.ts";

/** `frontdesk import`: imports a package, a zip or a folder, as a new app or in place of one. */
export const importApp: Command = {
  name: "import",
  operands: "<folder|zip> [app]",
  summary: "import an app package; an existing app is replaced",
  flags: [
    { name: "overwrite", summary: "delete resources of the app that the package does not have" },
    { name: "dry-run", summary: "validate the package and change nothing" },
    SERVER_FLAG,
  ],
  run: async (input) => {
    const [source, target] = input.positionals;
    if (!source) throw new CommandError("the folder or zip to import is missing.");
    const found = await packageAt(source);
    if (!found) throw new CommandError(`${source} does not exist.`);
    const { zip, warnings } = found;
    const name = target ? appName(target) : undefined;
    const [parent, appId] = name ? split(name) : ["projects/local/locations/us", ""];
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
    for (const warning of [...warnings, ...response.warnings]) process.stderr.write(`warning: ${warning}\n`);
    process.stdout.write(
      input.flags["dry-run"] ? "the package is valid; nothing was changed\n" : `imported ${response.name}\n`,
    );
    return 0;
  },
};

function split(name: string): [parent: string, appId: string] {
  const at = name.lastIndexOf("/apps/");
  return [name.slice(0, at), name.slice(at + "/apps/".length)];
}
