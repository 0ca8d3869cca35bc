import { Conversation_InputType as InputType } from "@frontdesk/protos/ces/conversation";
import type { ToolResponse } from "@frontdesk/protos/ces/example";
import type { SessionInput } from "@frontdesk/protos/ces/session_service";
import { isJsonObject, type JsonObject } from "#base";
import { type FieldViolation, invalidArgument } from "#status";
import type { ChunkInit } from "../model-call/history.ts";
import { keypadText } from "./context-texts.ts";
import { IMAGE_TYPES } from "./image-types.ts";
import { recordingControlOf, recordingControlViolations } from "./recording-control.ts";

/** The inputs of a turn, in the order given. */
export interface TurnInput {
  /** The user's inputs as they came, with the pieces of one utterance or one key sequence joined. */
  readonly acts: readonly SessionInput["inputType"][];
  /** The same as the model gets it. */
  readonly content: readonly ChunkInit[];
  /** Variables of declared names only; the rest is ignored (proto comment of `SessionInput.variables`). */
  readonly variables: JsonObject;
  /** Variables of other names. */
  readonly unrecognized: JsonObject;
  /** Results of client functions. */
  readonly toolResponses: readonly ToolResponse[];
  /** The words of the content: what input guardrails read. */
  readonly text: string;
  readonly types: ReadonlySet<InputType>;
  /** What the inputs say of the recording; undefined = nothing. */
  readonly recording: boolean | undefined;
}

const KEYS = /^[0-9*#A-D]+$/i;

/** Reads the inputs of a turn (TURN-11); INVALID_ARGUMENT with everything that is wrong with them. Without a `keypad` keys are ignored. */
export function readInputs(
  inputs: readonly SessionInput[],
  declared: ReadonlySet<string>,
  { keypad = true }: { readonly keypad?: boolean } = {},
): TurnInput {
  checkSize(
    "inputs",
    inputs,
    inputs.map(({ inputType }) => (inputType.case === "text" ? inputType.value : "")),
  );
  const missing = inputs.length === 0 ? [{ field: "inputs", description: "at least one input is required" }] : [];
  const violations = [
    ...missing,
    ...inputs.flatMap((input, position) => violationsOf(input, `inputs[${position}]`)),
    ...inputs.flatMap((input, position) => recordingControlViolations(input, `inputs[${position}]`)),
  ];
  if (violations.length > 0) throw invalidArgument(violations);
  const acts = joinPieces(keypad ? inputs : inputs.filter(({ inputType }) => inputType.case !== "dtmf"));
  const content = acts.flatMap((act) => contentChunk(act) ?? []);
  return {
    acts,
    content,
    variables: variablesOf(inputs, (name) => declared.has(name)),
    unrecognized: variablesOf(inputs, (name) => !declared.has(name)),
    toolResponses: inputs.flatMap(({ inputType }) =>
      inputType.case === "toolResponses" ? inputType.value.toolResponses : [],
    ),
    text: content
      .flatMap((chunk) => (chunk?.case === "text" && typeof chunk.value === "string" ? [chunk.value] : []))
      .join("\n"),
    types: new Set(acts.map((act) => INPUT_TYPES[act.case ?? "text"])),
    recording: recordingControlOf(inputs),
  };
}

/** Most inputs of a turn, and most messages of history that a client gives (TURN-62). */
const MAX_ITEMS = 1_000;

/** Most characters of all their texts together (TURN-62). */
const MAX_CHARACTERS = 4_000_000;

/** INVALID_ARGUMENT when a list of a request, or the texts in it, are too long to be read at once. */
export function checkSize(field: string, { length }: readonly unknown[], texts: readonly string[]): void {
  if (length > MAX_ITEMS)
    throw invalidArgument({ field, description: `has ${length} items; the limit is ${MAX_ITEMS}` });
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters <= MAX_CHARACTERS) return;
  throw invalidArgument({ field, description: `has ${characters} characters of text; the limit is ${MAX_CHARACTERS}` });
}

/** The record has no input type for keys: DTMF is recorded, and counted, as text. */
const INPUT_TYPES: Readonly<Record<NonNullable<SessionInput["inputType"]["case"]>, InputType>> = {
  text: InputType.TEXT,
  dtmf: InputType.TEXT,
  audio: InputType.AUDIO,
  toolResponses: InputType.TOOL_RESPONSE,
  image: InputType.IMAGE,
  blob: InputType.BLOB,
  variables: InputType.VARIABLES,
  event: InputType.EVENT,
};

function violationsOf({ inputType, recordingControl }: SessionInput, field: string): readonly FieldViolation[] {
  switch (inputType.case) {
    case undefined:
      // What the recording is to do can come alone.
      if (recordingControl !== "") return [];
      return [{ field, description: "one of text, dtmf, tool_responses, image, blob, variables, event is required" }];
    case "audio":
      return [
        { field: `${field}.audio`, description: "audio needs config.input_audio_config, which says how it is encoded" },
      ];
    case "text":
      return inputType.value === "" ? [{ field: `${field}.text`, description: "must not be empty" }] : [];
    case "event":
      return inputType.value.event === "" ? [{ field: `${field}.event.event`, description: "must not be empty" }] : [];
    case "dtmf":
      return KEYS.test(inputType.value)
        ? []
        : [{ field: `${field}.dtmf`, description: "must be keys of a telephone: 0-9, *, # or A-D" }];
    case "image":
      return IMAGE_TYPES.includes(inputType.value.mimeType)
        ? []
        : [{ field: `${field}.image.mime_type`, description: `must be one of ${IMAGE_TYPES.join(", ")}` }];
    default:
      return [];
  }
}

/**
 * Text that `will_continue` announces more for is one utterance with the text that follows it (TURN-17); keys that follow each other are
 * one key sequence, up to the finish digit.
 */
function joinPieces(inputs: readonly SessionInput[]): readonly SessionInput["inputType"][] {
  const acts: SessionInput["inputType"][] = [];
  let open = "";
  for (const { inputType, willContinue } of inputs) {
    if (inputType.case === undefined) continue;
    if (inputType.case === "text") {
      open += inputType.value;
      if (willContinue) continue;
      acts.push({ case: "text", value: open });
      open = "";
      continue;
    }
    const last = acts.at(-1);
    if (inputType.case === "dtmf" && last?.case === "dtmf" && !last.value.endsWith(FINISH_DIGIT))
      acts[acts.length - 1] = { case: "dtmf", value: last.value + inputType.value };
    else acts.push(inputType);
  }
  if (open) acts.push({ case: "text", value: open });
  return acts;
}

/** Ends a key sequence (TURN-14). */
const FINISH_DIGIT = "#";

function contentChunk(input: SessionInput["inputType"]): ChunkInit | undefined {
  switch (input.case) {
    case "event":
      return { case: "text", value: eventText(input.value.event) };
    case "dtmf":
      return { case: "text", value: keypadText(withoutFinishDigit(input.value)) };
    case "text":
    case "image":
    case "blob":
      return input;
    default:
      return undefined;
  }
}

/** The welcome event opens the session; every other one reaches the agent by its name (TURN-12). */
function eventText(event: string): string {
  return `<event>${event.toLowerCase() === "welcome" ? "session start" : event}</event>`;
}

/** `#` ends a keypad input and is not part of it, unless it is all there is. */
function withoutFinishDigit(digits: string): string {
  return digits.length > 1 && digits.endsWith(FINISH_DIGIT) ? digits.slice(0, -1) : digits;
}

/** The variables of all inputs, the last value of a name, of the accepted names (TURN-10). */
function variablesOf(inputs: readonly SessionInput[], accepts: (name: string) => boolean): JsonObject {
  const variables: JsonObject = {};
  for (const { inputType } of inputs) {
    const given = inputType.case === "event" ? inputType.value.variables : inputType.value;
    if ((inputType.case !== "variables" && inputType.case !== "event") || !isJsonObject(given)) continue;
    for (const [name, value] of Object.entries(given)) {
      if (accepts(name)) variables[name] = value;
    }
  }
  return variables;
}

/** The input of a spoken turn: its words are recorded as a transcript, and guardrails judge them alone. */
export function asSpoken(input: TurnInput): TurnInput {
  const last = input.content.findLastIndex((chunk) => chunk?.case === "text");
  const words = input.content[last];
  if (words?.case !== "text" || typeof words.value !== "string") return input;
  return {
    ...input,
    content: input.content.with(last, { case: "transcript", value: words.value }),
    text: words.value,
    types: new Set([...input.types].map((type) => (type === InputType.TEXT ? InputType.AUDIO : type))),
  };
}
