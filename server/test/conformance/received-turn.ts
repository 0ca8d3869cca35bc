import assert from "node:assert/strict";

/** JSON as it came over the wire. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
export type Json = any;

/** An output of a turn, as its JSON is on every wire. */
export interface Output {
  readonly text?: string;
  readonly payload?: Json;
  readonly toolCalls?: { readonly toolCalls: readonly HeardCall[] };
  readonly citations?: { readonly citedChunks: readonly Json[] };
  readonly googleSearchSuggestions?: Json;
  readonly endSession?: { readonly metadata?: Json };
  readonly turnIndex?: number;
  readonly turnCompleted?: boolean;
  readonly diagnosticInfo?: { readonly messages: readonly Json[]; readonly rootSpan: Json };
}

/** A call that the client has to answer. */
interface HeardCall {
  readonly id: string;
  readonly tool: string;
  readonly displayName: string;
  readonly args?: Json;
}

/** How a wire said no: the canonical name of the code, and the words. */
export interface TurnError {
  readonly code: string;
  readonly message: string;
}

/** What a client received in one turn. */
export interface ReceivedTurn {
  readonly outputs: readonly Output[];
  readonly texts: readonly string[];
  readonly payloads: readonly Json[];
  readonly calls: readonly HeardCall[];
  /** What the session ended with; undefined while it continues. */
  readonly ended: Json | undefined;
  readonly error: TurnError | undefined;
  /** The recorded messages. Fails when the turn failed. */
  messages(): readonly Json[];
  /** The kinds of chunks of each message, behind its role. */
  shape(): readonly (readonly string[])[];
  /** The spans of a name, in the order of their start. */
  spans(name: string): readonly Json[];
}

/** Sorts what came. */
export function receivedTurn(outputs: readonly Output[], error: TurnError | undefined): ReceivedTurn {
  const diagnostics = () =>
    outputs.at(-1)?.diagnosticInfo ?? assert.fail(`no diagnostics: ${JSON.stringify(error ?? outputs)}`);
  return {
    outputs,
    texts: outputs.flatMap(({ text }) => (text ? [text] : [])),
    payloads: outputs.flatMap(({ payload }) => (payload ? [payload] : [])),
    calls: outputs.flatMap(({ toolCalls }) => toolCalls?.toolCalls ?? []),
    ended: outputs.find(({ endSession }) => endSession)?.endSession?.metadata,
    error,
    messages: () => diagnostics().messages,
    shape: () =>
      diagnostics().messages.map(({ role, chunks = [] }) => [
        role,
        ...chunks.flatMap((chunk: object) => Object.keys(chunk)),
      ]),
    spans: (name) => (diagnostics().rootSpan.childSpans ?? []).filter((span: Json) => span.name === name),
  };
}
