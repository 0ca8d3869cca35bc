import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { ImportAppRequestSchema } from "@frontdesk/protos/ces/agent_service";
import { ModelSettingsSchema } from "@frontdesk/protos/ces/common";
import { Conversation_Source } from "@frontdesk/protos/ces/conversation";
import { type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import { SessionConfigSchema, type SessionInput, SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import { type JsonObject, systemIds } from "#base";
import type { AssistRequest } from "#generation";
import { createStdioHandler } from "#protocols";
import { packFolder } from "#resources";
import { type SnapshotRef, type TurnEvent, textInput } from "#session";
import { internal } from "#status";
import type { App } from "../build-app.ts";
import { HOME } from "../home-folder.ts";
import { VERSION } from "../version.ts";
import type { ServedMethods } from "./trial-egress.ts";

/** The package of the assistant: an app like any other. */
const PACKAGE = join(HOME, "examples", "assistant", "app");

/** Its toolset with the methods of the API. */
const TOOLSET = "frontdesk";

/** Times that its client tools are answered while it has said nothing. */
const MAX_ANSWERS = 5;

/** What the assistant said, and what it called of the tools that its client answers. */
interface AssistantSpeech {
  readonly text: string;
  readonly calls: readonly Called[];
}

interface Called {
  readonly name: string;
  readonly args: JsonObject;
}

/** The assistant as an app of a trial server. */
export interface AssistantApp {
  /** The methods that its toolset calls. */
  readonly methods: ServedMethods;
  /** Runs a turn. Rejects with the errors of the engine. */
  speak(
    request: Omit<AssistRequest, "draft"> & { readonly app: string },
    signal: AbortSignal,
  ): Promise<AssistantSpeech>;
}

/** Imports the assistant into a server. `model`: the name of the model that leads it, "" = the server's default model. */
export async function importAssistant(server: App, model: string): Promise<AssistantApp> {
  const { resources, registry, logger, clock, sessions } = server;
  const { zip } = await packFolder(PACKAGE, clock.now());
  // An id that no app of a person has.
  const place = { parent: "projects/frontdesk/locations/us", appId: systemIds.uuid() };
  const request = create(ImportAppRequestSchema, { ...place, app: { case: "appContent", value: zip } });
  const { name } = await resources.packages.importApp(request);
  const draft = await resources.snapshots.draft(name);
  const modelSettings = create(ModelSettingsSchema, { model });
  const snapshot: SnapshotRef = { ...draft, appVersion: "", deployment: "", modelSettings };
  const address = addressOf(snapshot);
  const endpoint = address.slice(new URL(address).origin.length);
  return {
    methods: { address, answer: createStdioHandler(registry, { logger, clock, version: VERSION, endpoint }) },
    speak: async (turn, signal) => {
      const session = `${name}/sessions/${systemIds.uuid()}`;
      const config = create(SessionConfigSchema, { session, historicalContexts: turn.conversation.map(toMessage) });
      const speech = { texts: [] as string[], calls: [] as Called[] };
      let inputs = inputsOf(turn);
      for (let round = 0; round <= MAX_ANSWERS; round++) {
        const source = Conversation_Source.SIMULATOR;
        const events = sessions.runTurn({ session, config, inputs, snapshot, source, streamText: false, signal });
        const asked = await heard(events, speech, turn.progress);
        if (asked.length === 0 || speech.texts.length > 0) break;
        inputs = [shownTo(asked)];
      }
      return { text: speech.texts.join("\n\n"), calls: speech.calls };
    },
  };
}

/** Adds what a turn said; returns the ids of the calls that wait for the client. */
async function heard(
  events: AsyncIterable<TurnEvent>,
  speech: { readonly texts: string[]; readonly calls: Called[] },
  progress: AssistRequest["progress"],
): Promise<readonly string[]> {
  const asked: string[] = [];
  for await (const event of events) {
    if (event.kind === "message") for (const called of calledIn(event.message)) await progress(`Calling ${called}.`);
    if (event.kind !== "output") continue;
    const { outputType } = event.output;
    if (outputType.case === "text") speech.texts.push(outputType.value);
    if (outputType.case !== "toolCalls") continue;
    for (const { id, displayName, args = {} } of outputType.value.toolCalls) {
      asked.push(id);
      speech.calls.push({ name: displayName, args });
    }
  }
  return asked;
}

/** The address that its toolset has: in a trial server, the trial server's own methods answer there. */
function addressOf({ snapshot }: SnapshotRef): string {
  const found = snapshot.toolsets.find(({ displayName }) => displayName === TOOLSET)?.toolsetType;
  if (found?.case === "mcpToolset") return found.value.serverAddress;
  throw internal(`The assistant in ${PACKAGE} has no MCP toolset '${TOOLSET}'.`);
}

function inputsOf({ app, overview, message }: Parameters<AssistantApp["speak"]>[0]): readonly SessionInput[] {
  return [
    create(SessionInputSchema, { inputType: { case: "variables", value: { app, overview } } }),
    textInput(message),
  ];
}

/** The client shows what it was asked to show when the turn has ended. */
function shownTo(calls: readonly string[]): SessionInput {
  const toolResponses = calls.map((id) => ({ id, response: { output: "It is shown to the person." } }));
  return create(SessionInputSchema, { inputType: { case: "toolResponses", value: { toolResponses } } });
}

function toMessage({ role, text }: AssistRequest["conversation"][number]): Message {
  return create(MessageSchema, {
    role: role === "user" ? "user" : "Assistant",
    chunks: [{ data: { case: "text", value: text } }],
  });
}

/** Names of the tools that a message calls. */
function calledIn({ chunks }: Message): readonly string[] {
  return chunks.flatMap(({ data }) => (data.case === "toolCall" ? [data.value.displayName] : []));
}
