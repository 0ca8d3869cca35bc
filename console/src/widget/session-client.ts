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
  | { readonly kind: "end"; readonly metadata: JsonObject }
  /** The connection broke: what has come so far comes once more. */
  | { readonly kind: "lost" };

/** What the person said, by the key of its turn: asked for again with it, the turn runs once (TURN-81). */
export interface TurnToSend {
  readonly key: string;
  readonly inputs: readonly JsonObject[];
}

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
  /** As the page names it: `https://desk.example`, one with a path, or a path on the page's own. */
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

  /**
   * Sends the inputs of one turn and yields the outputs as they arrive. A connection that breaks, as when a telephone changes networks, is made anew: the turn
   * has its key.
   */
  async *run(turn: TurnToSend, signal: AbortSignal): AsyncGenerator<Output> {
    for (const pauseMs of [...PAUSES_MS, undefined]) {
      try {
        yield* this.#ask(turn, signal);
        return;
      } catch (error) {
        if (signal.aborted || pauseMs === undefined || !navigator.onLine || !isLost(error)) throw error;
        yield { kind: "lost" };
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        if (signal.aborted) throw error;
      }
    }
  }

  async *#ask(turn: TurnToSend, signal: AbortSignal): AsyncGenerator<Output> {
    let isAnswered = false;
    try {
      for await (const output of this.#stream(turn, signal)) {
        isAnswered = true;
        yield output;
      }
    } catch (error) {
      if (isAnswered || !(error instanceof StatusError) || error.status !== "UNAUTHENTICATED") throw error;
      this.#token = undefined;
      yield* this.#stream(turn, signal);
    }
  }

  async *#stream({ key, inputs }: TurnToSend, stop: AbortSignal): AsyncGenerator<Output> {
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
    const silence = new Silence();
    let isComplete = false;
    try {
      // The key is not a header: a server of a time before it would refuse the preflight (WIRE-80).
      const query = `alt=sse&$idempotency-key=${key}`;
      const response = await fetch(`${addressOf(server)}/v1beta/${session}:streamRunSession?${query}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ config, inputs }),
        signal: AbortSignal.any([stop, silence.signal]),
      });
      if (!response.ok || !response.body) throw await responseError(response);
      for await (const message of events(response.body, () => silence.begin())) {
        isComplete ||= isLast(message);
        yield* outputsOf(message);
      }
    } finally {
      silence.end();
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
    // Not asked for: browsers tell a page nothing of a call that its preflight refuses, and it would look like a lost connection.
    if (!DEPLOYMENT.test(deployment)) throw new StatusError(notDeployment(deployment), { status: "NOT_FOUND" });
    const response = await fetch(`${addressOf(server)}/v1beta/${session}:generateChatToken`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ deployment }),
      signal: AbortSignal.timeout(MOST_SILENCE_MS),
    });
    if (!response.ok) throw await responseError(response);
    const { chatToken, expireTime } = await response.json();
    return { text: chatToken, expiresAt: Date.parse(expireTime) };
  }
}

const DEPLOYMENT = /^projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+\/deployments\/[^/]+$/;

function notDeployment(text: string): string {
  const form = "projects/…/locations/…/apps/…/deployments/…";
  return `The attribute deployment of frontdesk-chat must be the name of a deployment (${form}); it is '${text}'.`;
}

/** What the paths of the API are appended to. Nothing that reads like a name of a file is one: it would be looked for on the site of the page. */
function addressOf(server: string): string {
  if (!/^(https?:\/)?\//i.test(server) || !URL.canParse(server, location.href)) {
    const forms = "https://desk.example, https://shop.example/desk or /desk";
    const why = `The attribute server of frontdesk-chat must be an address like ${forms}; it is '${server}'.`;
    throw new StatusError(why, { status: "NOT_FOUND" });
  }
  const { origin, pathname } = new URL(server, location.href);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}

/** A token is replaced before it ends, so that no turn is rejected. */
const MARGIN_MS = 30_000;

/** Before a turn whose connection was lost is asked for again, and once more. */
const PAUSES_MS = [1_000, 3_000];

/** Whether nobody knows what became of a turn: the connection broke, or who answered was not the server, or one that is about to stop. */
function isLost(error: unknown): boolean {
  return !(error instanceof StatusError) || error.status === "" || error.reason === "SERVER_STOPPING";
}

/** The server sends something every 20 seconds (WIRE-49): after three times that nothing is left of the connection, e.g. because the computer slept. */
const MOST_SILENCE_MS = 60_000;

/** Notices a connection that broke and did not say so: browsers wait for minutes, or for ever. */
class Silence {
  readonly #broken = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.begin();
  }

  get signal(): AbortSignal {
    return this.#broken.signal;
  }

  /** Something came. */
  begin(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#broken.abort(new Error("The connection was silent.")), MOST_SILENCE_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Just this is given to pages that no operator knows. */
const SETTINGS = "channelProfile.webWidgetConfig(webWidgetTitle,theme)";

/** What the deployment's own settings say of its widget; nothing where they cannot be read. */
export async function widgetSettings(server: string, deployment: string): Promise<{ title: string; theme: string }> {
  const ask = async () => fetch(`${addressOf(server)}/v1beta/${deployment}?fields=${SETTINGS}`);
  const response = await ask().catch(() => undefined);
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
async function* events(body: ReadableStream<Uint8Array>, onPart: () => void): AsyncGenerator<JsonObject> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let left = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    onPart();
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
