import { LRUCache } from "lru-cache";
import type { LanguageModel, ModelCapabilities, ModelRequest, StreamPart } from "#models";
import { type Action, respond } from "./action.ts";
import { readDialogueState } from "./dialogue-state.ts";
import { type Instruction, readInstruction } from "./instruction.ts";
import { smallestJson } from "./json-answer.ts";
import { createPolicy } from "./policy.ts";

/** The built-in model's label in banners and traces, and its name for `FRONTDESK_MODEL`, an alias or `ModelSettings.model`. */
export const BUILTIN_MODEL = "frontdesk/builtin";

/** It follows rules over the dialogue itself; the prose of a prompt means nothing to it. */
export const BUILTIN_CAPABILITIES: ModelCapabilities = {
  instructionFollowing: false,
  dialogueContext: true,
  safetySettings: false,
};

/** Options of the built-in model. */
interface BuiltinModelOptions {
  /** Size of the cache of parsed instructions. Default 256: the agents of several apps. */
  readonly cachedInstructions?: number;
}

/**
 * The model that needs no key and no network: a deterministic dialogue policy over the app's own examples, tools and
 * instructions (design: the built-in model). It is no large language model and does not act as one: the same request gets the
 * same answer, and the finish part's `rawReason` names the rule that decided.
 */
export function createBuiltinModel({ cachedInstructions = 256 }: BuiltinModelOptions = {}): LanguageModel {
  const policy = createPolicy();
  const instructions = new LRUCache<string, Instruction>({ max: cachedInstructions });

  function instructionOf(text: string): Instruction {
    const known = instructions.get(text);
    if (known !== undefined) return known;
    const read = readInstruction(text);
    instructions.set(text, read);
    return read;
  }

  function decide(request: ModelRequest): Action {
    if (request.responseSchema !== undefined)
      return respond("json", JSON.stringify(smallestJson(request.responseSchema)));
    return policy.decide(
      readDialogueState(request, instructionOf(request.dialogueContext?.instruction ?? request.system)),
    );
  }

  return {
    label: BUILTIN_MODEL,
    capabilities: BUILTIN_CAPABILITIES,
    async *stream(request, { signal }) {
      signal.throwIfAborted();
      for (const part of partsOf(decide(request), request)) {
        signal.throwIfAborted();
        yield part;
      }
    },
  };
}

/** Words one by one, then the calls, then the end. Tokens are not counted: there are none. */
function partsOf(action: Action, request: ModelRequest): readonly StreamPart[] {
  const earlier = request.messages.reduce(
    (count, message) => count + message.parts.filter(({ kind }) => kind === "function-call").length,
    0,
  );
  return [
    ...(action.text.match(/\s*\S+\s*$|\s*\S+\s+/g) ?? []).map((text): StreamPart => ({ kind: "text-delta", text })),
    ...action.calls.map(
      ({ name, args }, position): StreamPart => ({
        kind: "function-call",
        id: `${name}-${earlier + position + 1}`,
        name,
        args,
      }),
    ),
    { kind: "finish", reason: action.calls.length > 0 ? "tool-calls" : "stop", rawReason: action.reason, usage: {} },
  ];
}
