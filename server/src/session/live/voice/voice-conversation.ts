import { create } from "@bufbuild/protobuf";
import {
  type BidiSessionServerMessage,
  type SessionInput,
  SessionInputSchema,
} from "@frontdesk/protos/ces/session_service";
import { type Clock, type Logger, unreachable } from "#base";
import type { Speech } from "#speech";
import type { SpeechSettings } from "../../turn/speech-settings.ts";
import type { Conversation, Heard, Line } from "../contract.ts";
import { InputCollector } from "../input-collector.ts";
import { Hearing } from "./hearing.ts";
import { Keypad, USUAL_KEYPAD } from "./keypad.ts";
import { Outbox } from "./outbox.ts";
import { createRecordings, type RecordingsDeps } from "./recordings.ts";
import { speechMissing } from "./speech-missing.ts";
import { readFormats, type SoundFormats, type VoiceSettings, voiceSettings } from "./voice-settings.ts";
import { VoiceTurns } from "./voice-turns.ts";

/** What conversations by voice use. */
export interface VoiceDeps extends RecordingsDeps {
  readonly speech: Pick<Speech, "listen" | "speak">;
  /** How much silence ends an utterance, milliseconds. Default 700. */
  readonly endOfSpeechMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Sound that stops in the middle of an utterance ends it after this long, milliseconds: not every client sends silence. */
const STALL_MS = 1_000;
/** Timers of the machine may fire this much early, milliseconds. */
const EARLY_MS = 5;
/** Turns that may wait for the ones before; then the client is not read. */
const MOST_WAITING = 4;
/** How often the clock is looked at while turns run, milliseconds: the end of an answer wakes nobody. */
const LOOK_MS = 250;

/**
 * Makes the way to hold conversations by voice: the client's sound is cut into utterances, each recognised utterance is a
 * turn, and what the agents say is spoken at the pace of a voice until the user interrupts it.
 */
export function createVoiceConversation(deps: VoiceDeps): Conversation {
  return async function* converseByVoice(line) {
    const formats = readFormats(line.config);
    const missing = speechMissing(formats, deps.speech);
    if (missing) throw missing;
    const settings = voiceSettings(await line.snapshot(), line.config);
    yield* new VoiceConversation(line, deps, formats, settings).messages();
  };
}

/** The user's side: what it sends is heard, counted against the clock, and queued as turns. */
class VoiceConversation {
  readonly #line: Line;
  readonly #clock: Clock;
  readonly #outbox = new Outbox();
  readonly #keypad = new Keypad();
  readonly #collector: InputCollector;
  readonly #hearing: Hearing | undefined;
  readonly #turns: VoiceTurns;
  readonly #stop = new AbortController();
  /** When the user did something last, and when anything came. */
  #activeAt: number;
  #heardAt: number;
  #leavingAt: number | undefined;

  constructor(line: Line, deps: VoiceDeps, formats: SoundFormats, settings: VoiceSettings) {
    this.#line = line;
    this.#clock = deps.clock;
    this.#collector = new InputCollector(line.limits);
    this.#activeAt = deps.clock.now();
    this.#heardAt = this.#activeAt;
    const signal = AbortSignal.any([line.signal, this.#stop.signal]);
    this.#hearing = this.#openHearing(deps, formats, settings, signal);
    this.#turns = this.#openTurns(deps, formats, settings, signal);
  }

  async *messages(): AsyncGenerator<BidiSessionServerMessage, void> {
    void this.#listen().then(
      () => this.#outbox.end(),
      (error: unknown) => this.#outbox.fail(error),
    );
    try {
      yield* this.#outbox.messages();
    } finally {
      this.#turns.stop();
      this.#stop.abort();
    }
  }

  #openHearing(
    { speech: { listen }, endOfSpeechMs = 700, clock }: VoiceDeps,
    { input }: SoundFormats,
    { language, marginDb }: VoiceSettings,
    signal: AbortSignal,
  ): Hearing | undefined {
    if (!input || !listen) return undefined;
    const tell = (transcript: string) => {
      // A client that reads too slowly for words as they grow gets the later ones.
      if (!this.#outbox.full) this.#outbox.put({ case: "recognitionResult", value: { transcript } });
    };
    return new Hearing({ listen, format: input, language, marginDb, endOfSpeechMs, clock, signal, tell });
  }

  #openTurns(deps: VoiceDeps, { output }: SoundFormats, settings: VoiceSettings, signal: AbortSignal): VoiceTurns {
    const { clock, logger, speech } = deps;
    const voice = output && speech.speak && { speak: speech.speak, format: output };
    const whole = {
      ...{ line: this.#line, outbox: this.#outbox, recordings: createRecordings(deps), voice, clock, logger, signal },
      onKeypad: (keypad: SpeechSettings | undefined) => {
        this.#keypad.settings = keypad
          ? { finishDigit: keypad.dtmfFinishDigit, endpointingMs: keypad.dtmfEndpointingMs }
          : USUAL_KEYPAD;
      },
    };
    return new VoiceTurns(whole, settings);
  }

  async #listen(): Promise<void> {
    for (;;) {
      while (this.#turns.waiting >= MOST_WAITING && !this.#turns.over) await this.#turns.turnEnd();
      if (this.#turns.over) return;
      const leaving = this.#leavingAt !== undefined;
      const heard = await this.#line.hear({ idleMs: this.#patienceMs(this.#clock.now()), leaving });
      if (this.#takesLast(heard)) break;
    }
    // What was said before the client left is answered and stored, though perhaps nobody hears it.
    for (const utterance of this.#hearing?.end() ?? []) this.#turns.queueUtterance(utterance);
    for (const row of this.#keypad.take()) this.#turns.queue([keys(row)]);
    const rest = this.#collector.rest();
    if (rest.length > 0) this.#turns.queue(rest);
    await this.#turns.ended();
  }

  /** Takes what was heard; answers whether it was the last. */
  #takesLast(heard: Heard): boolean {
    const now = this.#clock.now();
    if (heard.kind !== "idle") this.#heardAt = now;
    switch (heard.kind) {
      case "input":
        this.#takeInput(heard.input, now);
        break;
      case "unprompted":
        this.#turns.queue(heard.inputs);
        break;
      case "idle":
        this.#takeRest(now);
        break;
      case "draining":
        this.#leave(now);
        break;
      case "half-closed":
        return true;
      default:
        return unreachable(heard);
    }
    this.#keepTime(now);
    return this.#hasLeft(now);
  }

  #takeInput(input: SessionInput, now: number): void {
    const { inputType } = input;
    if (inputType.case === "audio" && this.#hearing) {
      this.#takeSound(inputType.value, this.#hearing, now);
      return;
    }
    this.#activeAt = now;
    if (inputType.case === "dtmf") {
      this.#takeKeys(inputType.value, now);
      return;
    }
    const collected = this.#collector.add(input);
    if (collected.kind === "noted") this.#outbox.put({ case: "sessionOutput", value: {} });
    if (collected.kind !== "turn") return;
    if (collected.inputs.some(isWords)) this.#turns.interrupt(false);
    this.#turns.queue(collected.inputs);
  }

  /** While the agent must not be interrupted, what the user says is ignored (proto comment of `disable_barge_in`). */
  #takeSound(bytes: Uint8Array, hearing: Hearing, now: number): void {
    const { bargesIn, ended } = hearing.push(bytes, this.#turns.speaking === "not interruptible");
    if (hearing.speaking || ended.length > 0) this.#activeAt = now;
    if (bargesIn && this.#turns.speaking === "interruptible") this.#turns.interrupt(true);
    for (const utterance of ended) this.#turns.queueUtterance(utterance);
  }

  #takeKeys(pressed: string, now: number): void {
    if (this.#turns.speaking === "interruptible") this.#turns.interrupt(true);
    for (const row of this.#keypad.press(pressed, now)) this.#turns.queue([keys(row)]);
  }

  /** What is due by the clock: a row of keys that ends by a pause, a user who says nothing. */
  #keepTime(now: number): void {
    if (this.#keypad.remainingMs(now) === 0) for (const row of this.#keypad.take()) this.#turns.queue([keys(row)]);
    if (this.#silenceMs(now) !== 0) return;
    this.#activeAt = now;
    this.#turns.queueSilence(Math.round((this.#turns.settings.inactivityMs ?? 0) / 1_000));
  }

  /** Milliseconds until the user's silence is told; undefined while somebody is active, or where the app does not ask for it. */
  #silenceMs(now: number): number | undefined {
    const { inactivityMs } = this.#turns.settings;
    if (inactivityMs === undefined || !this.#resting || this.#leavingAt !== undefined) return undefined;
    return Math.max(0, Math.max(this.#activeAt, this.#turns.restsSince) + inactivityMs - now);
  }

  get #resting(): boolean {
    return this.#turns.waiting === 0 && !this.#hearing?.speaking && this.#keypad.remainingMs(0) === undefined;
  }

  /** How long the client may be waited for before the clock has to be looked at. */
  #patienceMs(now: number): number {
    const { idleMs, goAwayMs } = this.#line.limits;
    const end = this.#leavingAt === undefined ? this.#heardAt + idleMs : this.#leavingAt + goAwayMs;
    const busy = this.#turns.waiting > 0;
    return Math.min(
      Math.max(end - now, busy ? LOOK_MS : 1),
      this.#hearing?.speaking ? STALL_MS : Number.POSITIVE_INFINITY,
      this.#keypad.remainingMs(now) ?? Number.POSITIVE_INFINITY,
      this.#silenceMs(now) ?? (busy && this.#turns.settings.inactivityMs ? LOOK_MS : Number.POSITIVE_INFINITY),
    );
  }

  /** Nothing came for a while. */
  #takeRest(now: number): void {
    const { idleMs } = this.#line.limits;
    if (this.#hearing?.speaking && now - this.#heardAt >= STALL_MS - EARLY_MS)
      for (const utterance of this.#hearing.end()) this.#turns.queueUtterance(utterance);
    if (this.#resting && now - this.#heardAt >= idleMs - EARLY_MS) this.#leave(now);
  }

  /** Whether a client that was told to go away had its time. Many send silence for ever. */
  #hasLeft(now: number): boolean {
    if (this.#leavingAt === undefined || !this.#resting) return false;
    return now - this.#leavingAt >= this.#line.limits.goAwayMs - EARLY_MS;
  }

  #leave(now: number): void {
    if (this.#leavingAt !== undefined) return;
    this.#leavingAt = now;
    this.#outbox.put({ case: "goAway", value: {} });
  }
}

/** Something of the user's own. Results of the client's functions wait until what announced them was heard. */
function isWords({ inputType }: SessionInput): boolean {
  return inputType.case !== "toolResponses" && inputType.case !== "variables";
}

function keys(value: string): SessionInput {
  return create(SessionInputSchema, { inputType: { case: "dtmf", value } });
}
