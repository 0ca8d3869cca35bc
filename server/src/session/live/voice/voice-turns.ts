import type { EndSession, SessionInput } from "@frontdesk/protos/ces/session_service";
import { ErrorInfoSchema } from "@frontdesk/protos/google/rpc/error_details";
import { type Clock, type Logger, thrownMessage, unreachable } from "#base";
import type { CreateResampler, Samples, TextToSpeech } from "#speech";
import { ConnectError } from "#status";
import type { TurnEvent, VoiceTurn } from "../../contract.ts";
import { textInput } from "../../text-input.ts";
import type { ChannelSpan } from "../../trace.ts";
import { interruptionText, silenceText, unrecognizedSpeechText } from "../../turn/context-texts.ts";
import { completedOutput } from "../../turn/folds.ts";
import type { SpeechSettings } from "../../turn/speech-settings.ts";
import type { LiveConnection } from "../contract.ts";
import type { AmbientSounds } from "./ambient.ts";
import type { OutputQueue } from "./output-queue.ts";
import { type RecordingRequest, type Recordings, recordingRequest } from "./recordings.ts";
import { sentencesOf } from "./sentences.ts";
import { SpokenAnswer } from "./spoken-answer.ts";
import { textInProgress } from "./text-in-progress.ts";
import type { Utterance, UtteranceResult } from "./utterance.ts";
import { type AudioFormat, type VoiceSettings, voiceSettings } from "./voice-settings.ts";

interface VoiceTurnsDeps {
  readonly connection: LiveConnection;
  readonly outputQueue: OutputQueue;
  readonly recordings: Recordings;
  readonly ambientSounds: AmbientSounds;
  readonly createResampler: CreateResampler;
  /** The client's audio output; undefined = text only. */
  readonly voice: { readonly textToSpeech: TextToSpeech; readonly format: AudioFormat } | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Resolves when the user is not speaking. */
  readonly userQuiet: () => Promise<void>;
  /** Called with the DTMF settings that apply from now on; undefined = the defaults. */
  readonly onDtmfSettings: (settings: SpeechSettings | undefined) => void;
}

type OutputEvent = Extract<TurnEvent, { kind: "output" }>;

/**
 * The turns of one conversation by voice: one after the other, each when the answer before it was played or interrupted. What
 * the agents say is sent as whole texts and as audio, which begins when the first sentence is written (TURN-70).
 */
export class VoiceTurns {
  readonly #deps: VoiceTurnsDeps;
  #settings: VoiceSettings;
  #ambient: Promise<(samples: Samples) => Samples> | undefined;
  #answer: SpokenAnswer | undefined;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #over = false;
  #muted = false;
  #wake: (() => void)[] = [];
  /** Spans for the trace of the turn that is stored next. */
  #spans: ChannelSpan[] = [];
  /** Context for the model before the user's next words. */
  #context: string[] = [];
  #idleSince: number;

  constructor(deps: VoiceTurnsDeps, settings: VoiceSettings) {
    this.#deps = deps;
    this.#settings = settings;
    this.#idleSince = deps.clock.now();
  }

  /** The settings as of the last turn. */
  get settings(): VoiceSettings {
    return this.#settings;
  }

  /** Number of turns that run or wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether the session ended, or the conversation failed. */
  get over(): boolean {
    return this.#over;
  }

  /** When the last turn was played to its end. */
  get idleSince(): number {
    return this.#idleSince;
  }

  /** Whether audio is playing, and may be interrupted. */
  get speaking(): "no" | "interruptible" | "not interruptible" {
    if (!this.#answer?.playing) return "no";
    return this.#answer.interruptible ? "interruptible" : "not interruptible";
  }

  /** Queues a turn on inputs of the client or of the server. */
  queue(inputs: readonly SessionInput[]): void {
    this.#queue(() => this.#runTurn(inputs));
  }

  /** Queues a turn on inputs that no client sent. It begins when the user is not speaking: who speaks would interrupt it at once (TURN-56). */
  queueUnprompted(inputs: readonly SessionInput[]): void {
    this.#queue(async () => {
      await this.#deps.userQuiet();
      await this.#runTurn(inputs);
    });
  }

  /** Queues a turn on an utterance, once it is recognized. */
  queueUtterance({ result }: Utterance): void {
    this.#queue(async () => this.#runUtterance(await result));
  }

  /** Queues a turn on the user's inactivity. */
  queueSilence(seconds: number): void {
    this.#queue(() => this.#runTurn([textInput(silenceText(seconds))], { silence: true }));
  }

  /** Stops playback and records how much was played; does nothing when no audio is playing. */
  interrupt(bargeIn: boolean): void {
    if (!this.#answer?.playing) return;
    const { outputQueue, clock } = this.#deps;
    const startedAt = clock.now();
    const played = this.#answer.interrupt();
    outputQueue.dropAudio();
    outputQueue.put({ case: "interruptionSignal", value: { bargeIn } });
    if (this.#settings.bargeInAwareness) this.#context.push(interruptionText(played.text));
    const attributes = { "barge in": bargeIn, "audio heard (ms)": played.milliseconds, heard: played.text };
    this.#spans.push({ name: "Interruption", startedAt, endedAt: clock.now(), attributes });
  }

  /** Nobody listens any more: what plays stops, and what is answered from now on is not spoken (WIRE-52). */
  mute(): void {
    this.#muted = true;
    this.#answer?.interrupt();
  }

  /** Resolves when a turn has ended, or is spoken further. */
  progress(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #progressed(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  /** Resolves when all turns have ended. */
  ended(): Promise<void> {
    return this.#last;
  }

  /** Starts no more turns. */
  stop(): void {
    this.#over = true;
  }

  #queue(work: () => Promise<void>): void {
    this.#waiting++;
    this.#last = this.#last
      .then(() => this.#deps.outputQueue.waitForCapacity())
      .then(() => (this.#over ? undefined : work()))
      .catch((error: unknown) => {
        this.#over = true;
        this.#deps.outputQueue.fail(error);
      })
      .finally(() => {
        this.#waiting--;
        this.#progressed();
      });
  }

  async #runUtterance(result: UtteranceResult): Promise<void> {
    switch (result.kind) {
      case "nothing":
        return;
      case "words":
        this.#spans.push(result.span);
        return this.#runTurn([textInput(result.transcript)], { spoken: true });
      case "failed": {
        const { session } = this.#deps.connection.config;
        this.#deps.logger.warn({ err: result.failure, session }, "speech was not recognized");
        this.#spans.push(result.span);
        return this.#runTurn([textInput(unrecognizedSpeechText())], { failure: result.failure });
      }
      default:
        return unreachable(result);
    }
  }

  async #runTurn(inputs: readonly SessionInput[], kind: TurnKind = {}): Promise<void> {
    const { connection, outputQueue, signal, clock, onDtmfSettings } = this.#deps;
    this.#settings = voiceSettings(await connection.snapshot(), connection.config);
    onDtmfSettings(undefined);
    const answers = await this.#answers();
    const context = this.#context.splice(0).map(textInput);
    const voice: VoiceTurn = {
      spoken: kind.spoken === true,
      spans: this.#spans.splice(0),
      failure: kind.failure,
      spokenSpans: async () => [...(await synthesized(answers)), ...this.#spans.splice(0)],
    };
    try {
      const { completed, ended } = await this.#play(
        connection.runVoiceTurn([...context, ...inputs], voice, signal),
        answers,
      );
      this.#answer?.close();
      await this.#answer?.played();
      if (completed) outputQueue.put({ case: "sessionOutput", value: completedOutput(completed) });
      if (ended) this.#end(ended);
    } catch (error) {
      this.#answer?.interrupt();
      // An agent may answer nothing to inactivity (SESS-17); the clock starts anew.
      if (!kind.silence || !isEmptyAnswer(error)) throw error;
    }
    this.#idleSince = clock.now();
  }

  /** Queues the outputs of a turn, and passes texts and recordings to the spoken answer. */
  async #play(events: AsyncIterable<TurnEvent>, answers: SpokenAnswer[]): Promise<Played> {
    let played: Played = {};
    let written = textInProgress(this.#settings);
    for await (const event of events) {
      if (event.kind === "turn-completed") played = { ...played, completed: event };
      // What begins after an interruption is spoken once it is whole, so that its text need not wait for the user to finish.
      if (event.kind === "text-delta" && !(written.empty && this.#answer?.interrupted)) {
        this.#answer?.say(written.write(event.text), event.turnIndex);
        this.#progressed();
      }
      if (event.kind !== "output") continue;
      const { outputType } = event.output;
      if (outputType.case === "endSession") played = { ...played, ended: outputType.value };
      const request = outputType.case === "payload" && answers[0] ? recordingRequest(outputType.value) : undefined;
      if (!request) this.#deps.outputQueue.put({ case: "sessionOutput", value: event.output });
      if (request) await this.#playRecording(request, event.output.turnIndex, answers);
      if (outputType.case !== "text") continue;
      if (!written.empty && event.alreadyStreamed) this.#answer?.say(written.end(), event.output.turnIndex);
      else await this.#speak(outputType.value, event, answers);
      this.#progressed();
      written = textInProgress(this.#settings);
    }
    return played;
  }

  async #playRecording(request: RecordingRequest, turnIndex: number, answers: SpokenAnswer[]): Promise<void> {
    await this.#resume(answers);
    this.#answer?.play(() => this.#deps.recordings.load(request.uri), turnIndex, request);
    this.#progressed();
  }

  async #speak(words: string, { output, speech }: OutputEvent, answers: SpokenAnswer[]): Promise<void> {
    await this.#resume(answers);
    const interruptible = speech?.alwaysBargeIn ? "always" : !speech?.disableBargeIn;
    this.#answer?.say({ sentences: sentencesOf(words), text: words }, output.turnIndex, interruptible);
    if (speech?.enableDtmf) this.#deps.onDtmfSettings(speech);
  }

  /**
   * Begins to speak again when the answer was interrupted before this turn came to its end: what comes now the user has not heard (TURN-55). Waits
   * until the user has finished, who would interrupt it at once.
   */
  async #resume(answers: SpokenAnswer[]): Promise<void> {
    if (!this.#answer?.interrupted) return;
    await this.#deps.userQuiet();
    // Not only what was heard before the interruption, but this as well.
    this.#context.length = 0;
    answers.push(...(await this.#answers()));
  }

  /** The answer that texts are passed to from now on; none for clients without audio output. */
  async #answers(): Promise<SpokenAnswer[]> {
    this.#answer = await this.#openAnswer();
    return this.#answer ? [this.#answer] : [];
  }

  async #openAnswer(): Promise<SpokenAnswer | undefined> {
    const { voice, outputQueue, createResampler, clock, logger, signal } = this.#deps;
    if (!voice) return undefined;
    const mix = await this.#mix(voice.format.rate);
    if (this.#muted) return undefined;
    return new SpokenAnswer({
      ...voice,
      resampler: (from) => createResampler(from, voice.format.rate),
      settings: this.#settings,
      mix,
      outputQueue,
      clock,
      logger,
      signal,
    });
  }

  /** The app's ambient sound. When it cannot be loaded, a warning and a span say so once. */
  #mix(rate: number): Promise<(samples: Samples) => Samples> {
    const { ambient } = this.#settings;
    if (!ambient) return Promise.resolve((samples) => samples);
    const { ambientSounds, recordings } = this.#deps;
    this.#ambient ??= ambientSounds.mixer(ambient, rate, recordings.ambient).then(
      (mixer) => mixer ?? ((samples) => samples),
      (error: unknown) => {
        this.#deps.logger.warn({ err: error }, "ambient sound is left out");
        const startedAt = this.#deps.clock.now();
        const attributes = { provider: "ambient sound", error: thrownMessage(error) };
        this.#spans.push({ name: "TextToSpeech", startedAt, endedAt: startedAt, attributes });
        return (samples: Samples) => samples;
      },
    );
    return this.#ambient;
  }

  #end(ended: EndSession): void {
    this.#over = true;
    this.#deps.outputQueue.put({ case: "endSession", value: ended });
    this.#deps.outputQueue.end();
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

/** The spans of what was synthesized, once all of it is. */
async function synthesized(answers: readonly SpokenAnswer[]): Promise<readonly ChannelSpan[]> {
  const spans = await Promise.all(answers.map((answer) => answer.synthesized()));
  return spans.flat();
}

function isEmptyAnswer(error: unknown): boolean {
  return (
    error instanceof ConnectError &&
    error.findDetails(ErrorInfoSchema).some(({ reason }) => reason === "EMPTY_RESPONSE")
  );
}
