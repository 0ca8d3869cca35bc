import { setImmediate } from "node:timers/promises";
import { fromJson, type JsonValue as ProtoJson } from "@bufbuild/protobuf";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { stringify } from "yaml";
import { type JsonValue, sortedJson } from "#base";
import { LLM_CAPABILITIES, type Models } from "#models";
import type { DialogflowAgents } from "#session";
import { ConnectError } from "#status";
import type { Tools, ToolsetMember } from "#tools";
import { toRequest } from "./calls.ts";
import { normalRequest } from "./normal-request.ts";
import type {
  RecordedDialogflowCall,
  RecordedHostCall,
  RecordedModelCall,
  RecordedToolCall,
  RecordedToolset,
  RecordedTurn,
} from "./recording.ts";

/** The first difference between a replay and its recording. */
export interface Difference {
  /** Turn, from 1. */
  readonly turn: number;
  /** The difference in one sentence. */
  readonly what: string;
  /** The recorded and the replayed value as YAML; "" for none. */
  readonly recorded: string;
  readonly replayed: string;
}

/** Returns the recorded results of models and tools, each once, to equal calls. */
export class Player {
  readonly models: Models;
  readonly dialogflow: DialogflowAgents = { detectIntent: (query) => this.#detectIntent(query) };
  /** The engine's current time, milliseconds. */
  time = 0;
  /** The first difference. */
  difference: Difference | undefined;
  #turn = 0;
  #models: RecordedModelCall[] = [];
  #tools: RecordedToolCall[] = [];
  readonly #late: RecordedToolCall[] = [];
  readonly #running: { readonly tool: string; readonly settle: () => void }[] = [];
  #hostCalls: RecordedHostCall[] = [];
  #dialogflow: RecordedDialogflowCall[] = [];
  /** The last recorded tools of each toolset; the array stays the same until they change. */
  readonly #toolsets = new Map<string, readonly ToolsetMember[]>();

  constructor() {
    const model = {
      label: "frontdesk/replay",
      capabilities: LLM_CAPABILITIES,
      stream: (request: Parameters<typeof normalRequest>[0]) => this.#stream(request),
    };
    const status = { defaultModel: model.label, providers: [] };
    this.models = { resolve: () => model, status: () => status, close: async () => {} };
  }

  /** Calls of tools that were still running when their turn ended: each returns at the turn that reports its result. */
  late(calls: readonly RecordedToolCall[]): void {
    this.#late.push(...calls);
  }

  /** Starts a turn with its recorded calls. */
  async begin(turn: number, recorded: RecordedTurn): Promise<void> {
    const { models, tools, hostCalls, dialogflow = [], toolsets = [], told: lateTools = [] } = recorded;
    this.#turn = turn;
    this.#models = [...models];
    this.#tools = [...tools];
    this.#hostCalls = [...hostCalls];
    this.#dialogflow = [...dialogflow];
    for (const { toolset, members } of toolsets) this.#toolsets.set(toolset, members.map(toMember));
    for (const tool of lateTools) take(this.#running, (running) => running.tool === tool)?.settle();
    // The engine gets the results before it checks for them.
    await setImmediate();
  }

  /** Ends the turn: all recorded model calls must have been made. */
  finish(): void {
    const [left] = this.#models;
    if (left)
      this.differ(
        `${this.#models.length} recorded model calls were not made; the first of them:`,
        show(left.request),
        "",
      );
  }

  differ(what: string, recorded: string, replayed: string): void {
    this.difference ??= { turn: this.#turn, what, recorded, replayed };
  }

  /** Tools that return recorded results; declarations and fakes are the app's own. */
  tools(tools: Tools): Tools {
    return {
      ...tools,
      open: async (toolset, context) => this.#toolsets.get(toolset.name) ?? tools.open(toolset, context),
      execute: async (_tool, { name, args }) => {
        const same = ({ tool, args: recorded }: RecordedToolCall) => tool === name && show(recorded) === show(args);
        const found = take(this.#tools, same);
        if (found) return found.outcome;
        const late = take(this.#late, same);
        if (late)
          return new Promise((resolve) => this.#running.push({ tool: name, settle: () => resolve(late.outcome) }));
        const next = this.#tools.find(({ tool }) => tool === name) ?? this.#tools[0];
        return this.#miss(
          `the tool '${name}' is called with other arguments than recorded`,
          next && { tool: next.tool, args: next.args },
          { tool: name, args },
        );
      },
      hostCalls: (_context, onCall) => async (call) => {
        const request = toRequest(call);
        const found = take(this.#hostCalls, (recorded) => show(recorded.request) === show(request));
        if (!found)
          return this.#miss(
            "the code of a callback makes another call than recorded",
            this.#hostCalls[0]?.request,
            request,
          );
        for (const made of found.nested) onCall(made);
        return found.reply;
      },
    };
  }

  async *#stream(request: Parameters<typeof normalRequest>[0]) {
    const asked = normalRequest(request);
    const found = take(this.#models, (call) => show(call.request) === show(asked));
    if (!found) return this.#miss("the model gets another request than recorded", this.#models[0]?.request, asked);
    yield* found.parts;
    if (found.error) throw new ConnectError(found.error.message, found.error.code);
  }

  async #detectIntent(query: RecordedDialogflowCall["query"]) {
    const found = take(this.#dialogflow, (call) => show(call.query) === show(query));
    if (found?.error) throw new ConnectError(found.error.message, found.error.code);
    if (found?.answer) return found.answer;
    return this.#miss("a Dialogflow agent gets another query than recorded", this.#dialogflow[0]?.query, query);
  }

  /** Ends the turn, because there is no recorded result. */
  #miss(what: string, recorded: unknown, replayed: unknown): never {
    this.differ(what, recorded === undefined ? "" : show(recorded), show(replayed));
    throw new Error(`the replay differs from its recording: ${what}`);
  }
}

function toMember({ tool, toolId, hidden }: RecordedToolset["members"][number]): ToolsetMember {
  return { tool: fromJson(ToolSchema, tool as ProtoJson, { ignoreUnknownFields: true }), toolId, hidden };
}

/** A value as YAML; equal values have equal texts. */
export function show(value: unknown): string {
  return stringify(sortedJson(JSON.parse(JSON.stringify(value)) as JsonValue), {
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
}

function take<T>(from: T[], matches: (item: T) => boolean): T | undefined {
  const at = from.findIndex(matches);
  return at < 0 ? undefined : from.splice(at, 1)[0];
}
