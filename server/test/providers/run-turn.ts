import type { MockedProduct } from "./mock-provider.ts";

/** The REST method of a turn. */
type TurnMethod = "runSession" | "streamRunSession";

export const TURN_METHODS: readonly TurnMethod[] = ["runSession", "streamRunSession"];

/** A turn as a client observes it. */
interface ObservedTurn {
  readonly httpStatus: number;
  /** The pieces of text, in order. */
  readonly pieces: readonly string[];
  readonly toolCalls: readonly ObservedCall[];
  readonly completed: boolean;
  /** The attributes of each model call's span. */
  readonly modelCalls: readonly Readonly<Record<string, unknown>>[];
  /** The error, in the body of a failed call or as the last element of a broken stream. */
  readonly error: { readonly status: string; readonly message: string } | undefined;
}

interface ObservedCall {
  readonly id: string;
  readonly tool: string;
  readonly displayName: string;
  readonly args: unknown;
}

interface Output {
  readonly text?: string;
  readonly turnCompleted?: boolean;
  readonly toolCalls?: { readonly toolCalls: readonly ObservedCall[] };
  readonly diagnosticInfo?: {
    readonly rootSpan: { readonly childSpans?: readonly { readonly name: string; readonly attributes: object }[] };
  };
}

interface Element {
  readonly outputs?: readonly Output[];
  readonly error?: ObservedTurn["error"];
}

/** Sends one input of a session and reads the response, streamed text included. */
export async function runTurn(
  { server, app }: Pick<MockedProduct, "server" | "app">,
  method: TurnMethod,
  session: string,
  input: object,
): Promise<ObservedTurn> {
  const response = await fetch(`${server.address}/v1beta/${app}/sessions/${session}:${method}?alt=sse`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ config: { enableTextStreaming: method === "streamRunSession" }, inputs: [input] }),
  });
  const elements = parse(await response.text());
  const outputs = elements.flatMap((element) => element.outputs ?? []);
  const spans = outputs.flatMap(({ diagnosticInfo }) => diagnosticInfo?.rootSpan.childSpans ?? []);
  return {
    httpStatus: response.status,
    pieces: outputs.flatMap(({ text }) => (text ? [text] : [])),
    toolCalls: outputs.flatMap(({ toolCalls }) => toolCalls?.toolCalls ?? []),
    completed: outputs.at(-1)?.turnCompleted === true,
    modelCalls: spans.flatMap(({ name, attributes }) => (name === "LLM" ? [{ ...attributes }] : [])),
    error: elements.find(({ error }) => error)?.error,
  };
}

/** Events of a stream, or one document. */
function parse(text: string): readonly Element[] {
  if (!text.startsWith("data: ")) return [JSON.parse(text) as Element];
  const events = text.split("\r\n\r\n").filter(Boolean);
  return events.map((event) => JSON.parse(event.slice("data: ".length)) as Element);
}
