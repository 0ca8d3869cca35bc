import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import type { JsonObject } from "#base";
import type { FunctionDeclaration } from "#models";
import type { AppNetwork } from "#outbound";
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
  /** Every tool of the app by display name: nested `tools.X` calls resolve against the app (PY-24). */
  readonly appTools: ReadonlyMap<string, Tool>;
  /** The app's toolsets: their tools answer nested calls, too. Default: none. */
  readonly appToolsets?: readonly Toolset[];
  /** What the app says about requests of its tools. Default: nothing. */
  readonly settings?: AppNetwork | undefined;
  /** Whether what is said is heard: settings for voice apply. Default: it is read. */
  readonly voice?: boolean;
  /** What answers where a tool's own model settings name no model: the agent's. "" or absent = the default. */
  readonly model?: string;
  readonly useFakes: boolean;
  /** Answers that stand for tools called by user code. Absent: they are all called. */
  readonly mocks?: ToolMocks;
  /** The last answer of a tool in this session, by resource name, id or display name. Absent outside sessions. */
  readonly lastResponse?: (tool: string) => JsonObject | undefined;
  /** Runs another agent of the app. Absent: agent tools fail. */
  readonly runAgent?: RunAgent;
  /** Depth of nested calls; the limit is 4. */
  readonly depth: number;
  readonly signal: AbortSignal;
}

/** Asks an agent (resource name) in a conversation of its own. Never rejects for what the agent did. */
export type RunAgent = (agent: string, request: string, signal: AbortSignal) => Promise<AgentAnswer>;

/** What an agent said, or why it said nothing. */
export type AgentAnswer =
  | { readonly kind: "answered"; readonly text: string; readonly sources?: readonly CitedSource[] }
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
  /** Where what it answered comes from. Default: nothing to cite. */
  readonly sources?: readonly CitedSource[];
  /** What a search of the web asks to be shown with its results. */
  readonly suggestions?: SearchSuggestions;
  /** What the trace tells of the run beside arguments and answer. */
  readonly trace?: JsonObject;
}

/** A piece of information and where it is from (session_service.proto, Citations). */
export interface CitedSource {
  readonly uri: string;
  readonly title: string;
  readonly text: string;
  /** Whether whoever shows the information has to show the source. */
  readonly requiresAttribution: boolean;
}

/** Suggestions of a search of the web (search_suggestions.proto). */
export interface SearchSuggestions {
  /** Styled HTML of the provider's, to be shown as it is. */
  readonly htmls: readonly string[];
  /** The searches that were made, and where their results can be seen. */
  readonly queries: readonly { readonly query: string; readonly uri: string }[];
}

/** A tool that user code called. It is in no transcript, only in the trace. */
export interface NestedCall {
  readonly name: string;
  readonly outcome: ToolOutcome;
}

/**
 * How a call ended. `response` is what model and callbacks see: `{"result": …}` for a Python tool,
 * `{"status": "error", "error": "<text>"}` for a failure (PY-28, TOOL-4).
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
export interface ClientCall {
  readonly kind: "ready";
  readonly args: JsonObject;
  /** A custom output that goes before the call, for whoever shows it. */
  readonly payload?: JsonObject;
  /** What user code that made the arguments left behind. */
  readonly record?: ToolRecord;
}

/** What opening a toolset may know. */
export interface ToolsetContext {
  /** App resource name. */
  readonly app: string;
  /** The session's variables, or their defaults. */
  readonly variables: JsonObject;
  readonly settings?: AppNetwork | undefined;
  /** Ask the other side itself: no overrides, no snapshots, nothing kept (`RetrieveTools.bypass_persistence_config`). Default false. */
  readonly bypass?: boolean;
  readonly signal: AbortSignal;
}

/** One tool of a toolset: synthesized, named `<toolset>/tools/<tool id>`, and run like any other tool. */
export interface ToolsetMember {
  /** As RetrieveTools answers it. The same object as long as the toolset's findings are fresh. */
  readonly tool: Tool;
  readonly toolId: string;
  /** Listed by RetrieveTools, but not offered to any model. */
  readonly hidden: boolean;
}

export interface Tools {
  /** The declaration of one tool; rejects with FAILED_PRECONDITION when its code does not load. Cached by content. */
  declare(tool: Tool): Promise<ToolDeclaration>;
  /**
   * The tools of a toolset; the same array as long as nothing changed. Rejects with FAILED_PRECONDITION when its definition
   * cannot be opened or the other side does not answer.
   */
  open(toolset: Toolset, context: ToolsetContext): Promise<readonly ToolsetMember[]>;
  /** What is misconfigured in a tool or toolset beyond its code, one sentence each without a full stop. Asks nobody. */
  problems(subject: Tool | Toolset): Promise<readonly string[]>;
  /**
   * A toolset that is being written, with what its server says in the output-only fields (snapshots of pinned tools). Takes a few
   * seconds at most and never rejects; that a server did not answer is among the `problems` afterwards.
   */
  refreshSnapshots(toolset: Toolset): Promise<Toolset>;
  /** The ids of a toolset's tools, where they are known without asking anyone. */
  knownToolIds(toolset: Toolset): Promise<readonly string[] | undefined>;
  /** The name that a tool has by what it holds; undefined where the message itself says it. Asks nobody. */
  nameOf(tool: Tool): Promise<string | undefined>;
  /** Where calls of a tool are answered. Needs no sandbox. */
  placeOf(tool: Tool): ToolPlace;
  /**
   * What the tool's fake answers in its place, when `context` wants fakes and the tool has one switched on; undefined = the
   * tool itself has to answer. `execute` asks it first; for tools of the client, whoever hands them out does.
   */
  fake(tool: Tool, call: ToolCall, context: ToolContext): Promise<ToolOutcome | undefined>;
  /** Makes a call of a client's tool ready for the client; a failure is the model's to hear. */
  prepareClientCall(tool: Tool, call: ToolCall, context: ToolContext): Promise<ClientCall | FailedTool>;
  /** Runs a server-side tool. Never throws for what the tool did. */
  execute(tool: Tool, call: ToolCall, context: ToolContext): Promise<ToolOutcome>;
  /**
   * Serves the host calls of user code that runs in `context`: `tools.X` against the app's tools, `ces_requests` through the
   * egress gate. `onCall` hears how called tools ended, as they do.
   */
  hostCalls(context: ToolContext, onCall: (call: NestedCall) => void): HostCallHandler;
  /** Ends the connections that were kept for conversations. */
  close(): Promise<void>;
}
