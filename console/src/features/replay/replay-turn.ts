import { create, type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import { ModelSettingsSchema } from "@frontdesk/protos/ces/common";
import { type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import { ToolFakeConfigSchema } from "@frontdesk/protos/ces/fakes";
import { agentService } from "../../api/clients.ts";
import { runTurn } from "../simulator/run-turn.ts";
import type { SessionSettings } from "../simulator/session-settings.ts";
import { isVersion } from "../simulator/target.ts";
import { beginTurn, type Turn } from "../simulator/turn.ts";
import type { Session } from "../simulator/use-session.ts";
import { stateAt } from "../traces/session-state.ts";
import { type AppCopy, copyApp } from "./app-copy.ts";
import { mockCode } from "./mock-code.ts";

/** What is different when a turn is run again. */
export interface ReplayEdits {
  /** Display name of the agent whose instruction and model are changed. */
  readonly agent: string;
  readonly instruction: string;
  /** "" = the app's own. */
  readonly model: string;
  /** What tools answer instead of being called, by display name. */
  readonly results: Readonly<Record<string, JsonObject>>;
}

/**
 * Runs a turn again in a copy of its app, from the state of the conversation before it. Reports each change of the new turn,
 * and always deletes the copy. Rejects with the error of the API.
 */
export async function replayTurn(
  { app, session, turn, edits }: { app: string; session: Session; turn: Turn; edits: ReplayEdits },
  signal: AbortSignal,
  update: (turn: Turn) => void,
): Promise<void> {
  const copy = await copyApp(app, await versionOf(session.settings.target));
  try {
    await applyEdits(copy, edits, session.settings.useToolFakes);
    let current = beginTurn(turn.index, turn.input);
    update(current);
    const run = {
      app: copy.name,
      session: `${copy.name}/sessions/rerun-${Date.now()}`,
      settings: settingsOf(session, turn, copy, edits),
      first: true,
      input: turn.input,
    };
    await runTurn(run, signal, (change) => {
      current = change(current);
      update(current);
    });
  } finally {
    await copy.delete();
  }
}

async function versionOf(target: string): Promise<string> {
  if (target === "" || isVersion(target)) return target;
  const { appVersion } = await agentService.getDeployment({ name: target });
  return appVersion.endsWith("/-") ? "" : appVersion;
}

async function applyEdits(copy: AppCopy, edits: ReplayEdits, fakes: boolean): Promise<void> {
  const agent = copy.agents.find(({ displayName }) => displayName === edits.agent);
  if (agent)
    await agentService.updateAgent({
      agent: {
        name: agent.name,
        instruction: edits.instruction,
        modelSettings: { ...(agent.modelSettings ?? create(ModelSettingsSchema)), model: edits.model },
      },
      updateMask: { paths: ["instruction", "model_settings"] },
    });
  for (const tool of copy.tools) {
    const result = edits.results[tool.displayName];
    // Fakes are on for the mocks; those that the original turn did not use must not come into it.
    const own = fakes ? undefined : create(ToolFakeConfigSchema);
    const toolFakeConfig = result ? mockOf(result) : tool.toolFakeConfig && own;
    if (toolFakeConfig)
      await agentService.updateTool({
        tool: { name: tool.name, toolFakeConfig },
        updateMask: { paths: ["tool_fake_config"] },
      });
  }
}

function mockOf(result: JsonObject) {
  const value = { pythonCode: mockCode(result) };
  return create(ToolFakeConfigSchema, { enableFakeMode: true, toolResponse: { case: "codeBlock", value } });
}

function settingsOf(session: Session, turn: Turn, copy: AppCopy, edits: ReplayEdits): SessionSettings {
  const { turns, settings } = session;
  const at = turns.findIndex(({ index }) => index === turn.index);
  const before = turns.slice(0, at);
  const holder = before.at(-1)?.rootSpan?.attributes?.agent;
  const history: JsonValue[] = [
    ...settings.history,
    ...before
      .flatMap(({ messages }) => messages)
      .filter(hasChunks)
      .map(messageJson),
  ];
  return {
    ...settings,
    target: "",
    entryAgent: agentNamed(copy, holder) || renamed(settings.entryAgent, copy),
    useToolFakes: settings.useToolFakes || Object.keys(edits.results).length > 0,
    variables: { ...settings.variables, ...stateAt(turns, at).before },
    history: JSON.parse(renamed(JSON.stringify(history), copy)),
  };
}

function hasChunks({ chunks }: Message): boolean {
  return chunks.length > 0;
}

function messageJson(message: Message): JsonValue {
  return toJson(MessageSchema, message);
}

function agentNamed({ agents }: AppCopy, holder: unknown): string {
  return agents.find(({ displayName }) => displayName === holder)?.name ?? "";
}

function renamed(text: string, { renamed: pairs }: AppCopy): string {
  return pairs.reduce((all, [from, to]) => all.replaceAll(from, to), text);
}
