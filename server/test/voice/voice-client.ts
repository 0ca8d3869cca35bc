import { createDecoder, type Encoding, encode, joinSamples, type Samples } from "#speech";
import { openGrpc } from "../live/grpc-client.ts";
import type { LiveClient } from "../live/messages.ts";
import { openWebSocket } from "../live/web-socket-client.ts";

/** A message of the server in a conversation by voice. Over gRPC bytes come as they are, over WebSocket in base64. */
export interface VoiceMessage {
  readonly sessionOutput?: {
    readonly text?: string;
    readonly audio?: Uint8Array | string;
    readonly turnIndex?: number;
    readonly turnCompleted?: boolean;
    readonly payload?: object;
    readonly endSession?: { readonly metadata?: object };
    readonly diagnosticInfo?: {
      readonly messages: readonly { readonly role: string; readonly chunks: readonly object[] }[];
      readonly rootSpan: SpanJson;
    };
  };
  readonly recognitionResult?: { readonly transcript?: string };
  readonly interruptionSignal?: { readonly bargeIn?: boolean };
  readonly endSession?: object;
  readonly goAway?: object;
}

export interface SpanJson {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly childSpans?: readonly SpanJson[];
}

/** A caller: sends speech and keys, and receives audio. */
export interface VoiceClient extends AsyncDisposable {
  readonly wire: LiveClient;
  /** Sends sound in messages of 100 milliseconds, as fast as the wire takes them. */
  speak(samples: Samples): void;
  next(): Promise<VoiceMessage | undefined>;
  /** The messages up to the first that fits. */
  until(fits: (message: VoiceMessage) => boolean): Promise<readonly VoiceMessage[]>;
  /** The messages of one turn. */
  turn(): Promise<readonly VoiceMessage[]>;
}

type WireName = "gRPC" | "WebSocket";
export const WIRES: readonly WireName[] = ["gRPC", "WebSocket"];

/** How a caller's sound is written. */
interface Format {
  readonly encoding: Encoding;
  readonly rate: number;
}

export const TELEPHONE: Format = { encoding: "MULAW", rate: 8_000 };

/** Opens a conversation by voice; without `output` the caller receives no audio, without `input` it cannot speak. */
export async function openVoice(
  address: string,
  wire: WireName,
  session: string,
  { input, output }: { readonly input?: Format; readonly output?: Format } = { input: TELEPHONE, output: TELEPHONE },
): Promise<VoiceClient> {
  const client = wire === "gRPC" ? openGrpc(address) : await openWebSocket(address);
  const audioConfig = ({ encoding, rate }: Format) => ({ audioEncoding: encoding, sampleRateHertz: rate });
  client.send({
    config: {
      session,
      ...(input && { inputAudioConfig: audioConfig(input) }),
      ...(output && { outputAudioConfig: audioConfig(output) }),
    },
  });
  const next = async () => (await client.next()) as VoiceMessage | undefined;
  const until: VoiceClient["until"] = async (fits) => {
    const messages: VoiceMessage[] = [];
    for (;;) {
      const message = await next();
      if (!message) throw new Error(`the conversation ended early: ${inShort(messages).join(" | ")}`);
      messages.push(message);
      if (fits(message)) return messages;
    }
  };
  return {
    wire: client,
    next,
    until,
    turn: () => until(({ sessionOutput }) => sessionOutput?.turnCompleted === true),
    speak: (samples) => {
      const { encoding, rate } = input ?? TELEPHONE;
      for (let at = 0; at < samples.length; at += rate / 10) {
        const bytes = encode(samples.subarray(at, at + rate / 10), encoding);
        const audio = wire === "gRPC" ? bytes : Buffer.from(bytes).toString("base64");
        client.send({ realtimeInput: { audio } });
      }
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/** The received audio. */
export function soundOf(messages: readonly VoiceMessage[], { encoding }: Format): Samples {
  const decode = createDecoder(encoding);
  return joinSamples(packetsOf(messages).map((bytes) => decode(bytes)));
}

/** The sound of messages, in bytes a message. */
export function packetsOf(messages: readonly VoiceMessage[]): readonly Uint8Array[] {
  return messages.flatMap(({ sessionOutput }) => {
    const audio = sessionOutput?.audio;
    if (audio === undefined || audio.length === 0) return [];
    return [typeof audio === "string" ? Buffer.from(audio, "base64") : audio];
  });
}

/** Messages in a word or two each; sound in a row counts once. */
export function inShort(messages: readonly VoiceMessage[]): readonly string[] {
  const words = messages.map(wordOf);
  return words.filter((word, at) => word !== "sound" || words[at - 1] !== "sound");
}

function wordOf({ sessionOutput, recognitionResult, interruptionSignal, endSession, goAway }: VoiceMessage): string {
  if (recognitionResult) return `heard: ${recognitionResult.transcript}`;
  if (interruptionSignal) return interruptionSignal.bargeIn ? "interrupted by the user" : "interrupted";
  if (endSession) return "end of session";
  if (goAway) return "go away";
  if (!sessionOutput) return "(nothing)";
  if (sessionOutput.turnCompleted) return `completed ${sessionOutput.turnIndex}`;
  if (sessionOutput.text) return `said: ${sessionOutput.text}`;
  if (sessionOutput.audio && sessionOutput.audio.length > 0) return "sound";
  if (sessionOutput.endSession) return "ends";
  return sessionOutput.payload ? "payload" : "(empty)";
}

/** The names and attributes of the spans of a turn, of one name. */
export function spansOf(messages: readonly VoiceMessage[], name: string): readonly SpanJson[] {
  const root = messages.at(-1)?.sessionOutput?.diagnosticInfo?.rootSpan;
  const spans = (root?.childSpans ?? []).filter((span) => span.name === name);
  return spans.map((span) => ({ ...span, attributes: plainValues(span.attributes) }));
}

/** The values of attributes, which gRPC has as a `Struct` and WebSocket as JSON. */
function plainValues(attributes: SpanJson["attributes"] = {}): NonNullable<SpanJson["attributes"]> {
  const { fields } = attributes;
  if (typeof fields !== "object" || fields === null) return attributes;
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, Object.values(value as object)[0]]));
}
