import type { JsonObject, JsonValue } from "#base";
import type { ModelPart } from "#models";

/** How a text is spoken (`Part.from_customized_response`, PY-14). Text channels ignore it. */
export interface SpeechSettings {
  /** The user cannot interrupt it. Default false. */
  readonly disableBargeIn: boolean;
  /** The user can interrupt it although the app forbids that; Dialogflow messages may set it. Default false. */
  readonly alwaysBargeIn: boolean;
  /** Whether keys are gathered after it with the two settings below, not the channel's. Default false. */
  readonly enableDtmf: boolean;
  /** Ends a row of keys. Default `#`; "" = no key does. */
  readonly dtmfFinishDigit: string;
  /** Ends a row of keys when no other follows, milliseconds. Default 3,000. */
  readonly dtmfEndpointingMs: number;
}

/** Media type of a part that carries a text with its settings. */
export const CUSTOMIZED_RESPONSE = "application/json+agentResponse";

/** The `dtmf_endpointing_timeout_modes` of the system tool, in seconds; only the one in the middle is documented. */
const ENDPOINTING_SECONDS: Readonly<Record<string, number>> = { short: 1, mid: 3, long: 5 };

/** Reads the speech settings of a customized response. */
export function readSpeechSettings(payload: JsonObject): SpeechSettings {
  const { disableBargeIn, alwaysBargeIn, enableDtmf, dtmfFinishDigit, dtmfEndpointingTimeout } = payload;
  const seconds = Number(dtmfEndpointingTimeout);
  return {
    disableBargeIn: disableBargeIn === true,
    alwaysBargeIn: alwaysBargeIn === true,
    enableDtmf: enableDtmf === true,
    dtmfFinishDigit: typeof dtmfFinishDigit === "string" ? dtmfFinishDigit : "#",
    dtmfEndpointingMs: seconds > 0 ? 1_000 * Math.min(seconds, 60) : 3_000,
  };
}

/** A call of the system tool `customize_response` as the part that Python's `from_customized_response` makes (TOOL-11). */
export function customizedResponse(args: JsonObject): ModelPart {
  const payload = {
    content: String(args.content ?? ""),
    disableBargeIn: isTrue(args.disable_barge_in),
    enableDtmf: isTrue(args.enable_dtmf),
    dtmfFinishDigit: args.dtmf_finish_digit ?? "",
    dtmfEndpointingTimeout: ENDPOINTING_SECONDS[String(args.dtmf_endpointing_timeout_modes ?? "mid")] ?? 3,
  };
  return { kind: "blob", mimeType: CUSTOMIZED_RESPONSE, data: new TextEncoder().encode(JSON.stringify(payload)) };
}

/** Models write booleans as text, too. */
function isTrue(value: JsonValue | undefined): boolean {
  return value === true || value === "true";
}
