import type { JsonObject, JsonValue } from "#base";
import type { CallContext, RegisteredMethod } from "#rpc";
import type { ToolKind } from "./annotations.ts";
import type { View } from "./view.ts";

/** One tool of an endpoint. */
export interface Tool {
  readonly name: string;
  readonly kind: ToolKind;
  /** Whether the hosted server has this tool. */
  readonly hosted: boolean;
  /** The methods that every call makes: `tools/list` shows the tool to callers who may call them. Default none. */
  readonly methods?: readonly RegisteredMethod[];
  /** The entry of `tools/list`. Must not change: it is rendered once per form. */
  listing(form: Pick<View, "schemas" | "outputs">): JsonObject;
  /**
   * Runs the tool and returns the text of an MCP tool result. Throws `ConnectError`, which the caller turns into a result with `isError`,
   * so that a model can correct its call.
   */
  call(args: JsonObject, call: ToolCall): Promise<string>;
}

/** One call of a tool. */
export interface ToolCall {
  readonly context: CallContext;
  /** Validate the call and change nothing. */
  readonly dryRun: boolean;
  /** Reports progress to the client; undefined when it was not requested. */
  readonly progress: Progress | undefined;
}

/** Reports what happens, in a few words. */
export type Progress = (message: string) => void;

/** A result of a tool before it is rendered. */
export interface ToolResult {
  /** The response as proto3 JSON, the same as over REST. */
  readonly json: JsonValue;
  /** More texts for the model, e.g. the transcript of a conversation. */
  readonly texts?: readonly string[];
}
