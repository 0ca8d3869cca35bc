import { createHash } from "node:crypto";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { isJsonObject, type JsonObject, type JsonValue, sortedJson } from "#base";
import type { LanguageModel, ModelPart, ModelRequest, Models, StreamPart } from "#models";
import type { ToolMocks } from "#tools";
import { type ObservedTurn, toolKey } from "../observation/observed-turn.ts";

/** The largest memory of a case that is kept, in bytes. */
const MOST_BYTES = 8 * 1_048_576;

interface CachedAnswers {
  readonly models: Readonly<Record<string, readonly StreamPart[]>>;
  readonly tools: Readonly<Record<string, JsonObject>>;
}

/**
 * What models and other servers answered in a case, by exactly what they were asked and how often before (EVAL-60). In the next run of the case the
 * same question gets the kept answer, so that only what follows a difference costs a call.
 */
export class AnswerCache {
  readonly #before: CachedAnswers;
  readonly #models: Record<string, readonly StreamPart[]> = {};
  readonly #tools: Record<string, JsonObject> = {};
  readonly #modelCounts = new Map<string, number>();
  readonly #toolCounts = new Map<string, number>();
  readonly #observedCounts = new Map<string, number>();

  constructor(before: CachedAnswers = { models: {}, tools: {} }) {
    this.#before = before;
  }

  /** The answers of an earlier run; none when the bytes are of another form. */
  static read(bytes: Uint8Array | undefined): AnswerCache {
    const value: JsonValue = bytes ? (JSON.parse(Buffer.from(bytes).toString("utf8")) as JsonValue) : null;
    if (!isJsonObject(value) || !isJsonObject(value.models) || !isJsonObject(value.tools)) return new AnswerCache();
    return new AnswerCache(value as unknown as CachedAnswers);
  }

  /** The answers of this run, those that were kept before included. Undefined when they are too large to keep. */
  bytes(): Uint8Array | undefined {
    const bytes = Buffer.from(JSON.stringify({ models: this.#models, tools: this.#tools }));
    return bytes.byteLength > MOST_BYTES ? undefined : bytes;
  }

  /** Models that answer from what was kept, else really. Models that run on this machine by rules are not kept. */
  remember(models: Pick<Models, "resolve">): Pick<Models, "resolve"> {
    return {
      resolve: (name) => {
        const model = models.resolve(name);
        return model.capabilities.instructionFollowing ? this.#remembering(model) : model;
      },
    };
  }

  /** Mocks that answer calls of tools of other servers from what was kept; `given` mocks go first. */
  mocks(snapshot: AppSnapshot, given: ToolMocks | undefined): ToolMocks {
    return {
      answer: (tool, args) => {
        const mocked = given?.answer(tool, args);
        if (mocked || !isOutside(tool)) return mocked;
        const key = numbered(keyOf(tool.name, args, snapshot), this.#toolCounts);
        const kept = this.#before.tools[key];
        if (kept) this.#tools[key] = kept;
        return kept;
      },
    };
  }

  /** Keeps what tools of other servers answered in a turn that was run with `mocks`. */
  observe({ calls }: ObservedTurn, snapshot: AppSnapshot): void {
    const outside = new Set(snapshot.tools.filter(isOutside).map(({ name }) => name));
    for (const { call, response } of calls) {
      const name = toolKey(call);
      const isOfToolset = call.toolIdentifier.case === "toolsetTool";
      if (!response?.response || !(isOfToolset || outside.has(name))) continue;
      const key = numbered(keyOf(name, call.args ?? {}, snapshot), this.#observedCounts);
      this.#tools[key] ??= response.response;
    }
  }

  #remembering(model: LanguageModel): LanguageModel {
    const kept = this;
    return {
      label: model.label,
      capabilities: model.capabilities,
      async *stream(request, options) {
        const key = numbered(requestKey(model.label, request), kept.#modelCounts);
        const before = kept.#before.models[key];
        if (before) {
          kept.#models[key] = before;
          yield* before;
          return;
        }
        const parts: StreamPart[] = [];
        for await (const part of model.stream(request, options)) {
          parts.push(part);
          yield part;
        }
        kept.#models[key] = parts;
      },
    };
  }
}

/** Whether a tool asks another server, whose answer a run can keep. The app's own code runs again, because it is what is tested. */
function isOutside({ toolType }: Tool): boolean {
  switch (toolType.case) {
    case "openApiTool":
    case "mcpTool":
    case "connectorTool":
    case "dataStoreTool":
    case "googleSearchTool":
    case "fileSearchTool":
    case "remoteAgentTool":
      return true;
    default:
      return false;
  }
}

/** The same question may be asked more than once: each time is a key of its own. */
function numbered(key: string, counts: Map<string, number>): string {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return `${key} ${count}`;
}

/** A tool, as it is defined, with its arguments. */
function keyOf(name: string, args: JsonObject, { tools, toolsets }: AppSnapshot): string {
  const definition =
    tools.find((tool) => tool.name === name)?.etag ??
    toolsets.find((toolset) => name.startsWith(`${toolset.name}/`))?.etag ??
    "";
  return digest([name, definition, sortedJson(args)]);
}

function requestKey(label: string, request: ModelRequest): string {
  const { system, messages, tools, temperature, maxOutputTokens, thinkingLevel, safetySettings, responseSchema } =
    request;
  const readable = messages.map(({ role, parts }) => ({ role, parts: parts.map(withoutBytes) }));
  const settings = [temperature, maxOutputTokens, safetySettings, responseSchema];
  // Last, and only when it is set: answers kept before there was one have the same key.
  return digest([label, system, readable, tools, ...settings, ...(thinkingLevel ? [thinkingLevel] : [])]);
}

function withoutBytes(part: ModelPart): unknown {
  return part.kind === "blob" ? { ...part, data: createHash("sha256").update(part.data).digest("hex") } : part;
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}
