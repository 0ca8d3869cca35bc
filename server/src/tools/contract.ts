import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import type { JsonObject } from "#base";
import type { FunctionDeclaration } from "#models";
import type { AppNetwork } from "#outbound";
import type { HostCallHandler, OutputLine, PythonContext, PythonFrame } from "#sandbox";

/** A function declaration for the model, and the tool that implements it. */
export interface ToolDeclaration extends FunctionDeclaration {
  /** Resource name of the tool; "" for system functions. */
  readonly tool: string;
  /** Who executes a call: this server, the client, or the engine itself (end_session, transfer_to_agent). */
  readonly runs: ToolPlace;
  /** JSON Schema of the function response; absent when unknown. */
  readonly response?: JsonObject;
  /** Text for the user that goes with each call: a constant, or the value of a parameter. */
  readonly userText?: { readonly text: string } | { readonly parameter: string };
  /** The tool without whose response a call can only fail: named as its author named it. */
  readonly needsResponseOf?: string;
}

/** Where a tool runs. */
export type ToolPlace = "server" | "client" | "engine";

/** A function call of the model, of a callback or of ExecuteTool. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}

/** State delta: variables with their new values, and names of removed variables. */
export interface ToolStateChange {
  readonly set: JsonObject;
  readonly removed: readonly string[];
}

/** What a tool can read and use while it runs. */
export interface ToolContext {
  /** App resource name. */
  readonly app: string;
  /** Key of this run of the turn, for the sandbox. */
  readonly turn: string;
  readonly python: PythonContext;
  /** All tools of the app by display name: nested `tools.X` calls are resolved against the app (PY-24). */
  readonly appTools: ReadonlyMap<string, Tool>;
  /** The app's toolsets, whose tools nested calls can use, too. Default: none. */
  readonly appToolsets?: readonly Toolset[];
  /** The app's network settings for requests of its tools. Default: none. */
  readonly settings?: AppNetwork | undefined;
  /** Whether the session is by voice, so that settings for voice apply. Default false. */
  readonly voice?: boolean;
  /** The agent's model, for tools whose model settings name none. "" or absent = the default model. */
  readonly model?: string;
  readonly useFakes: boolean;
  /** Mocked responses of tools that user code calls. Absent: all tools are called. */
  readonly mocks?: ToolMocks;
  /** The last response of a tool in this session, by resource name, id or display name. Absent outside sessions. */
  readonly lastResponse?: (tool: string) => JsonObject | undefined;
  /** How a remote agent's answer is received. Default: as the agent's own card says, and whole. */
  readonly remote?: RemoteReception;
  /** Runs another agent of the app. Absent: agent tools fail. */
  readonly runAgent?: RunAgent;
  /** Depth of nested calls; the limit is 4. */
  readonly depth: number;
  readonly signal: AbortSignal;
}

/** How a remote agent's answer is received. */
export interface RemoteReception {
  /** Whether the agent is asked to stream. */
  readonly streaming: boolean;
  /** Gets the text of the answer piece by piece, as it comes; the whole is in the response all the same. */
  readonly onText: (text: string) => void;
  /** Gets the files of the answer that came with their bytes; the response has their names and sizes. */
  readonly onFiles: (files: readonly RemoteFile[]) => void;
}

/** A file of a remote agent's answer. */
export interface RemoteFile {
  readonly filename: string;
  readonly mimeType: string;
  readonly data: Uint8Array;
}

/** Runs an agent (resource name) in a conversation of its own, which begins with `variables`. Never rejects because of what the agent did. */
export type RunAgent = (
  agent: string,
  request: string,
  call: { readonly variables: JsonObject; readonly signal: AbortSignal },
) => Promise<AgentAnswer>;

/** The text response of an agent with what it changed of the variables, or why there is none. */
export type AgentAnswer =
  | {
      readonly kind: "answered";
      readonly text: string;
      readonly state: ToolStateChange;
      readonly sources?: readonly CitedSource[];
    }
  | { readonly kind: "failed"; readonly error: string };

/** Mocked responses of tools that user code calls. */
export interface ToolMocks {
  /** The mocked response of a call; undefined = the tool is called. */
  answer(tool: Tool, args: JsonObject): JsonObject | undefined;
}

/** What ran for a call. */
export interface ToolRecord {
  readonly durationMs: number;
  readonly output: readonly OutputLine[];
  readonly state: ToolStateChange;
  /** Whether the response is from the tool's fake. */
  readonly faked?: boolean;
  /** Tools that its code called, in the order in which they ended. */
  readonly calls?: readonly NestedCall[];
  /** Sources to cite for the response. Default: none. */
  readonly sources?: readonly CitedSource[];
  /** Suggestions that a web search asks clients to show with its results. */
  readonly suggestions?: SearchSuggestions;
  /** Attributes of the trace beside arguments and response. */
  readonly trace?: JsonObject;
}

/** A passage and its source (session_service.proto, Citations). */
export interface CitedSource {
  readonly uri: string;
  readonly title: string;
  readonly text: string;
  /** Whether clients that show the passage must show the source. */
  readonly requiresAttribution: boolean;
}

/** Suggestions of a web search (search_suggestions.proto). */
export interface SearchSuggestions {
  /** Styled HTML of the provider, to be shown unchanged. */
  readonly htmls: readonly string[];
  /** The queries that were searched, and the addresses of their result pages. */
  readonly queries: readonly { readonly query: string; readonly uri: string }[];
}

/** A tool call of user code. It is recorded in the trace, not in the transcript. */
export interface NestedCall {
  readonly name: string;
  readonly outcome: ToolOutcome;
}

/**
 * How a call ended. `response` is the function response that model and callbacks see: `{"result": …}` for a Python tool,
 * `{"status": "error", "error": "<text>"}` for a failure (PY-28, TOOL-4).
 */
export type ToolOutcome = AnsweredTool | FailedTool;

/** The tool answered, whatever its answer says. */
export interface AnsweredTool extends ToolRecord {
  readonly kind: "answered";
  readonly response: JsonObject;
}

/** The tool failed: the model is told `error`, and a person sees where in its Python (`frames`). */
export interface FailedTool extends ToolRecord {
  readonly kind: "failed";
  readonly response: JsonObject;
  readonly error: string;
  readonly frames: readonly PythonFrame[];
}

/** A call for the client to execute. */
export interface ClientCall {
  readonly kind: "ready";
  readonly args: JsonObject;
  /** Custom payload that is sent before the call, for clients that render it. */
  readonly payload?: JsonObject;
  /** Duration, output and state changes of user code that computed the arguments, and of a fake that let the call through. */
  readonly record?: ToolRecord;
}

/** What a toolset kind can read to list the tools of a toolset. */
export interface ToolsetContext {
  /** App resource name. */
  readonly app: string;
  /** The session's variables, or their defaults. */
  readonly variables: JsonObject;
  readonly settings?: AppNetwork | undefined;
  /** Whether to ask the server itself, without overrides, snapshots and caches (`RetrieveTools.bypass_persistence_config`). Default false. */
  readonly bypass?: boolean;
  readonly signal: AbortSignal;
}

/** One tool of a toolset: a synthesized message, named `<toolset>/tools/<tool id>`, which runs like any other tool. */
export interface ToolsetMember {
  /** As RetrieveTools returns it. The same object as long as the listing is cached. */
  readonly tool: Tool;
  readonly toolId: string;
  /** Listed by RetrieveTools, but not declared to models. */
  readonly hidden: boolean;
}

/** The tools and toolsets of apps, whatever their kind. */
export interface Tools {
  /** The declaration of a tool, cached for each message. Rejects with FAILED_PRECONDITION when its code does not load. */
  declare(tool: Tool): Promise<ToolDeclaration>;
  /**
   * Lists the tools of a toolset. Returns the same array as long as nothing changed. Rejects with FAILED_PRECONDITION when the
   * definition is invalid or the server does not respond.
   */
  open(toolset: Toolset, context: ToolsetContext): Promise<readonly ToolsetMember[]>;
  /** Validation errors of a tool or toolset beyond its code, one sentence each without a full stop. Sends no request. */
  problems(subject: Tool | Toolset): Promise<readonly string[]>;
  /**
   * A toolset that is being written, with output-only fields from its server (snapshots of pinned tools). Takes a few seconds at
   * most and never rejects; a server that does not respond is reported by `problems` afterwards.
   */
  refreshSnapshots(toolset: Toolset): Promise<Toolset>;
  /** The ids of a toolset's tools; undefined where they are only known after a request. */
  knownToolIds(toolset: Toolset): Promise<readonly string[] | undefined>;
  /** The name derived from a tool's definition, e.g. from an operationId; undefined where the message names the tool. Sends no request. */
  nameOf(tool: Tool): Promise<string | undefined>;
  /** Where calls of a tool run. Needs no sandbox. */
  placeOf(tool: Tool): ToolPlace;
  /**
   * Prepares a call of a client tool for the client. The outcome of its fake, where `context` uses fakes and the tool has one enabled, and a failure are the
   * function response.
   */
  prepareClientCall(tool: Tool, call: ToolCall, context: ToolContext): Promise<ClientCall | ToolOutcome>;
  /** Runs a server-side tool, or its fake. Never rejects because of what the tool did. */
  execute(tool: Tool, call: ToolCall, context: ToolContext): Promise<ToolOutcome>;
  /**
   * Handles host calls of user code that runs in `context`: `tools.X` against the app's tools, `ces_requests` through the egress
   * gate. `onCall` is called with the outcome of each tool call.
   */
  hostCalls(context: ToolContext, onCall: (call: NestedCall) => void): HostCallHandler;
  /** Closes cached connections. */
  close(): Promise<void>;
}
