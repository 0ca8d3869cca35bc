import type { JsonObject } from "#base";
import type { CallContext } from "#rpc";
import type { Tool } from "./tool.ts";

/** Things to read, by URI. */
export interface ResourceProvider {
  /** One page; `cursor` is one that this provider gave. */
  list(cursor: string | undefined, context: CallContext): Promise<{ resources: JsonObject[]; nextCursor?: string }>;
  templates(): readonly JsonObject[];
  /** The contents, or undefined for a URI that is not this provider's. */
  read(uri: string, context: CallContext): Promise<readonly JsonObject[] | undefined>;
}

/** Messages to begin a conversation with a model with. */
export interface PromptProvider {
  list(): readonly JsonObject[];
  /** The prompt with its arguments filled in, or undefined when there is none of that name. */
  get(name: string, args: JsonObject, context: CallContext): Promise<JsonObject | undefined>;
}

/** What is served beside the registered methods. */
export interface Additions {
  readonly tools?: readonly Tool[];
  readonly resources?: ResourceProvider;
  readonly prompts?: PromptProvider;
}
