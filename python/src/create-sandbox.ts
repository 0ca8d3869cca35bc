import { availableParallelism, totalmem } from "node:os";
import type {
  GuestRuntime,
  HostFunctions,
  Logger,
  PythonCall,
  PythonLimits,
  PythonModule,
  PythonOutcome,
  RunOptions,
  Sandbox,
} from "./contract.ts";
import { GuestPool } from "./guest-pool.ts";
import { GuestStarter } from "./guest-starter.ts";
import { HostCalls } from "./host-calls.ts";
import { createKeptFindings, type FindingStore, type KeptFindings } from "./kept-findings.ts";
import { NotInspected } from "./not-inspected.ts";
import { parseModule, parseOutcome } from "./outcomes.ts";
import { inspectRequest, REQUEST_LIMIT, runRequest } from "./requests.ts";
import { SharedResults } from "./shared-results.ts";
import { SourceCompiler } from "./source-compiler.ts";
import { WorkLines } from "./work-lines.ts";

/** Name of a file that is only looked at, as tracebacks show it. */
const INSPECTED_FILE = "python_code.py";

/** Loading runs the file's top level: milliseconds of processor and of time that it gets. */
const INSPECT_CPU_MS = 2_000;
const INSPECT_WALL_MS = 10_000;

/** Files of one tenant that guests look at at the same time. An app has hundreds, which together take longer than a call may wait for a guest. */
const LOOKED_AT_ONCE = 4;

/** Endings that say nothing about the file that was looked at. */
const NO_FINDINGS: ReadonlySet<string> = new Set(["crashed", "cancelled", "exhausted"]);

/** What a guest takes in the worst case, bytes: its runtime, the image and the memory that the code may use. */
const GUEST_BYTES = 200 << 20;

/** Guests whose code waits for the host use no processor, so there may be this many times more of them. */
const WAITING_FACTOR = 8;

/** Tools may call tools this deep; each level holds a guest. */
const NESTED_CALLS = 4;

/** Whose line files are looked at in that are of no tenant. */
const UPLOADS = "\0inspect";

/** Where the image comes from, and how much guests may take. */
export interface SandboxOptions {
  /** Folder in which the memory image is kept; the first sandbox builds it there, which takes some seconds. */
  readonly cacheFolder: string;
  /** Folder of images that were built before (see `writeImage`): taken when one fits the present sources. Default: none. */
  readonly shippedFolder?: string;
  /** Functions of the host that code may call, unless a run names others. Default: none. */
  readonly hostFunctions?: HostFunctions;
  /** Limits of a run that names none. Default: 10 seconds of processor time, 30 seconds in all. */
  readonly limits?: PythonLimits;
  /** Folder of wheels and their SHA256SUMS, whose packages code may import. Default: none. */
  readonly wheelsFolder?: string;
  /**
   * Folder of a Python package with the embedder's program (`program.py`, see guest/sealed_guest/program.py) and what it imports.
   * Default: a program with the global `host`.
   */
  readonly programFolder?: string;
  /** Guests that may compute at the same time. Default: the number of processors, at least two. */
  readonly maxGuests?: number;
  /** Memory that all guests together may take, bytes. Default: a quarter of the machine's, or of the container's. */
  readonly memoryBudget?: number;
  /** Default: Deno where its binary starts, else Node. `worker` is for development: the interpreter alone isolates. */
  readonly runtime?: GuestRuntime;
  /** Where it is kept over restarts what `inspect` found: a program with hundreds of files would be looked at anew for half a minute. Default: nowhere. */
  readonly findings?: FindingStore;
  /** Default: nothing is logged. */
  readonly logger?: Logger;
}

/**
 * Creates a sandbox. Returns at once; the image is checked or built and the first guests are started in the background, and
 * the first calls wait for that.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { logger = SILENT, maxGuests = Math.max(2, availableParallelism()) } = options;
  const closing = new AbortController();
  const { cacheFolder, shippedFolder, wheelsFolder, programFolder, runtime } = options;
  const sources = { cacheFolder, shippedFolder, wheelsFolder, programFolder };
  const starter = new GuestStarter({ sources, runtime, logger, signal: closing.signal });
  const maxMembers = membersWithin(options.memoryBudget ?? defaultBudget(), maxGuests);
  const pool = new GuestPool({ start: (events) => starter.start(events), maxGuests, maxMembers, logger });
  const compiler = new SourceCompiler(pool);
  const findings = options.findings && createKeptFindings(options.findings, starter, logger);
  const inspect = createInspect(pool, findings);
  const { limits = DEFAULT_LIMITS, hostFunctions = {} } = options;
  // Node opens its debugger when this signal comes; with a listener it does not (PY-38).
  process.on("SIGUSR1", ignoreSignal);
  const started = pool.prewarm();
  let runs = 0;
  return {
    run(call, runOptions = {}) {
      runs += 1;
      const group = `\0run ${runs}`;
      return run(call, { tenant: "", group, limits, hostFunctions, ...runOptions }, compiler, pool);
    },
    inspect,
    status: () => ({ ...starter.describe(), guests: pool.size, busy: pool.busy, waiting: pool.waiting }),
    async close() {
      process.off("SIGUSR1", ignoreSignal);
      closing.abort();
      await pool.close();
      await started;
    },
  };
}

const DEFAULT_LIMITS: PythonLimits = { cpuMs: 10_000, wallMs: 30_000 };

const SILENT: Logger = { info() {}, warn() {}, error() {} };

function ignoreSignal(): void {}

function defaultBudget(): number {
  const contained = process.constrainedMemory(); // 0, or more than there is, outside of a container
  return Math.min(contained || Number.POSITIVE_INFINITY, totalmem()) / 4;
}

/** Guests that a memory budget pays for: as many as may compute in any case, and one for a call that one of them waits for. */
function membersWithin(budget: number, maxGuests: number): number {
  const useful = Math.max(maxGuests * WAITING_FACTOR, maxGuests + NESTED_CALLS);
  return Math.max(maxGuests + 1, Math.min(useful, Math.floor(budget / GUEST_BYTES)));
}

async function run(
  call: PythonCall,
  { tenant, group, limits, hostFunctions, signal }: Required<Omit<RunOptions, "signal">> & Pick<RunOptions, "signal">,
  compiler: SourceCompiler,
  pool: GuestPool,
): Promise<PythonOutcome> {
  const started = performance.now();
  const compilation = await compiler.compile(call, tenant);
  if ("outcome" in compilation) return compilation.outcome;
  const frame = runRequest(call, compilation.compiled, limits.cpuMs);
  if (frame.length > REQUEST_LIMIT) return tooLarge(frame.length, started);
  const hostCalls = new HostCalls(hostFunctions, call.input?.lists);
  const result = await pool.run(
    { tenant, group: `${tenant}\0${group}` },
    { frame, cpuMs: limits.cpuMs, wallMs: limits.wallMs, answer: hostCalls.answer, signal },
  );
  // What the code started without waiting for it belongs to its run: it ends within the run's time, or is given up.
  if (result.ending === "answered") await hostCalls.settle(limits.wallMs - (performance.now() - started), signal);
  hostCalls.abort();
  return parseOutcome(result, call, performance.now() - started);
}

function tooLarge(bytes: number, started: number): PythonOutcome {
  const message = `the call has ${bytes} bytes with its arguments and variables; the limit is ${REQUEST_LIMIT}`;
  return { kind: "crashed", message, output: [], durationMs: performance.now() - started };
}

/** Results are kept by content: the same file is looked at when it is uploaded, declared and validated. */
function createInspect(pool: GuestPool, kept?: KeptFindings): Sandbox["inspect"] {
  const modules = new SharedResults<PythonModule>();
  let sequence = 0;
  const look = async (code: string, tenant: string): Promise<PythonModule> => {
    sequence += 1;
    const result = await pool.run(
      { tenant, group: `\0inspect ${sequence}`, neverWaits: true },
      {
        frame: inspectRequest(INSPECTED_FILE, code, INSPECT_CPU_MS),
        cpuMs: INSPECT_CPU_MS,
        wallMs: INSPECT_WALL_MS,
        answer: async () => ({ refused: "nothing outside the file can be called while it is loaded" }),
      },
    );
    // An ended or unavailable guest is no finding about the file, unless it says that the file ended it.
    if (NO_FINDINGS.has(result.ending) && !result.reported) throw new NotInspected(result.body, result.ending);
    const module = parseModule(result);
    // What does not load may load another time.
    if (module.kind === "module") kept?.keep(code, result.body);
    return module;
  };
  const find = async (code: string, tenant: string): Promise<PythonModule> => {
    // Who asks for the empty file asks whether Python runs.
    const body = code === "" ? undefined : await kept?.find(code);
    const known = body === undefined ? undefined : parseModule({ ending: "answered", body });
    return known?.kind === "module" ? known : look(code, tenant);
  };
  const lines = new WorkLines(LOOKED_AT_ONCE);
  return async (code, { tenant = UPLOADS } = {}) =>
    modules.get(tenant, code, INSPECTED_FILE, async () => ({
      result: await lines.run(tenant, () => find(code, tenant)),
      isLasting: true,
    }));
}
