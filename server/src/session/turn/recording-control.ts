import type { LoggingSettings } from "@frontdesk/protos/ces/app";
import type { SessionInput } from "@frontdesk/protos/ces/session_service";
import { definedFields } from "#base";
import type { FieldViolation } from "#status";

/**
 * Words of `SessionInput.recording_control`. Its values are not published; a word whose meaning is not certain is an error, because guessing would record what may not be
 * recorded, or lose what has to be (CONV-27).
 */
const ON: ReadonlySet<string> = new Set(["ON", "ENABLE", "ENABLED", "START", "STARTED", "RECORD", "ALLOW", "ALLOWED"]);
const OFF: ReadonlySet<string> = new Set([
  ...["OFF", "DISABLE", "DISABLED", "STOP", "STOPPED", "PAUSE", "PAUSED", "DENY", "DENIED"],
  ...["DO_NOT_RECORD", "NO_RECORDING"],
]);

/** What the inputs of a turn say: the last one counts; undefined = nothing. */
export function recordingControlOf(inputs: readonly SessionInput[]): boolean | undefined {
  return inputs.map(({ recordingControl }) => controlOf(recordingControl)).findLast((control) => control !== undefined);
}

function controlOf(value: string): boolean | undefined {
  const word = wordOf(value);
  if (ON.has(word)) return true;
  return OFF.has(word) ? false : undefined;
}

function wordOf(value: string): string {
  return value.replace(/^RECORDING_(CONTROL_)?/, "");
}

/** The violation of a word that is not known. */
export function recordingControlViolations(
  { recordingControl }: SessionInput,
  field: string,
): readonly FieldViolation[] {
  const word = wordOf(recordingControl);
  if (word === "" || word === "UNSPECIFIED" || ON.has(word) || OFF.has(word)) return [];
  const description = `'${recordingControl}' is not known: nothing of this turn was recorded or answered. Send ENABLED or DISABLED.`;
  return [{ field: `${field}.recording_control`, description }];
}

/** What a session knows of its recording. */
export interface RecordingState {
  /** What the client said last; absent = nothing. */
  readonly allowed?: boolean;
  /** Whether some turn was recorded, and whether some turn was withheld. */
  readonly recorded: boolean;
  readonly withheld: boolean;
}

/** The state after a turn; undefined while the app asks for no consent and the client says nothing. */
export function recordingAfter(
  before: RecordingState | undefined,
  said: boolean | undefined,
  { settings, turnIndex }: { readonly settings: LoggingSettings | undefined; readonly turnIndex: number },
): { readonly state: RecordingState | undefined; readonly isRecorded: boolean } {
  const allowed = said ?? before?.allowed;
  const isRecorded = allowed ?? !settings?.requiredRecordingConsent;
  if (!before && allowed === undefined && isRecorded) return { state: undefined, isRecorded };
  return {
    isRecorded,
    state: {
      ...definedFields({ allowed }),
      // Turns before the first word of it were recorded by the settings alone.
      recorded: isRecorded || (before ? before.recorded : turnIndex > 1),
      withheld: !isRecorded || (before?.withheld ?? false),
    },
  };
}
