import { basename } from "node:path";
import type { GuestRuntime, Logger, SandboxStatus } from "./contract.ts";
import { assetsIn, ImageCache, type ImageSources } from "./image/image-cache.ts";
import { type Bubblewrap, probeBubblewrap } from "./process/bubblewrap.ts";
import { Guest, type GuestEvents } from "./process/guest.ts";
import { type ChannelEvents, type GuestChannel, openProcessChannel } from "./process/guest-channel.ts";
import { findDeno, guestCommand } from "./process/guest-runtime.ts";
import { openWorkerChannel } from "./process/worker-channel.ts";
import type { GuestSettings } from "./sealed/frames.ts";

/** Limits inside the guest: linear memory and printed text, bytes (PY-39). */
const SETTINGS: GuestSettings = { maximumBytes: 128 << 20, outputLimit: 64 << 10 };

const NO_GUEST = "Python guests do not start: the log says why";
const REDUCED_ISOLATION =
  "user Python runs in a Node process, which isolates it less than Deno would (install the npm package `deno`)";
const NO_ISOLATION = "user Python runs in a thread of this process: for development only";

/** What isolates guests on this machine, and how one is opened in it. */
interface IsolationBackend {
  readonly runtime: GuestRuntime;
  readonly bubblewrap: Bubblewrap | undefined;
  readonly open: (events: ChannelEvents) => GuestChannel;
}

interface StarterOptions {
  readonly sources: ImageSources;
  readonly runtime: GuestRuntime | undefined;
  readonly logger: Logger;
  /** Aborted when the sandbox closes: ends a build under way. */
  readonly signal: AbortSignal;
}

/** Starts guests: finds, once, the image and the strongest isolation that works on this machine. */
export class GuestStarter {
  readonly #options: StarterOptions;
  readonly #images: ImageCache;
  #imageFolder: Promise<string> | undefined;
  #backend: Promise<IsolationBackend> | undefined;
  /** The one that a guest started in. */
  #proven: IsolationBackend | undefined;
  #announced = false;
  /** Whether the last attempt to start a guest failed. */
  #failed = false;

  constructor(options: StarterOptions) {
    this.#options = options;
    const { sources, logger, signal } = options;
    this.#images = new ImageCache(sources, logger, signal);
  }

  /** A guest that is ready. Rejects when there is no image or no runtime starts; the next call tries again. */
  async start(events: GuestEvents): Promise<Guest> {
    this.#imageFolder ??= this.#images.ensure();
    this.#backend ??= findBackend(this.#options.runtime);
    try {
      const [guest] = await Promise.all([
        this.#startIn(this.#backend, this.#imageFolder, events),
        this.#imageFolder, // says why there is none
      ]);
      this.#failed = false;
      this.#announce();
      return guest;
    } catch (error) {
      this.#failed = true;
      this.#imageFolder = undefined;
      this.#backend = undefined;
      throw error;
    }
  }

  /** The name of the image, which is another one for each interpreter, program and set of packages. Rejects where there is none. */
  async imageName(): Promise<string> {
    this.#imageFolder ??= this.#images.ensure();
    try {
      return basename(await this.#imageFolder);
    } catch (error) {
      this.#imageFolder = undefined;
      throw error;
    }
  }

  /** What the outside may know; before the first guest, what is expected. */
  describe(): Pick<SandboxStatus, "runtime" | "bubblewrap" | "warning"> {
    const runtime = this.#proven?.runtime ?? this.#options.runtime ?? "deno";
    const isolation = runtime === "worker" ? NO_ISOLATION : runtime === "node" ? REDUCED_ISOLATION : undefined;
    const warning = this.#failed ? NO_GUEST : isolation;
    return { runtime, bubblewrap: this.#proven?.bubblewrap !== undefined, warning };
  }

  /** Where Deno was not asked for and its first guest does not start (another libc, say), Node takes its place. */
  async #startIn(found: Promise<IsolationBackend>, folder: Promise<string>, events: GuestEvents): Promise<Guest> {
    const backend = await found;
    try {
      const guest = await startGuest(backend, folder, events);
      this.#proven ??= backend;
      return guest;
    } catch (error) {
      await folder; // without an image no runtime starts
      if (this.#proven || this.#options.runtime || backend.runtime !== "deno") throw error;
      this.#options.logger.warn({ error: String(error) }, "Deno does not start");
      this.#backend = findBackend("node");
      return this.#startIn(this.#backend, folder, events);
    }
  }

  #announce(): void {
    if (this.#announced) return;
    this.#announced = true;
    const { warning, runtime, bubblewrap } = this.describe();
    this.#options.logger.info({ host: runtime, bubblewrap }, "the Python sandbox is ready");
    if (warning) this.#options.logger.warn({}, warning);
  }
}

/** A runtime that was asked for is taken; otherwise Deno where its binary is, else Node. */
async function findBackend(runtime: GuestRuntime | undefined): Promise<IsolationBackend> {
  if (runtime === "worker") return { runtime, bubblewrap: undefined, open: openWorkerChannel };
  const deno = runtime === "node" ? undefined : findDeno();
  if (deno) return processBackend("deno", deno);
  if (runtime === "deno") throw new Error("the Deno binary (the npm package `deno`) is not installed");
  return processBackend("node", process.execPath);
}

async function processBackend(runtime: "deno" | "node", binary: string): Promise<IsolationBackend> {
  const bubblewrap = await probeBubblewrap(binary);
  const command = guestCommand(runtime, binary, bubblewrap);
  return { runtime, bubblewrap, open: (events) => openProcessChannel(command, events) };
}

async function startGuest(backend: IsolationBackend, folder: Promise<string>, events: GuestEvents): Promise<Guest> {
  const settings = Buffer.from(JSON.stringify(SETTINGS));
  const assets = folder.then((found) => [settings, ...assetsIn(found)]);
  const guest = new Guest(backend.open, assets, events);
  await guest.ready;
  return guest;
}
