import { create, fromJson, type JsonValue, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import {
  AudioEncoding,
  BidiSessionClientMessageSchema,
  type BidiSessionServerMessage,
  BidiSessionServerMessageSchema,
  type SessionConfig,
  type SessionConfigSchema,
} from "@frontdesk/protos/ces/session_service";
import { currentSession } from "../../api/session.ts";
import { INPUT_SAMPLE_RATE_HERTZ } from "./microphone.ts";
import { OUTPUT_SAMPLE_RATE_HERTZ } from "./player.ts";

/** An open conversation by voice. */
export interface VoiceConnection {
  /** Accepts audio as soon as the connection is requested, and buffers it until the connection is open. */
  sendAudio(sound: Uint8Array): void;
  close(): void;
}

/** The configuration of a session; the audio settings are added here. */
type Config = Exclude<MessageInitShape<typeof SessionConfigSchema>, SessionConfig>;

interface ConnectionEvents {
  readonly onOpen: () => void;
  readonly onMessage: (message: BidiSessionServerMessage) => void;
  /** The connection is closed; `error` is the reason unless the client closed it. */
  readonly onClose: (error: string | undefined) => void;
}

/** Opens BidiRunSession over WebSocket, as any page could. */
export function openVoiceConnection(config: Config, events: ConnectionEvents): VoiceConnection {
  const address = new URL(
    "/ws/google.cloud.ces.v1beta.SessionService/BidiRunSession/locations/us?x-frontdesk-source=simulator",
    window.location.href,
  );
  const { csrfToken } = currentSession();
  if (csrfToken) address.searchParams.set("x-frontdesk-csrf", csrfToken);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(address);
  /** Audio that was recorded before the connection was open; undefined afterwards. */
  let early: Uint8Array[] | undefined = [];
  const send = (messageType: MessageInitShape<typeof BidiSessionClientMessageSchema>["messageType"]) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    const message = create(BidiSessionClientMessageSchema, { messageType });
    socket.send(JSON.stringify(toJson(BidiSessionClientMessageSchema, message)));
  };
  const sendSound = (sound: Uint8Array) =>
    send({ case: "realtimeInput", value: { inputType: { case: "audio", value: sound } } });
  let closing = false;
  socket.onopen = () => {
    send({ case: "config", value: { ...config, ...AUDIO } });
    for (const sound of early ?? []) sendSound(sound);
    early = undefined;
    events.onOpen();
  };
  socket.onmessage = ({ data }) => {
    void textOf(data).then((text) => {
      const json: JsonValue = JSON.parse(text);
      events.onMessage(fromJson(BidiSessionServerMessageSchema, json, { ignoreUnknownFields: true }));
    });
  };
  socket.onclose = ({ code, reason }) => {
    if (closing || code === 1000) events.onClose(undefined);
    else events.onClose(sentenceOf(reason) || "The connection to the server was lost.");
  };
  return {
    sendAudio(sound) {
      if (early === undefined) sendSound(sound);
      else early = [...early, sound].slice(-MOST_EARLY);
    },
    close() {
      closing = true;
      socket.close(1000);
    },
  };
}

/** Chunks of 80 ms that are buffered while the connection opens: ten seconds of speech. */
const MOST_EARLY = 125;

const AUDIO = {
  inputAudioConfig: { audioEncoding: AudioEncoding.LINEAR16, sampleRateHertz: INPUT_SAMPLE_RATE_HERTZ },
  outputAudioConfig: { audioEncoding: AudioEncoding.LINEAR16, sampleRateHertz: OUTPUT_SAMPLE_RATE_HERTZ },
};

async function textOf(data: string | Blob): Promise<string> {
  return typeof data === "string" ? data : data.text();
}

/** The error of a close frame without its code. A frame has room for 123 bytes: of a longer text, the whole sentences are left. */
function sentenceOf(reason: string): string {
  const text = reason.replace(/^(\[ORIGINAL ERROR\] )?(generic::\w+: )?/, "");
  const whole = /^.*[.!?](?=\s)/s.exec(text)?.[0];
  return text.endsWith("…") && whole ? whole : text;
}
