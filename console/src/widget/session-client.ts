import { isObject, type Json, type JsonObject } from "./rich-content.ts";

/** A piece of an answer, of those that a chat shows. */
export type Output =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "payload"; readonly payload: JsonObject }
  /** `data`: base64. */
  | { readonly kind: "image"; readonly mimeType: string; readonly data: string }
  | {
      readonly kind: "tool-call";
      readonly id: string;
      readonly tool: string;
      readonly name: string;
      readonly args: JsonObject;
    }
  | { readonly kind: "citations"; readonly sources: readonly { readonly title: string; readonly uri: string }[] }
  | { readonly kind: "end"; readonly metadata: JsonObject };

/** An error of the server. */
class StatusError extends Error {
  /** Name of its canonical code; "" when the server did not say. */
  readonly status: string;
  /** Its reason in docs/errors.md; "" without one. */
  readonly reason: string;
  constructor(message: string, { status, details }: JsonObject) {
    super(message);
    this.status = String(status ?? "");
    const reasons = (Array.isArray(details) ? details : []).map((detail: Json) => isObject(detail) && detail.reason);
    this.reason = String(reasons.find((reason) => typeof reason === "string") ?? "");
  }
}

/** Where the widget talks to, and as whom. */
interface Endpoint {
  /** `https://desk.example` without a slash at its end. */
  readonly server: string;
  readonly session: string;
  readonly deployment: string;
  readonly languageCode: string;
}

interface Token {
  readonly text: string;
  readonly expiresAt: number;
}

/** Talks in one session. A token that ends is replaced without a word. */
export class SessionClient {
  readonly #endpoint: Endpoint;
  #token: Promise<Token> | undefined;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /** Sends the inputs of one turn and yields the outputs as they arrive. */
  async *run(inputs: readonly JsonObject[], signal: AbortSignal): AsyncGenerator<Output> {
    let isAnswered = false;
    try {
      for await (const output of this.#stream(inputs, signal)) {
        isAnswered = true;
        yield output;
      }
    } catch (error) {
      if (isAnswered || !(error instanceof StatusError) || error.status !== "UNAUTHENTICATED") throw error;
      this.#token = undefined;
      yield* this.#stream(inputs, signal);
    }
  }

  async *#stream(inputs: readonly JsonObject[], signal: AbortSignal): AsyncGenerator<Output> {
    const { server, session, deployment, languageCode } = this.#endpoint;
    const token = await this.#validToken();
    const config = {
      session,
      deployment,
      enableTextStreaming: true,
      // End users are not shown how the agent came to its answer.
      excludeDiagnosticInfo: true,
      languageCode: languageCode || undefined,
    };
    const response = await fetch(`${server}/v1beta/${session}:streamRunSession?alt=sse`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ config, inputs }),
      signal,
    });
    if (!response.ok || !response.body) throw await responseError(response);
    let isComplete = false;
    for await (const message of events(response.body)) {
      isComplete ||= isLast(message);
      yield* outputsOf(message);
    }
    // A proxy that loses the server may end its answer as if that were all.
    if (!isComplete) throw new Error("The connection ended before the answer was complete.");
  }

  async #validToken(): Promise<string> {
    const known = await this.#token?.catch(() => undefined);
    if (known && known.expiresAt > Date.now() + MARGIN_MS) return known.text;
    this.#token = this.#askToken();
    return (await this.#token).text;
  }

  async #askToken(): Promise<Token> {
    const { server, session, deployment } = this.#endpoint;
    const response = await fetch(`${server}/v1beta/${session}:generateChatToken`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ deployment }),
    });
    if (!response.ok) throw await responseError(response);
    const { chatToken, expireTime } = await response.json();
    return { text: chatToken, expiresAt: Date.parse(expireTime) };
  }
}

/** A token is replaced before it ends, so that no turn is rejected. */
const MARGIN_MS = 30_000;

/** Just this is given to pages that no operator knows. */
const SETTINGS = "channelProfile.webWidgetConfig(webWidgetTitle,theme)";

/** What the deployment's own settings say of its widget; nothing where they cannot be read. */
export async function widgetSettings(server: string, deployment: string): Promise<{ title: string; theme: string }> {
  const response = await fetch(`${server}/v1beta/${deployment}?fields=${SETTINGS}`).catch(() => undefined);
  const found: Json = response?.ok ? await response.json() : {};
  const profile = isObject(found) && isObject(found.channelProfile ?? null) ? (found.channelProfile as JsonObject) : {};
  const settings = isObject(profile.webWidgetConfig) ? profile.webWidgetConfig : {};
  return { title: String(settings.webWidgetTitle ?? ""), theme: String(settings.theme ?? "").toLowerCase() };
}

async function responseError(response: Response): Promise<StatusError> {
  const body: Json = await response.json().catch(() => ({}));
  const first = Array.isArray(body) ? body[0] : body;
  const error = isObject(first) && isObject(first.error) ? first.error : {};
  return new StatusError(String(error.message ?? `The server responded with status ${response.status}.`), error);
}

/** The messages of a stream of server-sent events. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<JsonObject> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let left = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (left + part.value).split(/\r?\n\r?\n/);
    left = blocks.pop() ?? "";
    for (const block of blocks) {
      if (!block.startsWith("data:")) continue;
      const message: Json = JSON.parse(block.slice(5));
      if (!isObject(message)) continue;
      if (isObject(message.error ?? null)) {
        const error = message.error as JsonObject;
        throw new StatusError(String(error.message), error);
      }
      yield message;
    }
  }
}

/** Whether a message ends its turn (SESS-8). */
function isLast({ outputs }: JsonObject): boolean {
  return Array.isArray(outputs) && outputs.some((output: Json) => isObject(output) && output.turnCompleted === true);
}

function* outputsOf({ outputs }: JsonObject): Generator<Output> {
  for (const output of Array.isArray(outputs) ? outputs : []) {
    if (typeof output.text === "string" && output.text !== "") yield { kind: "text", text: output.text };
    if (isObject(output.image)) {
      const { mimeType = "", data = "" } = output.image as { readonly mimeType?: string; readonly data?: string };
      yield { kind: "image", mimeType, data };
    }
    if (isObject(output.payload)) yield { kind: "payload", payload: output.payload };
    for (const { id, tool, displayName, args } of output.toolCalls?.toolCalls ?? []) {
      yield { kind: "tool-call", id: id ?? "", tool: tool ?? "", name: displayName ?? "", args: args ?? {} };
    }
    const chunks = output.citations?.citedChunks ?? [];
    if (chunks.length > 0) {
      yield { kind: "citations", sources: chunks.map(({ title = "", uri = "" }) => ({ title: title || uri, uri })) };
    }
    if (output.endSession) yield { kind: "end", metadata: output.endSession.metadata ?? {} };
  }
}
