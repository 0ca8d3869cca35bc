import { create } from "@bufbuild/protobuf";
import { type EndSession, type SessionInput, SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import { ErrorInfoSchema } from "@frontdesk/protos/google/rpc/error_details";
import { type Clock, type Logger, unreachable } from "#base";
import { RECOGNISER_RATE, type Resampler, resamplersTo, type Samples, type TextToSpeech } from "#speech";
import { ConnectError } from "#status";
import type { TurnEvent } from "../../contract.ts";
import { interruptionText, silenceText, unheardText } from "../../turn/context-texts.ts";
import { completedOutput } from "../../turn/folds.ts";
import type { SpeechSettings } from "../../turn/speech-settings.ts";
import type { ChannelSpan, VoiceTurn } from "../../turn/voice-turn.ts";
import type { Line } from "../contract.ts";
import { createAmbient } from "./ambient.ts";
import { Answer } from "./answer.ts";
import type { Outbox } from "./outbox.ts";
import { type Recordings, recordingRequest } from "./recordings.ts";
import type { Understood, Utterance } from "./utterance.ts";
import { type SoundFormat, type VoiceSettings, voiceSettings } from "./voice-settings.ts";

export interface VoiceTurnsDeps {
  readonly line: Line;
  readonly outbox: Outbox;
  readonly recordings: Recordings;
  /** What the client hears with; undefined = it reads only. */
  readonly voice: { readonly speak: TextToSpeech; readonly format: SoundFormat } | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Hears how keys are gathered from now on; undefined = as usual. */
  readonly onKeypad: (settings: SpeechSettings | undefined) => void;
}

/**
 * The turns of one conversation by voice: one after the other, each when the answer before it was heard or interrupted. What
 * the agents say goes out in writing first, then as sound.
 */
export class VoiceTurns {
  readonly #deps: VoiceTurnsDeps;
  #settings: VoiceSettings;
  #ambient: Promise<(samples: Samples) => Samples> | undefined;
  readonly #resampler: (rate: number) => Resampler;
  #answer: Answer | undefined;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #over = false;
  #wake: (() => void)[] = [];
  /** Work that belongs to the trace of the turn that is stored next. */
  #spans: ChannelSpan[] = [];
  /** What the model has to be told before the user's next words. */
  #context: string[] = [];
  #restsSince: number;

  constructor(deps: VoiceTurnsDeps, settings: VoiceSettings) {
    this.#deps = deps;
    this.#settings = settings;
    this.#restsSince = deps.clock.now();
    this.#resampler = resamplersTo(deps.voice?.format.rate ?? RECOGNISER_RATE);
  }

  /** As the app had them at the last turn. */
  get settings(): VoiceSettings {
    return this.#settings;
  }

  /** Turns that run or wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether the session ended, or the conversation broke. */
  get over(): boolean {
    return this.#over;
  }

  /** When the last turn was heard to its end. */
  get restsSince(): number {
    return this.#restsSince;
  }

  /** Whether the agent speaks now, and may be interrupted. */
  get speaking(): "no" | "interruptible" | "not interruptible" {
    if (!this.#answer?.playing) return "no";
    return this.#answer.interruptible ? "interruptible" : "not interruptible";
  }

  /** What the user typed, pressed or sent, or what the server says to itself. */
  queue(inputs: readonly SessionInput[]): void {
    this.#queue(() => this.#take(inputs));
  }

  /** What the user said, when it is understood. */
  queueUtterance({ understood }: Utterance): void {
    this.#queue(async () => this.#takeUnderstood(await understood));
  }

  /** The user says nothing. */
  queueSilence(seconds: number): void {
    this.#queue(() => this.#take([text(silenceText(seconds))], { silence: true }));
  }

  /** Stops what is being heard and notes how much of it was; nothing when the agent is silent. */
  interrupt(bargeIn: boolean): void {
    if (!this.#answer?.playing) return;
    const { outbox, clock } = this.#deps;
    const startedAt = clock.now();
    const heard = this.#answer.interrupt();
    outbox.dropSound();
    outbox.put({ case: "interruptionSignal", value: { bargeIn } });
    if (this.#settings.awareness) this.#context.push(interruptionText(heard.text));
    const attributes = { "barge in": bargeIn, "audio heard (ms)": heard.milliseconds, heard: heard.text };
    this.#spans.push({ name: "Interruption", startedAt, endedAt: clock.now(), attributes });
  }

  /** Resolves when the next turn has ended. */
  turnEnd(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  /** Resolves when all turns have ended. */
  ended(): Promise<void> {
    return this.#last;
  }

  /** No turn begins any more. */
  stop(): void {
    this.#over = true;
  }

  #queue(work: () => Promise<void>): void {
    this.#waiting++;
    this.#last = this.#last
      .then(() => (this.#over ? undefined : work()))
      .catch((error: unknown) => {
        this.#over = true;
        this.#deps.outbox.fail(error);
      })
      .finally(() => {
        this.#waiting--;
        for (const wake of this.#wake.splice(0)) wake();
      });
  }

  async #takeUnderstood(understood: Understood): Promise<void> {
    switch (understood.kind) {
      case "nothing":
        return;
      case "words":
        this.#spans.push(understood.span);
        return this.#take([text(understood.transcript)], { spoken: true });
      case "failed": {
        const { session } = this.#deps.line.config;
        this.#deps.logger.warn({ err: understood.failure, session }, "speech was not recognised");
        this.#spans.push(understood.span);
        return this.#take([text(unheardText())], { failure: understood.failure });
      }
      default:
        return unreachable(understood);
    }
  }

  async #take(inputs: readonly SessionInput[], kind: TurnKind = {}): Promise<void> {
    const { line, outbox, signal, clock, onKeypad } = this.#deps;
    this.#settings = voiceSettings(await line.snapshot(), line.config);
    onKeypad(undefined);
    const answer = await this.#openAnswer();
    this.#answer = answer;
    const context = this.#context.splice(0).map(text);
    const voice: VoiceTurn = {
      spoken: kind.spoken === true,
      spans: this.#spans.splice(0),
      failure: kind.failure,
      said: async () => [...((await answer?.made()) ?? []), ...this.#spans.splice(0)],
    };
    try {
      const { completed, ended } = await this.#play(line.speakTurn([...context, ...inputs], voice, signal), answer);
      answer?.close();
      await answer?.heard();
      if (completed) outbox.put({ case: "sessionOutput", value: completedOutput(completed) });
      if (ended) this.#end(ended);
    } catch (error) {
      answer?.interrupt();
      // An agent may have nothing to say to silence (ces-runtime 13); the clock starts anew.
      if (!kind.silence || !isEmptyAnswer(error)) throw error;
    }
    this.#restsSince = clock.now();
  }

  /** Hands the outputs of a turn on, and to the voice what is to be heard. */
  async #play(events: AsyncIterable<TurnEvent>, answer: Answer | undefined): Promise<Played> {
    let played: Played = {};
    for await (const event of events) {
      if (event.kind === "turn-completed") played = { ...played, completed: event };
      if (event.kind !== "output") continue;
      const { outputType } = event.output;
      if (outputType.case === "endSession") played = { ...played, ended: outputType.value };
      if (answer && this.#playsRecording(event, answer)) continue;
      this.#deps.outbox.put({ case: "sessionOutput", value: event.output });
      if (outputType.case !== "text") continue;
      const { speech } = event;
      answer?.say(outputType.value, event.output.turnIndex, speech?.alwaysBargeIn ? "always" : !speech?.disableBargeIn);
      if (speech?.enableDtmf) this.#deps.onKeypad(speech);
    }
    return played;
  }

  #playsRecording({ output }: Extract<TurnEvent, { kind: "output" }>, answer: Answer): boolean {
    const request = output.outputType.case === "payload" ? recordingRequest(output.outputType.value) : undefined;
    if (request) answer.play(() => this.#deps.recordings.load(request.uri), output.turnIndex, request);
    return request !== undefined;
  }

  async #openAnswer(): Promise<Answer | undefined> {
    const { voice, outbox, clock, logger, signal } = this.#deps;
    if (!voice) return undefined;
    const mix = await this.#mix(voice.format.rate);
    return new Answer({
      ...voice,
      resampler: this.#resampler,
      settings: this.#settings,
      mix,
      outbox,
      clock,
      logger,
      signal,
    });
  }

  /** The app's ambient sound; one that cannot be had is told once, and left out. */
  #mix(rate: number): Promise<(samples: Samples) => Samples> {
    const { ambient } = this.#settings;
    if (!ambient) return Promise.resolve((samples) => samples);
    this.#ambient ??= this.#deps.recordings.ambient(ambient).then(
      (sound) => (sound ? createAmbient(sound, ambient.volumeGainDb, rate) : (samples) => samples),
      (error: unknown) => {
        this.#deps.logger.warn({ err: error }, "ambient sound is left out");
        const startedAt = this.#deps.clock.now();
        const attributes = { provider: "ambient sound", error: error instanceof Error ? error.message : String(error) };
        this.#spans.push({ name: "TextToSpeech", startedAt, endedAt: startedAt, attributes });
        return (samples: Samples) => samples;
      },
    );
    return this.#ambient;
  }

  #end(ended: EndSession): void {
    this.#over = true;
    this.#deps.outbox.put({ case: "endSession", value: ended });
    this.#deps.outbox.end();
  }
}

interface TurnKind {
  readonly spoken?: boolean;
  readonly silence?: boolean;
  readonly failure?: ConnectError;
}

interface Played {
  readonly completed?: Extract<TurnEvent, { kind: "turn-completed" }>;
  readonly ended?: EndSession;
}

function text(value: string): SessionInput {
  return create(SessionInputSchema, { inputType: { case: "text", value } });
}

function isEmptyAnswer(error: unknown): boolean {
  return (
    error instanceof ConnectError &&
    error.findDetails(ErrorInfoSchema).some(({ reason }) => reason === "EMPTY_RESPONSE")
  );
}
