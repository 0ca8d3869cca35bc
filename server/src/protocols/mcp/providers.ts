import type { JsonObject } from "#base";
import type { CallContext } from "#rpc";
import type { Tool } from "./tool.ts";

/** MCP resources, by URI. */
export interface ResourceProvider {
  /** One page; `cursor` is the `nextCursor` of another. */
  list(cursor: string | undefined, context: CallContext): Promise<{ resources: JsonObject[]; nextCursor?: string }>;
  /** Those whose resources the caller may read. */
  templates(context: CallContext): readonly JsonObject[];
  /** The contents; undefined for an unknown URI. */
  read(uri: string, context: CallContext): Promise<readonly JsonObject[] | undefined>;
}

/** MCP prompts. */
export interface PromptProvider {
  /** Those that the caller may use. */
  list(context: CallContext): readonly JsonObject[];
  /** The prompt with its arguments; undefined for an unknown name. */
  get(name: string, args: JsonObject, context: CallContext): Promise<JsonObject | undefined>;
}

/** What an endpoint serves besides the registered methods. */
export interface McpAdditions {
  readonly tools?: readonly Tool[];
  readonly resources?: ResourceProvider;
  readonly prompts?: PromptProvider;
}
