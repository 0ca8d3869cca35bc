import type { Tool } from "@frontdesk/protos/ces/tool";
import type { JsonObject } from "#base";
import type { FunctionDeclaration } from "#models";
import type { HostCallHandler, OutputLine, PythonContext, PythonFrame } from "#sandbox";

/** A function offered to the model, and the tool behind it. */
export interface ToolDeclaration extends FunctionDeclaration {
  /** Resource name of the tool; "" for system functions. */
  readonly tool: string;
  /** Who answers: this server, the client (hand-off), or the engine itself (end_session, transfer_to_agent). */
  readonly runs: ToolPlace;
  /** JSON Schema of what a call answers; absent where nothing is known of it. */
  readonly response?: JsonObject;
  /** What is said to the user with each call: always the same, or what the call has in a parameter. */
  readonly said?: { readonly text: string } | { readonly parameter: string };
}

/** Where a tool runs. */
export type ToolPlace = "server" | "client" | "engine";

/** A call the model (or a callback, or ExecuteTool) asked for. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}

/** Changes of the session's variables: whole new values, and names removed. */
export interface ToolStateChange {
  readonly set: JsonObject;
  readonly removed: readonly string[];
}

/** What a tool may know and use while it runs. */
export interface ToolContext {
  /** App resource name. */
  readonly app: string;
  /** Key of the turn, for the sandbox. */
  readonly turn: string;
  readonly python: PythonContext;
  /** Every tool of the app by display name: nested `tools.X` calls resolve against the app (ces-runtime 13). */
  readonly appTools: ReadonlyMap<string, Tool>;
  readonly useFakes: boolean;
  /** Answers that stand for tools called by user code. Absent: they are all called. */
  readonly mocks?: ToolMocks;
  /** The last answer of a tool in this session, by resource name, id or display name. Absent outside sessions. */
  readonly lastResponse?: (tool: string) => JsonObject | undefined;
  /** Runs another agent of the app. Absent outside sessions. */
  readonly runAgent?: RunAgent;
  /** Depth of nested calls; the limit is 4. */
  readonly depth: number;
  readonly signal: AbortSignal;
}

/** Asks an agent (resource name) in a conversation of its own. Never rejects for what the agent did. */
export type RunAgent = (agent: string, request: string, signal: AbortSignal) => Promise<AgentAnswer>;

/** What an agent said, or why it said nothing. */
export type AgentAnswer =
  | { readonly kind: "answered"; readonly text: string }
  | { readonly kind: "failed"; readonly error: string };

/** Answers given beforehand for tools that user code calls. */
export interface ToolMocks {
  /** What the call answers; undefined = the tool is called. */
  answer(tool: Tool, args: JsonObject): JsonObject | undefined;
}

export interface ToolRecord {
  readonly durationMs: number;
  readonly output: readonly OutputLine[];
  readonly state: ToolStateChange;
  /** Whether the tool's fake answered. */
  readonly faked?: boolean;
  /** Tools that its code called, in the order in which they ended. */
  readonly calls?: readonly NestedCall[];
}

/** A tool that user code called. It is in no transcript, only in the trace. */
export interface NestedCall {
  readonly name: string;
  readonly outcome: ToolOutcome;
}

/**
 * How a call ended. `response` is what model and callbacks see: `{"result": …}` for a Python tool,
 * `{"status": "error", "error": "<text>"}` for a failure (ces-runtime 13).
 */
export type ToolOutcome = AnsweredTool | FailedTool;

export interface AnsweredTool extends ToolRecord {
  readonly kind: "answered";
  readonly response: JsonObject;
}

export interface FailedTool extends ToolRecord {
  readonly kind: "failed";
  readonly response: JsonObject;
  readonly error: string;
  readonly frames: readonly PythonFrame[];
}

/** A call as the client gets it. */
export interface HandedTool {
  readonly kind: "ready";
  readonly args: JsonObject;
  /** A custom output that goes before the call, for whoever shows it. */
  readonly payload?: JsonObject;
  /** What user code that made the arguments left behind. */
  readonly record?: ToolRecord;
}

export interface Tools {
  /** The declaration of one tool; rejects with FAILED_PRECONDITION when its code does not load. Cached by content. */
  declare(tool: Tool): Promise<ToolDeclaration>;
  /** Where calls of a tool are answered. Needs no sandbox. */
  placeOf(tool: Tool): ToolPlace;
  /**
   * What the tool's fake answers in its place, when `context` wants fakes and the tool has one switched on; undefined = the
   * tool itself has to answer. `execute` asks it first; for tools of the client, whoever hands them out does.
   */
  fake(tool: Tool, call: ToolCall, context: ToolContext): Promise<ToolOutcome | undefined>;
  /** Makes a call of a client's tool ready for the client; a failure is the model's to hear. */
  handOff(tool: Tool, call: ToolCall, context: ToolContext): Promise<HandedTool | FailedTool>;
  /** Runs a server-side tool. Never throws for what the tool did. */
  execute(tool: Tool, call: ToolCall, context: ToolContext): Promise<ToolOutcome>;
  /**
   * Serves the host calls of user code that runs in `context`: `tools.X` against the app's tools, `ces_requests` through the
   * egress gate. `onCall` hears how called tools ended, as they do.
   */
  hostCalls(context: ToolContext, onCall: (call: NestedCall) => void): HostCallHandler;
}
