import { setImmediate } from "node:timers/promises";
import type { Span } from "@frontdesk/protos/ces/common";
import type { Message } from "@frontdesk/protos/ces/example";
import type { JsonObject } from "#base";
import { type LanguageModel, LLM_CAPABILITIES, type ModelRequest, type StreamPart } from "#models";
import { BUILTIN_CAPABILITIES, BUILTIN_MODEL } from "#offline";
import { unavailable } from "#status";
import type { ToolOutcome, Tools, ToolsetMember } from "#tools";
import type { RecordedServices } from "./offline-engine.ts";
import type { StoredTurnParts } from "./stored-turn.ts";
import { changesBy, isPending, type SetByCallbacks } from "./variable-changes.ts";

/**
 * Models and tools for an engine that runs a stored conversation again: a model returns the next message, a tool the stored result of its
 * call. A call without a stored result ends the turn, and `problem` describes it.
 */
export class ConversationSource implements RecordedServices {
  /** The first call without a stored result. */
  problem: string | undefined;
  #turn: StoredTurnParts | undefined;
  /** Messages of the turn so far; a model returns the next one. */
  #messages = 0;
  #modelCalls = 0;
  #judgements = 0;
  readonly #toolsets: ReadonlyMap<string, readonly ToolsetMember[]>;
  readonly #running: { readonly tool: string; readonly settle: (outcome: ToolOutcome) => void }[] = [];

  readonly #setByCallbacks: SetByCallbacks;

  constructor(toolsets: ReadonlyMap<string, readonly ToolsetMember[]>, setByCallbacks: SetByCallbacks) {
    this.#toolsets = toolsets;
    this.#setByCallbacks = setByCallbacks;
  }

  /** Starts a turn; asynchronous tools whose results it reports end now. */
  async begin(turn: StoredTurnParts): Promise<void> {
    this.#turn = turn;
    this.#messages = 0;
    this.#modelCalls = 0;
    this.#judgements = 0;
    for (const { tool, failed, response } of turn.late) {
      const at = this.#running.findIndex((running) => running.tool === tool);
      const [running] = at < 0 ? [] : this.#running.splice(at, 1);
      running?.settle(outcomeOf(failed, response, {}));
    }
    // The engine gets the results before it checks for them.
    await setImmediate();
  }

  /** The engine has recorded a message. */
  recorded(): void {
    this.#messages += 1;
  }

  readonly now = (): number => this.#turn?.time ?? 0;

  readonly models: RecordedServices["models"] = {
    resolve: (): LanguageModel => {
      const label = String(this.#turn?.modelSpans[this.#modelCalls]?.attributes?.model ?? "frontdesk/conversation");
      const capabilities = label === BUILTIN_MODEL ? BUILTIN_CAPABILITIES : LLM_CAPABILITIES;
      return { label, capabilities, stream: (request) => this.#stream(request) };
    },
  };

  readonly dialogflow: RecordedServices["dialogflow"] = {
    detectIntent: async () => this.#miss("a Dialogflow agent was called"),
  };

  readonly tools = (tools: Tools): Tools => ({
    ...tools,
    open: async (toolset, context) => this.#toolsets.get(toolset.name) ?? tools.open(toolset, context),
    execute: async (_tool, { id, name }) => this.#execute(id, name),
    hostCalls: () => async () => this.#miss("the code of a callback called a tool or an address"),
  });

  async *#stream(request: ModelRequest): AsyncGenerator<StreamPart> {
    if (request.responseSchema) return yield* judged(this.#turn?.judgeSpans[this.#judgements++]);
    const output = this.#turn?.modelOutputs[this.#modelCalls];
    const span = this.#turn?.modelSpans[this.#modelCalls++];
    const { error } = span?.attributes ?? {};
    if (error !== undefined) throw unavailable(String(error).replace(/^\[\w+\] /, ""));
    const message = this.#turn?.messages[this.#messages];
    if (!output && (!message || message.role === "user")) this.#miss("the model was called once more than stored");
    yield* output ?? (message ? partsOf(message) : []);
    yield { kind: "finish", reason: "stop", rawReason: "", usage: usageOf(span) };
  }

  #execute(id: string, name: string): Promise<ToolOutcome> {
    const stored = this.#turn?.messages.find(({ chunks }) => chunks.some(({ data }) => isResponseTo(data, id)));
    const chunk = stored?.chunks.find(({ data }) => isResponseTo(data, id));
    if (!stored || chunk?.data.case !== "toolResponse")
      return Promise.reject(this.#miss(`the tool '${name}' was called, and its result was not stored`));
    const { response = {} } = chunk.data.value;
    // The immediate result of a deferred call is the engine's own; the tool's comes with a later turn, if at all.
    if (isPending(response)) return new Promise((settle) => this.#running.push({ tool: name, settle }));
    return Promise.resolve(
      outcomeOf(response.status === "error", response, changesBy(id, stored, this.#setByCallbacks)),
    );
  }

  #miss(what: string): never {
    this.problem ??= `${what}; a stored conversation does not have such results`;
    throw new Error(this.problem);
  }
}

function* judged(span: Span | undefined): Generator<StreamPart> {
  const { error, triggered = false, reason = "" } = span?.attributes ?? {};
  if (error !== undefined) throw unavailable(String(error));
  yield { kind: "text-delta", text: JSON.stringify({ triggered, reason }) };
  yield { kind: "finish", reason: "stop", rawReason: "", usage: {} };
}

/** The parts of a model that lead to this message. */
function* partsOf({ chunks }: Message): Generator<StreamPart> {
  for (const { data } of chunks) {
    if (data.case === "text" || data.case === "transcript") yield { kind: "text-delta", text: data.value };
    if (data.case === "toolCall") {
      const { id, displayName: name, args = {} } = data.value;
      yield { kind: "function-call", id, name, args };
    }
    if (data.case === "agentTransfer") {
      const args = { agent_name: data.value.displayName };
      yield { kind: "function-call", id: "", name: "transfer_to_agent", args };
    }
  }
}

function usageOf(span: Span | undefined) {
  const { "input token count": inputTokens, "output token count": outputTokens } = span?.attributes ?? {};
  return {
    ...(typeof inputTokens === "number" && { inputTokens }),
    ...(typeof outputTokens === "number" && { outputTokens }),
  };
}

function isResponseTo(data: Message["chunks"][number]["data"], id: string): boolean {
  return data.case === "toolResponse" && data.value.id === id;
}

function outcomeOf(failed: boolean, response: JsonObject, updated: JsonObject): ToolOutcome {
  const entries = Object.entries(updated);
  const state = {
    set: Object.fromEntries(entries.filter(([, value]) => value !== null)),
    removed: entries.flatMap(([name, value]) => (value === null ? [name] : [])),
  };
  const record = { durationMs: 0, output: [], state };
  if (!failed) return { ...record, kind: "answered", response };
  return { ...record, kind: "failed", response, error: String(response.error ?? ""), frames: [] };
}
