import type { JsonObject } from "#base";
import type { LanguageModel, Models, StreamPart } from "#models";
import type { HostCall } from "#sandbox";
import type { DialogflowAgents } from "#session";
import { ConnectError } from "#status";
import type { NestedCall, Tools, ToolsetMember } from "#tools";
import { normalRequest } from "./normal-request.ts";
import type {
  RecordedDialogflowCall,
  RecordedError,
  RecordedHostCall,
  RecordedModelCall,
  RecordedToolCall,
} from "./recording.ts";

/** Where calls are recorded. */
export interface CallSink {
  readonly model: (call: RecordedModelCall) => void;
  readonly tool: (call: RecordedToolCall) => void;
  readonly host: (call: RecordedHostCall) => void;
  readonly dialogflow: (call: RecordedDialogflowCall) => void;
  /** Gets the same array as long as nothing has changed. */
  readonly toolset: (toolset: string, members: readonly ToolsetMember[]) => void;
}

/** The sink of the current call; undefined when it is not recorded. `unrecorded` makes calls that are not recorded. */
export interface CallScope {
  readonly current: () => CallSink | undefined;
  readonly unrecorded: <T>(work: () => T) => T;
}

/** Models whose calls are recorded. */
export function recordedModels(models: Models, scope: CallScope): Models {
  const known = new WeakMap<LanguageModel, LanguageModel>();
  return {
    status: () => models.status(),
    close: () => models.close(),
    resolve(name) {
      const model = models.resolve(name);
      const recorded = known.get(model) ?? recordedModel(model, scope);
      known.set(model, recorded);
      return recorded;
    },
  };
}

function recordedModel(model: LanguageModel, scope: CallScope): LanguageModel {
  return {
    label: model.label,
    capabilities: model.capabilities,
    async *stream(request, options) {
      const sink = scope.current();
      const call = { model: model.label, request: normalRequest(request) };
      const parts: StreamPart[] = [];
      try {
        for await (const part of model.stream(request, options)) {
          addPart(parts, part);
          yield part;
        }
      } catch (error) {
        sink?.model({ ...call, parts, error: toRecordedError(error) });
        throw error;
      }
      sink?.model({ ...call, parts });
    },
  };
}

/** Deltas of one text become one part: readable, and the same for streamed and unstreamed turns. */
function addPart(parts: StreamPart[], part: StreamPart): void {
  const last = parts.at(-1);
  if (part.kind !== "text-delta" || last?.kind !== "text-delta") return void parts.push(part);
  parts[parts.length - 1] = { ...last, ...part, text: last.text + part.text };
}

/**
 * Tools whose calls are recorded. Calls that a tool makes (a nested tool, an agent as a tool) are not, because a replay returns the
 * result of the outer call.
 */
export function recordedTools(tools: Tools, scope: CallScope): Tools {
  return {
    ...tools,
    async open(toolset, context) {
      const members = await tools.open(toolset, context);
      scope.current()?.toolset(toolset.name, members);
      return members;
    },
    async execute(tool, call, context) {
      const sink = scope.current();
      const outcome = await scope.unrecorded(() => tools.execute(tool, call, context));
      sink?.tool({ tool: call.name, args: call.args, outcome });
      return outcome;
    },
    hostCalls(context, onCall) {
      const sink = scope.current();
      if (!sink) return tools.hostCalls(context, onCall);
      return async (call, signal) => {
        const nested: NestedCall[] = [];
        const handler = tools.hostCalls(context, (made) => {
          nested.push(made);
          onCall(made);
        });
        const reply = await scope.unrecorded(() => handler(call, signal));
        sink.host({ request: toRequest(call), reply, nested });
        return reply;
      };
    },
  };
}

/** Dialogflow agents whose queries are recorded. */
export function recordedDialogflow(agents: DialogflowAgents, scope: CallScope): DialogflowAgents {
  return {
    async detectIntent(query, signal, app) {
      const sink = scope.current();
      try {
        const answer = await agents.detectIntent(query, signal, app);
        sink?.dialogflow({ query, answer });
        return answer;
      } catch (error) {
        sink?.dialogflow({ query, error: toRecordedError(error) });
        throw error;
      }
    },
  };
}

/** A host call as plain JSON. */
export function toRequest(call: HostCall): JsonObject {
  return JSON.parse(JSON.stringify(call)) as JsonObject;
}

/** Anything thrown, in the form of a recording. */
export function toRecordedError(error: unknown): RecordedError {
  const { code, rawMessage } = ConnectError.from(error);
  return { code, message: rawMessage };
}
