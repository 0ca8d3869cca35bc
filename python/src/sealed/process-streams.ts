import { SharedPipe } from "./shared-pipe.ts";

/** Blocking input and output of the guest process, taken from its runtime before that is put out of reach. */
interface ProcessStreams {
  /** Fills as much of `target` as there is; 0 at the end of input. */
  read(target: Uint8Array): number;
  write(data: Uint8Array): number;
  exit(code: number): never;
  /** Processor time that the process used so far. */
  cpuMilliseconds(): number;
}

interface CpuUsage {
  /** Microseconds, both. */
  readonly user: number;
  readonly system: number;
}

interface DenoRuntime {
  cpuUsage(): CpuUsage;
  readonly stdin: { readSync(target: Uint8Array): number | null };
  readonly stdout: { writeSync(data: Uint8Array): number };
  exit(code: number): never;
}

/** Ambient abilities of the two runtimes. The sealed interpreter cannot reach them; removing them is the second lock. */
const AMBIENT = [
  ...[
    "Deno",
    "process",
    "require",
    "Buffer",
    "global",
    "fetch",
    "WebSocket",
    "WebSocketStream",
    "Worker",
    "EventSource",
  ],
  ...["XMLHttpRequest", "BroadcastChannel", "MessageChannel", "navigator", "caches", "localStorage", "sessionStorage"],
  ...["indexedDB", "prompt", "alert", "confirm", "close", "eval", "Function"],
];

/** Finds the streams of the runtime that this process is. */
export async function openProcessStreams(): Promise<ProcessStreams> {
  const { Deno: deno } = globalThis as { Deno?: DenoRuntime };
  return deno ? denoStreams(deno) : nodeStreams();
}

const toMilliseconds = ({ user, system }: CpuUsage) => (user + system) / 1000;

function denoStreams({ stdin, stdout, exit, cpuUsage }: DenoRuntime): ProcessStreams {
  return {
    cpuMilliseconds: () => toMilliseconds(cpuUsage()),
    read: (target) => stdin.readSync(target) ?? 0,
    write: (data) => stdout.writeSync(data),
    exit,
  };
}

async function nodeStreams(): Promise<ProcessStreams> {
  const { isMainThread, parentPort, workerData } = await import("node:worker_threads");
  if (!isMainThread && parentPort) return threadStreams(parentPort, new SharedPipe(workerData.pipe));
  const { readSync, writeSync } = await import("node:fs");
  const exit = process.exit.bind(process);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const retrying = (attempt: () => number): number => {
    for (;;) {
      try {
        return attempt();
      } catch (error) {
        const code = error instanceof Error && "code" in error ? error.code : undefined;
        if (code === "EOF") return 0;
        if (code !== "EAGAIN") throw error;
        Atomics.wait(pause, 0, 0, 1); // the pipe does not block on this platform
      }
    }
  };
  const cpuUsage = process.cpuUsage.bind(process);
  return {
    cpuMilliseconds: () => toMilliseconds(cpuUsage()),
    read: (target) => retrying(() => readSync(0, target)),
    write: (data) => retrying(() => writeSync(1, data)),
    exit,
  };
}

function threadStreams(port: { postMessage(data: Uint8Array): void }, pipe: SharedPipe): ProcessStreams {
  const cpuUsage = process.cpuUsage.bind(process); // of all threads: the limit is then the time that passes
  return {
    cpuMilliseconds: () => toMilliseconds(cpuUsage()),
    read: (target) => pipe.read(target),
    write: (data) => {
      port.postMessage(data);
      return data.length;
    },
    exit: process.exit.bind(process),
  };
}

/** Takes every ambient ability from the global object. */
export function dropAmbientAuthority(): void {
  // Node makes some of these on first use, also after that, and needs the others for it. In Deno it would take 20 ms.
  if (!Reflect.has(globalThis, "Deno")) for (const name of AMBIENT) Reflect.get(globalThis, name);
  for (const name of AMBIENT) {
    Object.defineProperty(globalThis, name, { value: undefined, writable: false, configurable: false });
  }
}
