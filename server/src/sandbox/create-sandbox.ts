import { join } from "node:path";
import { createSandbox as createSealedSandbox, type FindingStore } from "@frontdesk/sealed-python";
import { definedFields, type Logger, nonEmptyFields } from "#base";
import type { Sandbox } from "./contract.ts";
import { hostFunctions } from "./host-functions.ts";
import { outcomeOf } from "./outcomes.ts";
import { listsOf, programInput } from "./program-input.ts";

/** The Python package that makes a sealed interpreter this product's: classes and globals that user code finds. */
const GUEST_PROGRAM = join(import.meta.dirname, "../../guest/frontdesk_guest");

/** Published packages have an image of it; a checkout has none. */
const SHIPPED_IMAGES = join(import.meta.dirname, "../../python-image");

const HISTORY_EVENTS = 10_000;

/** Where the sandbox keeps its image, and how much of the machine it may take. */
export interface SandboxOptions {
  /** The server's data folder: the image is cached in `cache/` below it, unless `cacheDir` names another place. */
  readonly dataDir: string;
  readonly cacheDir?: string;
  /** Folder of wheels and their SHA256SUMS, whose packages user code may import. Default: none. */
  readonly wheelsDir?: string;
  readonly logger: Logger;
  /** Guests that may compute at the same time. Default: the number of processors, at least two. */
  readonly maxGuests?: number;
  /** Memory that all guests together may take, bytes. Default: a quarter of the machine's, or of the container's. */
  readonly memoryBudget?: number;
  /** Newest events of a session that user code can read. Default 10,000. */
  readonly historyEvents?: number;
  /** Default: Deno where its binary starts, else Node. `worker` is for development: the interpreter alone isolates. */
  readonly host?: "deno" | "node" | "worker";
  /** Where it is kept over restarts what was found out about files. Default: nowhere. */
  readonly findings?: FindingStore;
}

/**
 * Creates the Python host. Returns at once; the image is checked or built and the first guests are started in the
 * background by the first call, and the first calls wait for that.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { dataDir, cacheDir = join(dataDir, "cache"), wheelsDir, host, logger, maxGuests, memoryBudget } = options;
  const { historyEvents = HISTORY_EVENTS, findings } = options;
  const open = () =>
    createSealedSandbox({
      cacheFolder: cacheDir,
      shippedFolder: SHIPPED_IMAGES,
      programFolder: GUEST_PROGRAM,
      logger,
      ...definedFields({ wheelsFolder: wheelsDir, runtime: host, maxGuests, memoryBudget, findings }),
    });
  let opened: ReturnType<typeof open> | undefined;
  let closed = false;
  const sealed = () => {
    if (opened) return opened;
    opened = open();
    if (closed) void opened.close();
    return opened;
  };
  return {
    async run(call, { turn, onHostCall, ...runOptions }) {
      const { code, filename, entry, keyword = {} } = call;
      const lists = listsOf(call, historyEvents);
      const outcome = await sealed().run(
        { code, filename, entry, keyword, input: programInput(call, lists) },
        { ...runOptions, group: turn, hostFunctions: hostFunctions(onHostCall, call.toolNames) },
      );
      return outcomeOf(outcome, call.positional ?? []);
    },
    inspect: (code, options) => sealed().inspect(code, options),
    status() {
      const { runtime, bubblewrap, guests, warning } = sealed().status();
      return { host: runtime, bubblewrap, guests, ...nonEmptyFields({ warning }) };
    },
    async close() {
      closed = true;
      await opened?.close();
    },
  };
}
