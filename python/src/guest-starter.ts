import type { Logger, SandboxStatus } from "./contract.ts";
import { assetsIn, ImageCache } from "./image/image-cache.ts";
import { type Bubblewrap, probeBubblewrap } from "./process/bubblewrap.ts";
import { Guest, type GuestEvents } from "./process/guest.ts";
import { type ChannelEvents, type GuestChannel, openProcessChannel } from "./process/guest-channel.ts";
import { findDeno, type GuestHost, guestCommand } from "./process/guest-host.ts";
import { openWorkerChannel } from "./process/worker-channel.ts";
import type { GuestSettings } from "./sealed/frames.ts";

/** Limits inside the guest: linear memory and printed text, bytes (PY-39). */
const SETTINGS: GuestSettings = { maximumBytes: 128 << 20, outputLimit: 64 << 10 };

const REDUCED_ISOLATION =
  "user Python runs in a Node process, with one wall less around it than in Deno (install the npm package `deno`)";
const NO_ISOLATION = "user Python runs in a thread of the server: for development only";

/** The walls that were found to work here. */
interface Walls {
  readonly host: GuestHost;
  readonly bubblewrap: Bubblewrap | undefined;
  readonly open: (events: ChannelEvents) => GuestChannel;
}

export interface StarterOptions {
  readonly cacheFolder: string;
  readonly wheelsFolder: string | undefined;
  readonly host: GuestHost | undefined;
  readonly logger: Logger;
  /** Aborted when the server closes: ends a build under way. */
  readonly signal: AbortSignal;
}

/** Starts guests: finds, once, the image and the strongest host that works on this machine. */
export class GuestStarter {
  readonly #options: StarterOptions;
  readonly #images: ImageCache;
  #imageFolder: Promise<string> | undefined;
  #walls: Promise<Walls> | undefined;
  /** The walls that a guest started in. */
  #found: Walls | undefined;
  #announced = false;

  constructor(options: StarterOptions) {
    this.#options = options;
    const { cacheFolder, logger, signal, wheelsFolder } = options;
    this.#images = new ImageCache(cacheFolder, logger, signal, wheelsFolder);
  }

  /** A guest that is ready. Rejects when there is no image or no host starts; the next call tries again. */
  async start(events: GuestEvents): Promise<Guest> {
    this.#imageFolder ??= this.#images.ensure();
    this.#walls ??= this.#findWalls(this.#options.host);
    try {
      const [folder, walls] = await Promise.all([this.#imageFolder, this.#walls]);
      const guest = await this.#startWithin(walls, folder, events);
      this.#announce();
      return guest;
    } catch (error) {
      this.#imageFolder = undefined;
      this.#walls = undefined;
      throw error;
    }
  }

  /** What the outside may know: before the first guest, what is hoped for. */
  describe(): Omit<SandboxStatus, "guests"> {
    const host = this.#found?.host ?? this.#options.host ?? "deno";
    const warning = host === "worker" ? NO_ISOLATION : host === "node" ? REDUCED_ISOLATION : undefined;
    return { host, bubblewrap: this.#found?.bubblewrap !== undefined, ...(warning && { warning }) };
  }

  /** An explicit host is taken as it is; otherwise Deno where its binary is, else Node. */
  async #findWalls(host: GuestHost | undefined): Promise<Walls> {
    if (host === "worker") return { host, bubblewrap: undefined, open: openWorkerChannel };
    const deno = host === "node" ? undefined : findDeno();
    if (deno) return processWalls("deno", deno);
    if (host === "deno") throw new Error("the Deno binary (the npm package `deno`) is not installed");
    return processWalls("node", process.execPath);
  }

  /** Where Deno was not asked for and its first guest does not start (another libc, say), Node takes its place. */
  async #startWithin(walls: Walls, folder: string, events: GuestEvents): Promise<Guest> {
    try {
      const guest = await startGuest(walls, folder, events);
      this.#found ??= walls;
      return guest;
    } catch (error) {
      if (this.#found || this.#options.host || walls.host !== "deno") throw error;
      this.#options.logger.warn({ error: String(error) }, "Deno does not start");
      this.#walls = this.#findWalls("node");
      return this.#startWithin(await this.#walls, folder, events);
    }
  }

  #announce(): void {
    if (this.#announced) return;
    this.#announced = true;
    const { warning, ...walls } = this.describe();
    this.#options.logger.info(walls, "the Python sandbox is ready");
    if (warning) this.#options.logger.warn({}, warning);
  }
}

async function processWalls(host: "deno" | "node", binary: string): Promise<Walls> {
  const bubblewrap = await probeBubblewrap(binary);
  const command = guestCommand(host, binary, bubblewrap);
  return { host, bubblewrap, open: (events) => openProcessChannel(command, events) };
}

async function startGuest(walls: Walls, folder: string, events: GuestEvents): Promise<Guest> {
  const settings = Buffer.from(JSON.stringify(SETTINGS));
  const guest = new Guest(walls.open, [settings, ...assetsIn(folder)], events);
  await guest.ready;
  return guest;
}
