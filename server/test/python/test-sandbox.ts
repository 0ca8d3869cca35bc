import { createLogger, type JsonObject } from "#base";
import {
  createSandbox,
  type HostReply,
  type PythonCall,
  type PythonContext,
  type PythonOutcome,
  type RunOptions,
  type Sandbox,
  type SandboxOptions,
} from "#sandbox";
import { TEST_CACHE, testSandbox } from "#testing/engine";

/** What a test may set of a run; the rest has quiet defaults. */
interface TestRun extends Partial<Omit<PythonCall, "context">>, Partial<RunOptions> {
  readonly context?: Partial<PythonContext>;
  readonly state?: JsonObject;
}

/** A real sandbox with a short way to run a file. */
interface TestSandbox extends AsyncDisposable {
  readonly sandbox: Sandbox;
  /** Runs `code`'s first function. Each run is a turn of its own unless `turn` is given. */
  run(code: string, options?: TestRun): Promise<PythonOutcome>;
  /** The value that the first function returns; throws when it does not return. */
  value(code: string, options?: TestRun): Promise<unknown>;
}

/** A sandbox for one test file: the one of the process, unless there are options. */
export function createTestSandbox(options?: Partial<SandboxOptions>): TestSandbox {
  const logger = createLogger("silent");
  const folders = { dataDir: TEST_CACHE, cacheDir: TEST_CACHE };
  const sandbox = options ? createSandbox({ ...folders, logger, ...options }) : testSandbox();
  let turns = 0;
  const run: TestSandbox["run"] = (code, settings = {}) => {
    turns += 1;
    return sandbox.run(callOf(code, settings), optionsOf(settings, `turn ${turns}`));
  };
  return {
    sandbox,
    run,
    async value(code, settings) {
      const outcome = await run(code, settings);
      if (outcome.kind !== "returned") throw new Error(`the run ended with ${JSON.stringify(outcome)}`);
      return outcome.value;
    },
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

/** A good answer of a tool or a server. */
export function reply(value: unknown, status = 200, reason = ""): HostReply {
  return { status, reason, text: JSON.stringify(value) };
}

function callOf(code: string, { context, state, ...call }: TestRun): PythonCall {
  return {
    code,
    filename: call.filename ?? "python_code.py",
    entry: call.entry ?? "",
    toolNames: call.toolNames ?? [],
    ...(call.positional && { positional: call.positional }),
    ...(call.keyword && { keyword: call.keyword }),
    context: {
      invocationId: "invocation-1",
      agentName: "Front desk",
      sessionId: "session-1",
      state: state ?? {},
      userContent: null,
      events: [],
      ...context,
    },
  };
}

function optionsOf(options: TestRun, turn: string): RunOptions {
  return {
    tenant: options.tenant ?? "apps/one",
    turn: options.turn ?? turn,
    limits: options.limits ?? { cpuMs: 5_000, wallMs: 60_000 },
    onHostCall: options.onHostCall ?? (async () => reply({ result: null })),
    ...(options.signal && { signal: options.signal }),
  };
}
