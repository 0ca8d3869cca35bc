import type { OutputLine } from "../contract.ts";
import { parseGuestJson } from "../guest-json.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { writeJson } from "../json-spelling.ts";
import { ENDINGS, type Ending, encodeFrame, FrameType } from "../sealed/frames.ts";
import { CpuTimer } from "./cpu-timer.ts";
import { FrameReader } from "./frame-reader.ts";
import { type ChannelEvents, type GuestAsset, type GuestChannel, sendAssets } from "./guest-channel.ts";

/** A guest that does not end itself when its CPU time is up (a loop in C) is killed this much later, milliseconds. */
const CPU_GRACE_MS = 250;

/** Starting takes about 150 ms from when there is an image; a machine under load is given this many milliseconds. */
const START_TIMEOUT_MS = 30_000;

/** Restoring takes less than 100 ms; a machine under load is given this many milliseconds. */
const RESTORE_TIMEOUT_MS = 10_000;

/** Payload of a restore frame that is answered. */
const CONFIRM = Uint8Array.of(1);

/** Output as JSON, bytes. The guest's own limit is 64 KiB of text, of which each byte may be a piece of its own. */
const OUTPUT_LIMIT = 2 << 20;

/** Each frame of output counts as so many bytes at least, so that empty ones come to an end too. */
const OUTPUT_FRAME_BYTES = 64;

const STREAM_NAMES: Readonly<Record<number, OutputLine["stream"]>> = { 1: "stdout", 2: "stderr", 4: "log" };

/** One request to a guest. */
export interface GuestCall {
  /** A whole call frame (see request.ts). */
  readonly frame: Buffer;
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Answers a question of the running code; must not reject. */
  readonly answer: (question: JsonValue) => Promise<JsonObject>;
}

/** How a request ended. `body` is the answer's JSON when it was answered, else the reason. */
export interface GuestResult {
  /** `exhausted`: no guest could be had. */
  readonly ending: Ending | "cancelled" | "exhausted";
  /** Whether the guest itself told this ending, so that it came of the code: otherwise its process ended, or it never had the call. */
  readonly reported?: boolean;
  readonly body: string;
  readonly output: readonly OutputLine[];
}

/** What the pool wants to know. */
export interface GuestEvents {
  /** The running code waits for the host, or goes on. */
  onWaiting(waiting: boolean): void;
  /** The process is gone. Called once, after the current call was resolved. */
  onEnd(reason: string): void;
}

interface Pending {
  readonly call: GuestCall;
  readonly resolve: (result: GuestResult) => void;
  readonly cpuTimer: CpuTimer;
  /** Whether the code waits for the answer to its question. */
  asking: boolean;
  readonly wallTimer: NodeJS.Timeout;
  readonly onAbort: () => void;
  /** What the code printed so far, and its size as it came, bytes. */
  readonly output: OutputLine[];
  outputBytes: number;
}

/** One sealed interpreter in its own process: starts, serves one call at a time, and is killed when it misbehaves. */
export class Guest {
  /** Resolves when the interpreter can be called; rejects when it did not start. */
  readonly ready: Promise<void>;
  /** Bytes of memory that calls used beyond the image, as of the last call: the machine does not get them back while the guest lives. */
  grownBytes = 0;
  /** False once it ended or was told to. */
  alive = true;
  readonly #channel: GuestChannel;
  readonly #events: GuestEvents;
  #pending: Pending | undefined;
  #started: { resolve: () => void; reject: (error: Error) => void; timer?: NodeJS.Timeout } | undefined;
  #restoring: { resolve: () => void; timer: NodeJS.Timeout } | undefined;
  #killed: { ending: GuestResult["ending"]; reason: string } | undefined;

  /** The process starts at once, and waits for the assets: its runtime loads while they are looked for. */
  constructor(
    open: (events: ChannelEvents) => GuestChannel,
    assets: Promise<readonly GuestAsset[]>,
    events: GuestEvents,
  ) {
    this.#events = events;
    const reader = new FrameReader((type, payload) => this.#receive(type, payload));
    this.ready = new Promise((resolve, reject) => {
      this.#started = { resolve, reject };
    });
    this.ready.catch(() => {}); // also reported by onEnd
    this.#channel = open({
      onBytes: (bytes) => this.#read(reader, bytes),
      onEnd: (reason) => this.#end(reason),
    });
    this.#feed(assets).catch((error: unknown) => {
      // Where the guest ended meanwhile, its own last words say more, and come by `onEnd`.
      if (this.alive) setTimeout(() => this.kill("crashed", `the guest could not be started: ${error}`), 100).unref();
    });
  }

  async #feed(coming: Promise<readonly GuestAsset[]>): Promise<void> {
    const assets = await coming;
    if (this.#started)
      this.#started.timer = setTimeout(() => this.kill("crashed", "the guest did not start in time"), START_TIMEOUT_MS);
    await sendAssets(this.#channel, assets);
  }

  /** Serves one call. Never rejects. `restoreFirst` puts the image back before the request is read. */
  call(call: GuestCall, restoreFirst: boolean): Promise<GuestResult> {
    return new Promise((resolve) => {
      const onAbort = () => this.kill("cancelled", "the call was cancelled");
      const wallTimer = setTimeout(
        () => this.kill("timeout", `the code did not end within ${call.wallMs} ms`),
        call.wallMs,
      );
      const cpuTimer = new CpuTimer(
        call.cpuMs + CPU_GRACE_MS,
        () => this.#channel.processorTime(),
        () => this.kill("timeout", `the code used its ${call.cpuMs} ms of CPU time`),
      );
      this.#pending = {
        call,
        resolve,
        cpuTimer,
        asking: false,
        wallTimer,
        onAbort,
        output: [],
        outputBytes: 0,
      };
      call.signal?.addEventListener("abort", onAbort, { once: true });
      call.frame[RESTORE_FLAG] = restoreFirst ? 1 : 0;
      cpuTimer.start();
      this.#channel.send(call.frame);
      if (call.signal?.aborted) onAbort();
    });
  }

  /** Puts the image back while nobody waits. */
  restore(): void {
    this.#channel.send(encodeFrame(FrameType.restore));
  }

  /** Puts the image back and resolves when that is done, or when the guest is gone. Not to be called during a call. */
  restoreNow(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.kill("crashed", "the guest was not restored in time"), RESTORE_TIMEOUT_MS);
      this.#restoring = { resolve, timer };
      this.#channel.send(encodeFrame(FrameType.restore, CONFIRM));
      if (!this.alive) this.#finishRestore();
    });
  }

  #finishRestore(): void {
    clearTimeout(this.#restoring?.timer);
    this.#restoring?.resolve();
    this.#restoring = undefined;
  }

  /** Ends the process. A call in flight resolves with this ending. */
  kill(ending: GuestResult["ending"], reason: string): void {
    this.#killed ??= { ending, reason };
    this.alive = false;
    this.#settle(this.#killed.ending, this.#killed.reason);
    this.#finishRestore();
    this.#channel.kill();
  }

  #finishStart() {
    const started = this.#started;
    this.#started = undefined;
    clearTimeout(started?.timer);
    return started;
  }

  #read(reader: FrameReader, bytes: Buffer): void {
    try {
      reader.push(bytes);
    } catch (error) {
      this.kill("violation", `the guest broke the protocol: ${error instanceof Error ? error.message : error}`);
    }
  }

  #receive(type: number, payload: Buffer): void {
    if (type === FrameType.ready && this.#started) {
      this.#finishStart()?.resolve();
    } else if (type === FrameType.ready && this.#restoring) {
      this.#finishRestore();
    } else if (type === FrameType.question && this.#pending?.asking === false) {
      const pending = this.#pending;
      this.#answer(pending, payload.toString()).catch((error: unknown) => this.#fail(pending, error));
    } else if (type === FrameType.output && this.#pending?.asking === false) {
      this.#print(this.#pending, payload);
    } else if (type === FrameType.result && this.#pending?.asking === false) {
      this.#finish(this.#pending, payload);
    } else if (this.alive) {
      throw new Error(`unexpected frame of type ${type}`);
    }
  }

  async #answer(pending: Pending, text: string): Promise<void> {
    pending.asking = true;
    pending.cpuTimer.stop();
    this.#events.onWaiting(true);
    const question = parseGuestJson(text);
    const answer =
      "problem" in question
        ? { refused: `the question ${question.problem}` }
        : await pending.call.answer(question.value);
    if (this.#pending !== pending) return; // killed meanwhile
    pending.asking = false;
    this.#events.onWaiting(false);
    pending.cpuTimer.start();
    this.#channel.send(encodeFrame(FrameType.answer, Buffer.from(writeJson(answer))));
  }

  /** A question that could not be answered at all ends its run, and never more than that. */
  #fail(pending: Pending, error: unknown): void {
    if (this.#pending !== pending) return;
    this.kill("crashed", `a question could not be answered: ${error instanceof Error ? error.message : String(error)}`);
  }

  #print(pending: Pending, text: Buffer): void {
    pending.outputBytes += Math.max(text.length, OUTPUT_FRAME_BYTES);
    if (pending.outputBytes > OUTPUT_LIMIT) throw new Error("more output than a guest may send");
    pending.output.push(...parseOutput(text.toString()));
  }

  #finish(pending: Pending, payload: Buffer): void {
    const ending = ENDINGS[payload.readUInt8(0)];
    if (!ending) throw new Error("unknown ending");
    this.grownBytes = payload.readUInt32LE(1);
    const outputEnd = 9 + payload.readUInt32LE(5);
    if (outputEnd > payload.length) throw new Error("a result that ends in its output");
    if (outputEnd > 9) this.#print(pending, payload.subarray(9, outputEnd));
    // A violation is an attack or a broken image: its process is not used again.
    if (ending === "violation" || ending === "crashed") this.#retire();
    this.#settle(ending, payload.toString("utf8", outputEnd), true);
  }

  #retire(): void {
    this.alive = false;
    this.#channel.kill();
  }

  #settle(ending: GuestResult["ending"], body: string, reported = false): void {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = undefined;
    clearTimeout(pending.wallTimer);
    pending.cpuTimer.end();
    pending.call.signal?.removeEventListener("abort", pending.onAbort);
    pending.resolve({ ending, reported, body, output: pending.output });
  }

  #end(reason: string): void {
    this.alive = false;
    this.#finishRestore();
    this.#finishStart()?.reject(new Error(reason));
    this.#settle(this.#killed?.ending ?? "crashed", this.#killed?.reason ?? reason);
    this.#events.onEnd(reason);
  }
}

/** Where the flag of `restoreFirst` lies in a call frame. */
export const RESTORE_FLAG = 9;

function parseOutput(text: string): OutputLine[] {
  const chunks: unknown = JSON.parse(text);
  if (!Array.isArray(chunks)) throw new Error("malformed output");
  return chunks.flatMap(([stream, lines]: [number, string]) =>
    lines
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => ({ stream: STREAM_NAMES[stream] ?? "stdout", text: line })),
  );
}
