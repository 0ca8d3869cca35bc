import type { SessionInput } from "@frontdesk/protos/ces/session_service";
import { invalidArgument, resourceExhausted } from "#status";
import type { LiveLimits } from "./contract.ts";

/** What an input means for the turn that it belongs to. */
type Collected =
  /** The input continues in another message. */
  | { readonly kind: "incomplete" }
  /** Variables alone, which go along with the next input of the user, or nothing at all. */
  | { readonly kind: "no-turn" }
  /** The inputs of a turn are complete. */
  | { readonly kind: "turn"; readonly inputs: readonly SessionInput[] };

/** Collects the inputs of a turn, which may come in many messages (proto comment of `will_continue`). */
export class InputCollector {
  readonly #limits: Pick<LiveLimits, "maxFragments" | "maxInputSize">;
  #inputs: SessionInput[] = [];
  #size = 0;

  constructor(limits: Pick<LiveLimits, "maxFragments" | "maxInputSize">) {
    this.#limits = limits;
  }

  add(input: SessionInput): Collected {
    refuseAudio(input);
    if (!saysNothing(input)) this.#keep(input);
    const { inputType, willContinue } = input;
    if (willContinue && inputType.case !== "dtmf") return { kind: "incomplete" };
    // Variables alone, and what the recording is to do, begin no turn (SESS-13), and neither does nothing (WIRE-50).
    if (this.#inputs.every(waits)) return { kind: "no-turn" };
    return { kind: "turn", inputs: this.#takeAll() };
  }

  /** What remains when no more messages come: variables, which are complete; a text that was to be continued is not. */
  rest(): readonly SessionInput[] {
    return this.#takeAll().filter(waits);
  }

  #keep(input: SessionInput): void {
    this.#inputs.push(input);
    this.#size += sizeOf(input);
    const { maxFragments, maxInputSize } = this.#limits;
    if (this.#inputs.length > maxFragments)
      throw resourceExhausted(`One input came in more than ${maxFragments} messages. Send it in fewer.`);
    if (this.#size > maxInputSize)
      throw resourceExhausted(`One input is larger than ${maxInputSize} bytes in all its messages. Send less.`);
  }

  #takeAll(): readonly SessionInput[] {
    const inputs = this.#inputs;
    this.#inputs = [];
    this.#size = 0;
    return inputs;
  }
}

function refuseAudio({ inputType }: SessionInput): void {
  if (inputType.case !== "audio") return;
  throw invalidArgument({
    field: "realtime_input.audio",
    description: "this conversation is by text; one by voice needs input_audio_config in its config message",
  });
}

/** Whether an input waits for the next one of the user. */
function waits({ inputType, recordingControl }: SessionInput): boolean {
  return inputType.case === "variables" || (inputType.case === undefined && recordingControl !== "");
}

/** An empty input: how a client ends an input that was to be continued, and what pages send when nobody has typed anything. */
function saysNothing({ inputType, recordingControl }: SessionInput): boolean {
  if (recordingControl !== "") return false;
  return inputType.case === undefined || (inputType.case === "text" && inputType.value === "");
}

/** Approximate size in characters or bytes. */
function sizeOf({ inputType }: SessionInput): number {
  switch (inputType.case) {
    case "text":
    case "dtmf":
      return inputType.value.length;
    case "image":
    case "blob":
      return inputType.value.data.length;
    case "variables":
      return JSON.stringify(inputType.value).length;
    case "toolResponses":
      return inputType.value.toolResponses.reduce(
        (sum, { response }) => sum + JSON.stringify(response ?? {}).length,
        0,
      );
    default:
      return 0;
  }
}
