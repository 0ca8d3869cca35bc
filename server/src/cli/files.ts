import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { appName } from "./app-name.ts";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "./command.ts";
import { OUTPUT_FLAGS, printResult } from "./output/print-result.ts";
import { addressOf, authorizationFor, callServer, clientFor } from "./server/server-client.ts";

/** `frontdesk files`: the files of a file search tool. */
export const toolFiles: Command = {
  name: "files",
  operands: "<app> <tool> [file…]",
  summary: "list the files of a file search tool, or upload files",
  flags: [{ name: "remove", value: "name", summary: "delete this file of the tool" }, ...OUTPUT_FLAGS, ...SERVER_FLAGS],
  examples: [
    "files order-desk handbook",
    "files order-desk handbook returns.md prices.pdf",
    "files order-desk handbook --remove prices.pdf",
  ],
  run: async (input) => {
    const [app, toolName, ...paths] = input.positionals;
    if (!app || !toolName) throw new CommandError("the app or the file search tool is missing.");
    const tool = await findTool(appName(app, input), toolName, input);
    if (input.flags.remove) await exchange(tool, input, "DELETE", String(input.flags.remove));
    for (const path of paths) {
      await exchange(tool, input, "PUT", basename(path), await readFile(path));
    }
    const { files = [] } = await exchange(tool, input, "GET");
    printResult(input.flags, {
      value: files.map(({ name, sizeBytes }) => ({ name, sizeBytes })),
      text: () => files.map(({ name, sizeBytes }) => `${sizeBytes.padStart(10)}  ${name}`).join("\n"),
    });
    return 0;
  },
};

/** Finds a tool by display name, id or resource name. */
async function findTool(app: string, toolName: string, input: CommandInput): Promise<Tool> {
  const { tools } = await callServer(input, () =>
    clientFor(AgentService, input).listTools({ parent: app, pageSize: 1_000 }),
  );
  const found = tools.find(({ name, displayName }) => [displayName, name, name.split("/tools/")[1]].includes(toolName));
  if (found) return found;
  const known = tools
    .filter(({ toolType }) => toolType.case === "fileSearchTool")
    .map(({ displayName }) => displayName);
  throw new CommandError(`the app has no tool '${toolName}'; its file search tools are ${known.join(", ") || "none"}.`);
}

interface FilesAnswer {
  readonly files?: readonly { readonly name: string; readonly sizeBytes: string }[];
  readonly error?: { readonly message: string };
}

async function exchange(
  { name }: Tool,
  input: CommandInput,
  method: "GET" | "PUT" | "DELETE",
  file = "",
  body?: Uint8Array,
): Promise<FilesAnswer> {
  const path = file === "" ? "" : `/${encodeURIComponent(file)}`;
  const url = `${addressOf(input)}/upload/v1beta/${name}/files${path}`;
  const headers = await authorizationFor(input);
  const response = await fetch(url, { method, headers, ...(body && { body: new Uint8Array(body) }) });
  const answer = (await response.json().catch(() => ({}))) as FilesAnswer;
  if (response.ok) return answer;
  throw new CommandError(`${file || name}: ${answer.error?.message ?? `the server responded ${response.status}`}`);
}
