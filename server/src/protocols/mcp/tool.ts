import type { JsonObject, JsonValue } from "#base";
import type { CallContext } from "#rpc";
import type { ToolKind } from "./hints.ts";
import type { View } from "./view.ts";

/** One tool of an endpoint, wherever it comes from. */
export interface Tool {
  readonly name: string;
  readonly kind: ToolKind;
  /** Whether the hosted server has it too. */
  readonly hosted: boolean;
  /** What `tools/list` says of it. Must not change: it is asked once a form. */
  listing(form: Pick<View, "schemas" | "outputs">): JsonObject;
  /**
   * Runs the tool; answers the text of an MCP tool result. Refusals are thrown as `ConnectError`, and told by the caller as
   * results too (`isError`), so that a model can mend its call.
   */
  call(args: JsonObject, call: ToolCall): Promise<string>;
}

/** What a tool knows of its call. */
export interface ToolCall {
  readonly context: CallContext;
  /** Check, and do not do. */
  readonly dryRun: boolean;
  /** Tells the client that work goes on; undefined when it did not ask. */
  readonly progress: Progress | undefined;
}

/** Tells what happens, in a few words. Counted upwards by itself. */
export type Progress = (message: string) => void;

/** An answer of a tool before it is rendered. */
export interface Answer {
  /** The answer as proto3 JSON, the same as REST answers. */
  readonly json: JsonValue;
  /** Further texts for the model beside the JSON, e.g. a conversation as one reads it. */
  readonly texts?: readonly string[];
}
