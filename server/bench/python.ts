// `npm run bench -- python`: what user Python costs, measured at the sandbox's own door with real guests.
import { execFileSync } from "node:child_process";
import { loadavg } from "node:os";
import { createLogger } from "#base";
import { createSandbox, type Sandbox } from "#sandbox";
import { guestMemory, guestProcesses } from "./guest-memory.ts";
import { CPU_BOUND, callbackCall, cpuCall, endlessCall, optionsFor, threeCallsCall } from "./python-calls.ts";

const GUESTS = 2;
/** Milliseconds between paced calls: far enough apart that a guest is restored in between. */
const PACE_MS = 8;
/** The engine compiles what is called often; a server is past that after its first minutes. */
const WARM_UP_CALLS = 2_000;
const PACED_CALLS = 300;
const HURRIED_CALLS = 1_000;
const SUSTAINED_MS = 4_000;
const KILLS = 6;
/** Long enough for a guest to be started in place of the last one that was killed. */
const BETWEEN_KILLS_MS = 600;
/** Long enough for guests whose memory grew to be replaced. */
const IDLE_MS = 4_000;

/** Measures and prints one table. The image is built in `folder` first. */
export async function benchPython(folder: string): Promise<void> {
  const sandbox = createSandbox({ dataDir: folder, logger: createLogger("error"), maxGuests: GUESTS });
  try {
    await measure(sandbox, folder);
  } finally {
    await sandbox.close();
  }
}

async function measure(sandbox: Sandbox, folder: string): Promise<void> {
  let turn = 0;
  const callback = (name?: string) => runOne(sandbox, callbackCall, name ?? `turn ${turn++}`);
  const tool = () => runOne(sandbox, threeCallsCall, `turn ${turn++}`);
  await repeat(WARM_UP_CALLS, callback);
  say(`load of the machine ${loadavg()[0]?.toFixed(1)}; guests: ${JSON.stringify(sandbox.status())}\n`);
  say("call                                               p50 ms    p99 ms    min ms");
  row("trivial callback, 20 events, fresh, paced", await repeat(PACED_CALLS, callback, PACE_MS));
  row("trivial callback, 20 events, fresh, back to back", await repeat(HURRIED_CALLS, callback));
  row("trivial callback, 20 events, same turn", await repeat(HURRIED_CALLS, () => callback("one turn")));
  row("tool with three host calls, fresh, paced", await repeat(PACED_CALLS, tool, PACE_MS));
  row("tool with three host calls, fresh, back to back", await repeat(HURRIED_CALLS, tool));
  say("");
  say(`calls/s, ${GUESTS} guests, six calls a turn        ${await sustained(callback, 6)}`);
  say(`calls/s, ${GUESTS} guests, one call a turn         ${await sustained(callback, 1)}`);
  reportMemory("after callbacks");
  await compareProcessor(sandbox);
  await pause(IDLE_MS);
  reportMemory("after work and a pause");
  await reportReplacement(sandbox, folder);
}

async function runOne(sandbox: Sandbox, call: Parameters<Sandbox["run"]>[0], turn: string): Promise<void> {
  const outcome = await sandbox.run(call, optionsFor(turn));
  if (outcome.kind !== "returned") throw new Error(`a run of the benchmark ended with ${JSON.stringify(outcome)}`);
}

/** The times of `count` calls, one after the other, sorted. */
async function repeat(count: number, call: () => Promise<void>, paceMs = 0): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs));
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
  }
  return times.sort((left, right) => left - right);
}

/** Calls per second with as many turns at once as there are guests, and one more that waits. */
async function sustained(call: (turn?: string) => Promise<void>, callsPerTurn: number): Promise<string> {
  const until = performance.now() + SUSTAINED_MS;
  let done = 0;
  let turns = 0;
  const lane = async () => {
    while (performance.now() < until) {
      const turn = `sustained ${callsPerTurn} ${turns++}`;
      for (let index = 0; index < callsPerTurn; index++) await call(turn);
      done += callsPerTurn;
    }
  };
  await Promise.all(Array.from({ length: GUESTS + 1 }, lane));
  return ((1000 * done) / SUSTAINED_MS).toFixed(0).padStart(8);
}

/** The same work in a guest and in the machine's own Python, by turns, so that both meet the same machine. Best of several each. */
async function compareProcessor(sandbox: Sandbox): Promise<void> {
  const guest: number[] = [];
  const native: number[] = [];
  for (let index = 0; index < 6; index++) {
    const outcome = await sandbox.run(cpuCall, optionsFor("processor"));
    if (outcome.kind !== "returned") throw new Error(JSON.stringify(outcome));
    guest.push(Number(outcome.value));
    native.push(nativeTime());
  }
  const [ours, theirs] = [Math.min(...guest), Math.min(...native)];
  const ratio = Number.isNaN(theirs)
    ? "no python3 here"
    : `${(ours / theirs).toFixed(2)} times python3 ${nativeVersion()} (${theirs.toFixed(0)} ms)`;
  say(`processor-bound work, best of 6                ${ours.toFixed(0).padStart(6)} ms, ${ratio}`);
}

/** Milliseconds; NaN where there is no python3. */
function nativeTime(): number {
  return Number(runNative(`${CPU_BOUND}\nprint(work())`));
}

function nativeVersion(): string {
  return runNative("import platform\nprint(platform.python_version())");
}

function runNative(script: string): string {
  try {
    return execFileSync("python3", ["-c", script], { encoding: "utf8" }).trim();
  } catch {
    return "NaN"; // the table says so
  }
}

function reportMemory(when: string): void {
  const guests = guestProcesses().map(guestMemory);
  for (const [index, { resident, proportional, own }] of guests.entries()) {
    say(
      `${`MB of guest ${index + 1}, ${when}`.padEnd(47)}resident ${mb(resident)}, proportional ${mb(proportional)}, private ${mb(own)}`,
    );
  }
  say(`memory of this process, MB                     resident ${mb(process.memoryUsage().rss)}`);
}

/** Measures the next call after a guest was killed, with other guests ready and without, and the time until all guests are ready again. */
async function reportReplacement(sandbox: Sandbox, folder: string): Promise<void> {
  const single = createSandbox({ dataDir: folder, logger: createLogger("error"), maxGuests: 1 });
  try {
    const several = await killAndCall(sandbox, GUESTS);
    const alone = await killAndCall(single, 1);
    say(`next call after a guest was killed, ${KILLS} times    ${range(several.map(({ call }) => call))} ms`);
    say(`until another guest is ready in its place      ${range(several.map(({ ready }) => ready))} ms`);
    say(`next call when it was the only guest           ${range(alone.map(({ call }) => call))} ms`);
  } finally {
    await single.close();
  }
}

/** `guests` are ready when nothing runs; while a call takes long there is one more for a while. */
async function killAndCall(sandbox: Sandbox, guests: number): Promise<{ call: number; ready: number }[]> {
  await runOne(sandbox, callbackCall, "before");
  const times: { call: number; ready: number }[] = [];
  for (let index = 0; index < KILLS; index++) {
    await pause(BETWEEN_KILLS_MS);
    const abort = new AbortController();
    const doomed = sandbox.run(endlessCall, { ...optionsFor(`doomed ${index}`), signal: abort.signal });
    await pause(BETWEEN_KILLS_MS / 2);
    const started = performance.now();
    abort.abort();
    await doomed;
    await runOne(sandbox, callbackCall, `next ${index}`);
    const call = performance.now() - started;
    while (sandbox.status().guests < guests) await pause(1);
    times.push({ call, ready: performance.now() - started });
  }
  return times;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const range = (times: readonly number[]) => `${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)}`;
const mb = (bytes: number) => (bytes / 1e6).toFixed(0);

function row(name: string, sorted: readonly number[]): void {
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2).padStart(9);
  say(`${name.padEnd(48)}${at(0.5)} ${at(0.99)} ${at(0)}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
