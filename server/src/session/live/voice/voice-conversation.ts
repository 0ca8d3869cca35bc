import { create } from "@bufbuild/protobuf";
import {
  type BidiSessionServerMessage,
  type SessionInput,
  SessionInputSchema,
} from "@frontdesk/protos/ces/session_service";
import { type Clock, type Logger, unreachable, yieldToEventLoop } from "#base";
import { type CreateResampler, createResamplers, type Speech } from "#speech";
import type { SpeechSettings } from "../../turn/speech-settings.ts";
import type { Conversation, LiveConnection, StreamInput } from "../contract.ts";
import { InputCollector } from "../input-collector.ts";
import { type AmbientSounds, createAmbientSounds } from "./ambient.ts";
import { DEFAULT_DTMF, DtmfCollector } from "./dtmf-collector.ts";
import { OutputQueue } from "./output-queue.ts";
import { createRecordings, type RecordingsDeps } from "./recordings.ts";
import { SpeechInput } from "./speech-input.ts";
import { speechNotConfigured } from "./speech-not-configured.ts";
import { type AudioFormats, readAudioFormats, type VoiceSettings, voiceSettings } from "./voice-settings.ts";
import { VoiceTurns } from "./voice-turns.ts";

/** Dependencies of conversations by voice. */
interface VoiceConversationDeps extends RecordingsDeps {
  readonly speech: Pick<Speech, "speechToText" | "textToSpeech">;
  /** How much silence ends an utterance, milliseconds. Default 700. */
  readonly endOfSpeechMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** With what all conversations of a server share. */
interface VoiceDeps extends VoiceConversationDeps {
  readonly createResampler: CreateResampler;
  readonly ambientSounds: AmbientSounds;
}

/** Ends an utterance when no audio arrives for this long, milliseconds: not every client sends silence. */
const STALL_MS = 1_000;
/** Timers may fire this much early, milliseconds. */
const TIMER_TOLERANCE_MS = 5;
/** Most waiting turns; while there are more, the client is not read, unless it may interrupt what is spoken (WIRE-58). */
const MAX_WAITING_TURNS = 4;
/** Most waiting turns of all: what interrupts nothing, like results of client functions, may come at any pace. */
const MOST_WAITING_TURNS = 16;
/** How often timers are checked while turns run, milliseconds: the end of an answer triggers no check. */
const POLL_MS = 250;

/**
 * Runs conversations by voice: the client's audio is split into utterances, each recognized utterance is a
 * turn, and the answer is played at the pace of speech until the user interrupts it.
 */
export function createVoiceConversation(given: VoiceConversationDeps): Conversation {
  const createResampler = createResamplers();
  const deps: VoiceDeps = { ...given, createResampler, ambientSounds: createAmbientSounds(createResampler) };
  return async function* converseByVoice(connection) {
    const formats = readAudioFormats(connection.config);
    const missing = speechNotConfigured(formats, deps.speech);
    if (missing) throw missing;
    const settings = voiceSettings(await connection.snapshot(), connection.config);
    yield* new VoiceConversation(connection, deps, formats, settings).messages();
  };
}

/** The input side of a conversation by voice: reads the client, runs the timers, and queues turns. */
class VoiceConversation {
  readonly #connection: LiveConnection;
  readonly #clock: Clock;
  readonly #outputQueue = new OutputQueue();
  readonly #dtmf = new DtmfCollector();
  readonly #collector: InputCollector;
  readonly #speechInput: SpeechInput | undefined;
  readonly #turns: VoiceTurns;
  readonly #stop = new AbortController();
  /** When the user was last active, and when the last input arrived. */
  #lastActivityAt: number;
  #lastInputAt: number;
  #goAwaySentAt: number | undefined;
  /** Who waits until the user is not speaking. */
  #quietWaiters: (() => void)[] = [];

  constructor(connection: LiveConnection, deps: VoiceDeps, formats: AudioFormats, settings: VoiceSettings) {
    this.#connection = connection;
    this.#clock = deps.clock;
    this.#collector = new InputCollector(connection.limits);
    this.#lastActivityAt = deps.clock.now();
    this.#lastInputAt = this.#lastActivityAt;
    const signal = AbortSignal.any([connection.signal, this.#stop.signal]);
    this.#speechInput = this.#openSpeechInput(deps, formats, settings, signal);
    this.#turns = this.#openTurns(deps, formats, settings, signal);
  }

  async *messages(): AsyncGenerator<BidiSessionServerMessage, void> {
    void this.#readInputs().then(
      () => this.#outputQueue.end(),
      (error: unknown) => this.#outputQueue.fail(error),
    );
    try {
      yield* this.#outputQueue.messages();
    } finally {
      this.#turns.stop();
      this.#stop.abort();
      this.#wakeQuietWaiters();
    }
  }

  #openSpeechInput(
    { speech: { speechToText }, createResampler, endOfSpeechMs = 700, clock }: VoiceDeps,
    { input }: AudioFormats,
    { language, otherLanguages, marginDb }: VoiceSettings,
    signal: AbortSignal,
  ): SpeechInput | undefined {
    if (!input || !speechToText) return undefined;
    const onTranscript = (transcript: string) => {
      // A client that reads too slowly misses interim transcripts.
      if (!this.#outputQueue.full) this.#outputQueue.put({ case: "recognitionResult", value: { transcript } });
    };
    return new SpeechInput({
      speechToText,
      format: input,
      createResampler,
      language,
      otherLanguages,
      marginDb,
      endOfSpeechMs,
      clock,
      signal,
      onTranscript,
    });
  }

  #openTurns(deps: VoiceDeps, { output }: AudioFormats, settings: VoiceSettings, signal: AbortSignal): VoiceTurns {
    const { clock, logger, speech, createResampler, ambientSounds } = deps;
    const voice = output && speech.textToSpeech && { textToSpeech: speech.textToSpeech, format: output };
    const whole = {
      ...{
        connection: this.#connection,
        outputQueue: this.#outputQueue,
        recordings: createRecordings(deps),
        createResampler,
        ambientSounds,
        voice,
        clock,
        logger,
        signal,
      },
      userQuiet: () => this.#userQuiet(),
      onDtmfSettings: (keypad: SpeechSettings | undefined) => {
        this.#dtmf.settings = keypad
          ? { finishDigit: keypad.dtmfFinishDigit, endpointingMs: keypad.dtmfEndpointingMs }
          : DEFAULT_DTMF;
      },
    };
    return new VoiceTurns(whole, settings);
  }

  async #readInputs(): Promise<void> {
    for (;;) {
      while (this.#tooManyWait && !this.#turns.over) {
        // While the client is not read, nobody notices that the user has finished.
        this.#wakeQuietWaiters();
        await this.#turns.progress();
      }
      await this.#outputQueue.waitForReader();
      if (this.#turns.over) return;
      const goAwaySent = this.#goAwaySentAt !== undefined;
      const input = await this.#connection.nextInput({ idleMs: this.#timeoutMs(this.#clock.now()), goAwaySent });
      let over = false;
      for (const part of this.#partsOf(input)) {
        if (part !== input) await yieldToEventLoop();
        over = this.#handle(part);
        if (over) break;
      }
      if (over || !this.#speechInput?.speaking) this.#wakeQuietWaiters();
      if (over) break;
    }
    // Input from before the half-close is answered and stored.
    for (const utterance of this.#speechInput?.end() ?? []) this.#turns.queueUtterance(utterance);
    for (const sequence of this.#dtmf.take()) this.#turns.queue([keys(sequence)]);
    const rest = this.#collector.rest();
    if (rest.length > 0) this.#turns.queue(rest);
    await this.#turns.ended();
  }

  /** The user must be heard while the agent speaks, however many turns wait: who interrupts adds one more, and then nothing is spoken. */
  get #tooManyWait(): boolean {
    const { waiting, speaking } = this.#turns;
    return waiting >= (speaking === "interruptible" ? MOST_WAITING_TURNS : MAX_WAITING_TURNS);
  }

  /** Long audio in parts, between which other calls run. */
  *#partsOf(received: StreamInput): Generator<StreamInput, void> {
    const audio = received.kind === "input" && received.input.inputType.case === "audio";
    if (!audio || !this.#speechInput) return yield received;
    const { value } = received.input.inputType as { readonly value: Uint8Array };
    for (const part of this.#speechInput.partsOf(value))
      yield part === value ? received : { kind: "input", input: audioInput(part) };
  }

  #userQuiet(): Promise<void> {
    if (!this.#speechInput?.speaking || this.#stop.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => this.#quietWaiters.push(resolve));
  }

  #wakeQuietWaiters(): void {
    for (const wake of this.#quietWaiters.splice(0)) wake();
  }

  /** Handles an input. Returns whether the conversation is over. */
  #handle(input: StreamInput): boolean {
    const now = this.#clock.now();
    if (input.kind !== "idle") this.#lastInputAt = now;
    switch (input.kind) {
      case "input":
        this.#handleInput(input.input, now);
        break;
      case "unprompted":
        this.#turns.queueUnprompted(input.inputs);
        break;
      case "idle":
        this.#handleIdle(now);
        break;
      case "draining":
        this.#sendGoAway(now);
        break;
      case "half-closed":
        if (this.#connection.closesWhole) this.#turns.mute();
        return true;
      default:
        return unreachable(input);
    }
    this.#checkTimers(now);
    return this.#goAwayExpired(now);
  }

  #handleInput(input: SessionInput, now: number): void {
    const { inputType } = input;
    if (inputType.case === "audio" && this.#speechInput) {
      this.#handleAudio(inputType.value, this.#speechInput, now);
      return;
    }
    this.#lastActivityAt = now;
    if (inputType.case === "dtmf") {
      this.#handleDtmf(inputType.value, now);
      return;
    }
    const collected = this.#collector.add(input);
    if (collected.kind === "no-turn") this.#outputQueue.put({ case: "sessionOutput", value: {} });
    if (collected.kind !== "turn") return;
    if (collected.inputs.some(isWords)) this.#turns.interrupt(false);
    this.#turns.queue(collected.inputs);
  }

  /** While the agent must not be interrupted, speech of the user is ignored (proto comment of `disable_barge_in`). */
  #handleAudio(bytes: Uint8Array, speechInput: SpeechInput, now: number): void {
    const { bargesIn, ended } = speechInput.push(bytes, this.#turns.speaking === "not interruptible");
    if (speechInput.speaking || ended.length > 0) this.#lastActivityAt = now;
    if (bargesIn && this.#turns.speaking === "interruptible") this.#turns.interrupt(true);
    for (const utterance of ended) this.#turns.queueUtterance(utterance);
  }

  #handleDtmf(pressed: string, now: number): void {
    if (this.#turns.speaking === "interruptible") this.#turns.interrupt(true);
    for (const sequence of this.#dtmf.press(pressed, now)) this.#turns.queue([keys(sequence)]);
  }

  /** Handles what is due: a DTMF sequence that times out, an inactive user. */
  #checkTimers(now: number): void {
    if (this.#dtmf.remainingMs(now) === 0)
      for (const sequence of this.#dtmf.take()) this.#turns.queue([keys(sequence)]);
    if (this.#silenceMs(now) !== 0) return;
    this.#lastActivityAt = now;
    this.#turns.queueSilence(Math.round((this.#turns.settings.inactivityMs ?? 0) / 1_000));
  }

  /** Milliseconds until the inactivity time-out; undefined while somebody is active, or when the app sets none. */
  #silenceMs(now: number): number | undefined {
    const { inactivityMs } = this.#turns.settings;
    if (inactivityMs === undefined || !this.#idle || this.#goAwaySentAt !== undefined) return undefined;
    return Math.max(0, Math.max(this.#lastActivityAt, this.#turns.idleSince) + inactivityMs - now);
  }

  get #idle(): boolean {
    return this.#turns.waiting === 0 && !this.#speechInput?.speaking && this.#dtmf.remainingMs(0) === undefined;
  }

  /** How long to wait for the client before the timers must be checked. */
  #timeoutMs(now: number): number {
    const { idleMs, goAwayMs } = this.#connection.limits;
    const end = this.#goAwaySentAt === undefined ? this.#lastInputAt + idleMs : this.#goAwaySentAt + goAwayMs;
    const busy = this.#turns.waiting > 0;
    return Math.min(
      Math.max(end - now, busy ? POLL_MS : 1),
      this.#speechInput?.speaking ? STALL_MS : Number.POSITIVE_INFINITY,
      this.#dtmf.remainingMs(now) ?? Number.POSITIVE_INFINITY,
      this.#silenceMs(now) ?? (busy && this.#turns.settings.inactivityMs ? POLL_MS : Number.POSITIVE_INFINITY),
    );
  }

  /** No input arrived in time. */
  #handleIdle(now: number): void {
    const { idleMs } = this.#connection.limits;
    if (this.#speechInput?.speaking && now - this.#lastInputAt >= STALL_MS - TIMER_TOLERANCE_MS)
      for (const utterance of this.#speechInput.end()) this.#turns.queueUtterance(utterance);
    if (this.#idle && now - this.#lastInputAt >= idleMs - TIMER_TOLERANCE_MS) this.#sendGoAway(now);
  }

  /** Whether the client had its time after GoAway. Many send silence for ever. */
  #goAwayExpired(now: number): boolean {
    if (this.#goAwaySentAt === undefined || !this.#idle) return false;
    return now - this.#goAwaySentAt >= this.#connection.limits.goAwayMs - TIMER_TOLERANCE_MS;
  }

  #sendGoAway(now: number): void {
    if (this.#goAwaySentAt !== undefined) return;
    this.#goAwaySentAt = now;
    this.#outputQueue.put({ case: "goAway", value: {} });
  }
}

/** Whether the user sent it. Results of client functions wait until the call's announcement was played. */
function isWords({ inputType }: SessionInput): boolean {
  return inputType.case !== "toolResponses" && inputType.case !== "variables";
}

function audioInput(value: Uint8Array): SessionInput {
  return create(SessionInputSchema, { inputType: { case: "audio", value } });
}

function keys(value: string): SessionInput {
  return create(SessionInputSchema, { inputType: { case: "dtmf", value } });
}
