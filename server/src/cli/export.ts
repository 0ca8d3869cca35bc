import { writeFile } from "node:fs/promises";
import {
  AgentService,
  ExportAppResponseSchema,
  ExportAppRequest_ExportFormat as Format,
} from "@frontdesk/protos/ces/agent_service";
import { appName } from "./app-name.ts";
import { type Command, CommandError, SERVER_FLAGS } from "./command.ts";
import { finished } from "./operation.ts";
import { OUTPUT_FLAGS, printResult } from "./print-result.ts";
import { callServer, clientFor } from "./server-client.ts";

/** `frontdesk export`: an app as a package, a zip or a folder. */
export const exportApp: Command = {
  name: "export",
  operands: "<app> <folder|file.zip>",
  summary: "export an app as a package, a zip or a folder",
  flags: [
    { name: "yaml", summary: "write YAML manifests (default JSON)" },
    { name: "app-version", value: "name", summary: "export this version instead of the draft" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: [
    "export order-desk my-app",
    "export order-desk desk.zip --yaml",
    "export order-desk v1 --app-version projects/local/locations/us/apps/order-desk/versions/v1",
  ],
  run: async (input) => {
    const [app, target] = input.positionals;
    if (!app || !target) throw new CommandError("the app or the target is missing.");
    const response = await callServer(input, async () => {
      const operation = await clientFor(AgentService, input).exportApp({
        name: appName(app, input),
        exportFormat: input.flags.yaml ? Format.YAML : Format.JSON,
        appVersion: String(input.flags["app-version"] ?? ""),
      });
      return finished(operation, ExportAppResponseSchema, input);
    });
    if (response.app.case !== "appContent") throw new CommandError("the server returned no package.");
    await write(response.app.value, target);
    const name = appName(app, input);
    printResult(input.flags, { value: { name, target }, text: `exported ${name} to ${target}` });
    return 0;
  },
};

async function write(zip: Uint8Array, target: string): Promise<void> {
  if (target.endsWith(".zip")) return writeFile(target, zip);
  const { unpackToFolder } = await import("#app");
  await unpackToFolder(zip, target);
}
