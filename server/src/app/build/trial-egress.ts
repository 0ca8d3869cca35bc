import { Socket } from "node:net";
import { type Egress, EgressError, type EgressRequest, type EgressResponse, type EgressStream } from "#base";
import type { LineHandler } from "#protocols";

/** The methods of a trial server at an address that its assistant calls. */
export interface ServedMethods {
  /** The whole URL. No request for it leaves the process. */
  readonly address: string;
  /** Answers a message of MCP. */
  readonly answer: LineHandler;
}

/**
 * The egress gate of a trial server: it lets nothing through, and notes who was asked for. While an assistant works on the trial server, the trial server's own methods
 * answer at one address.
 */
export class TrialEgress implements Egress {
  /** Origins that were refused. */
  readonly refused = new Set<string>();
  #served: ServedMethods | undefined;

  /** Serves methods until the work has ended. */
  async serving<Result>(methods: ServedMethods, work: () => Promise<Result>): Promise<Result> {
    this.#served = methods;
    try {
      return await work();
    } finally {
      this.#served = undefined;
    }
  }

  refusal(): undefined {
    return undefined;
  }

  async fetch(request: EgressRequest): Promise<EgressResponse> {
    const { body, ...head } = await this.open(request);
    return { ...head, body: Buffer.concat(await Array.fromAsync(body)) };
  }

  async open(request: EgressRequest): Promise<EgressStream> {
    const { url } = request;
    if (this.#served?.address === url) return answered(request, this.#served);
    this.refused.add(URL.canParse(url) ? new URL(url).origin : "an address that is none");
    throw refused();
  }

  connect(host: string, port: number): Socket {
    this.refused.add(`${host}:${port}`);
    return new Socket().destroy(refused());
  }

  async close(): Promise<void> {}
}

function refused(): EgressError {
  return new EgressError("refused", "While an app is generated its code and tools reach no other server");
}

/** One POST of Streamable HTTP, answered with JSON. */
async function answered({ method, body, signal }: EgressRequest, { answer }: ServedMethods): Promise<EgressStream> {
  if (method !== "POST") return response(405, "Method Not Allowed", "");
  const lines: string[] = [];
  const message = JSON.parse(typeof body === "string" ? body : Buffer.from(body ?? []).toString("utf8"));
  const never = new AbortController().signal;
  await answer(
    message,
    signal ?? never,
    (line) => void lines.push(line),
    () => undefined,
  );
  return lines.length === 0 ? response(202, "Accepted", "") : response(200, "OK", lines.join(""));
}

function response(status: number, statusText: string, text: string): EgressStream {
  const headers: Record<string, string> = text === "" ? {} : { "content-type": "application/json" };
  const bytes = Buffer.from(text);
  const body = (async function* () {
    if (bytes.length > 0) yield bytes;
  })();
  return { status, statusText, headers, body };
}
