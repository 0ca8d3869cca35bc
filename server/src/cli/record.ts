import { create } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { type AppSnapshot, AppSnapshotSchema } from "@frontdesk/protos/ces/app_version";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { ToolService } from "@frontdesk/protos/ces/tool_service";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import type { ToolsetMember } from "#app";
import { ConnectError } from "#status";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "./command.ts";
import { conversationName } from "./conversations/conversation-name.ts";
import { report } from "./output/difference-report.ts";
import { printResult, UNNAMED_OUTPUT_FLAGS } from "./output/print-result.ts";
import { commandErrorOf } from "./server/refusal-text.ts";
import { callServer, clientFor } from "./server/server-client.ts";

/** `frontdesk record`: writes a stored conversation as a recording; exit code 1 when the recording is incomplete. */
export const recordStored: Command = {
  name: "record",
  operands: "<session> [file]",
  summary: "write a stored conversation to a recording, to replay and edit",
  flags: [
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
    ...UNNAMED_OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: ["record order-desk/hello-1", "record order-desk/hello-1 hello.yaml --json"],
  exitCodes: { 1: "the recording is incomplete, or the command failed" },
  run: async (input) => {
    const [session, file] = input.positionals;
    if (!session) throw new CommandError("the session is missing. Pass its resource name, or {app id}/{session id}.");
    const name = conversationName(session, input);
    const client = clientFor(AgentService, input);
    const { conversation, snapshot, toolsets } = await callServer(input, async () => {
      const found = await client.getConversation({ name });
      const app = await snapshotOf(found, client);
      return { conversation: found, snapshot: app, toolsets: await membersOf(app.toolsets, input) };
    });
    const target = file ?? `${name.slice(name.lastIndexOf("/") + 1)}.yaml`;
    const { readConfig, recordConversation } = await import("#app");
    const config = readConfig(typeof input.flags.config === "string" ? ["--config", input.flags.config] : []);
    const request = { conversation, snapshot, toolsets, file: target };
    const { turns, difference } = await recordConversation(request, config).catch((error: unknown) => {
      throw commandErrorOf(error);
    });
    const recorded = turns > 0 ? [`recorded ${turns} of ${conversation.turns.length} turns in ${target}`] : [];
    printResult(input.flags, {
      value: { file: target, turns, difference: difference ? { ...difference } : null },
      text: () => [...recorded, ...(difference ? [report(difference)] : [])].join("\n").trimEnd(),
    });
    return difference ? 1 : 0;
  },
};

/** The version that the conversation ran, or the draft as it is now. */
async function snapshotOf(
  { name, appVersion }: Conversation,
  client: Client<typeof AgentService>,
): Promise<AppSnapshot> {
  if (appVersion) {
    const { snapshot } = await client.getAppVersion({ name: appVersion });
    if (snapshot) return snapshot;
  }
  const parent = name.slice(0, name.indexOf("/conversations/"));
  const page = { parent, pageSize: 1_000 };
  const [app, { agents }, { tools }, { toolsets }, { guardrails }, { examples }] = await Promise.all([
    client.getApp({ name: parent }),
    client.listAgents(page),
    client.listTools(page),
    client.listToolsets(page),
    client.listGuardrails(page),
    client.listExamples(page),
  ]);
  return create(AppSnapshotSchema, { app, agents, tools, toolsets, guardrails, examples });
}

/** The tools that the server finds in the toolsets now; a toolset that fails is left to the definition in the app. */
async function membersOf(
  toolsets: readonly Toolset[],
  input: CommandInput,
): Promise<ReadonlyMap<string, readonly ToolsetMember[]>> {
  const client = clientFor(ToolService, input);
  const found = new Map<string, readonly ToolsetMember[]>();
  for (const { name } of toolsets) {
    const tools = await client.retrieveTools({ toolset: name }).then(
      (answer) => answer.tools,
      (error: unknown) => {
        if (error instanceof ConnectError) return undefined;
        throw error;
      },
    );
    if (!tools) continue;
    const toolId = (tool: string) => tool.slice(tool.lastIndexOf("/") + 1);
    found.set(
      name,
      tools.map((tool) => ({ tool, toolId: toolId(tool.name), hidden: false })),
    );
  }
  return found;
}
