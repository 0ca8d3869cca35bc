import { readTime, toEpoch, writeTime } from "./broken-down-time.ts";
import type { Deadline } from "./deadline.ts";
import type { Descriptors } from "./descriptors.ts";
import { formatTime } from "./format-time.ts";
import type { ImageMetadata } from "./image-metadata.ts";
import type { LinearMemory } from "./linear-memory.ts";
import { Stop } from "./stops.ts";

/** What the live functions work on. */
export interface GuestContext {
  readonly metadata: ImageMetadata;
  readonly memory: LinearMemory;
  readonly table: WebAssembly.Table;
  readonly descriptors: Descriptors;
  readonly deadline: Deadline;
}

// The parameters come from WebAssembly and are numbers (or bigints for 64-bit ones).
type Live = (...args: never[]) => number | bigint | undefined;

/** Every function that the guest can really call. Whatever is not here, in the errno table or an `invoke_*` traps. */
export function liveFunctions(context: GuestContext): Readonly<Record<string, Live>> {
  return {
    ...controlFlow(context),
    ...memoryFunctions(context.memory),
    ...clockFunctions(context),
    ...calendarFunctions(context.memory),
    ...descriptorFunctions(context),
    ...processFunctions(),
  };
}

function controlFlow({ table, deadline, metadata }: GuestContext): Record<string, Live> {
  return {
    _PyEM_TrampolineCall_JS: (index: number, self: number, args: number, keywords: number) =>
      table.get(index)(self, args, keywords),
    _PyEM_GetCountArgsPtr: () => metadata.argumentCounter,
    // emscripten's convention: longjmp is a thrown number, caught by the nearest `invoke_*`.
    _emscripten_throw_longjmp: () => {
      throw Number.POSITIVE_INFINITY;
    },
    _Py_CheckEmscriptenSignals_Helper: () => {
      deadline.poll();
      return 0;
    },
    _emscripten_runtime_keepalive_clear: () => undefined,
  };
}

function memoryFunctions(memory: LinearMemory): Record<string, Live> {
  return {
    emscripten_resize_heap: (bytes: number) => (memory.has(bytes >>> 0) ? 1 : 0),
    emscripten_get_heap_max: () => memory.maximumBytes,
    getentropy: (address: number, length: number) => {
      const start = address >>> 0;
      const random = new Uint8Array(length >>> 0);
      for (let from = 0; from < random.length; from += 65_536)
        crypto.getRandomValues(random.subarray(from, from + 65_536));
      memory.write(start, random);
      return 0;
    },
  };
}

function clockFunctions({ deadline }: GuestContext): Record<string, Live> {
  return {
    emscripten_date_now: () => Date.now(),
    emscripten_get_now: () => deadline.check(),
    emscripten_get_now_res: () => 1_000_000,
    _emscripten_get_now_is_monotonic: () => 1,
    _tzset_js: () => undefined,
  };
}

function calendarFunctions(memory: LinearMemory): Record<string, Live> {
  const split = (seconds: bigint, address: number) => {
    writeTime(memory, address >>> 0, new Date(Number(seconds) * 1000));
    return undefined;
  };
  const join = (address: number) => {
    const epoch = toEpoch(readTime(memory, address >>> 0));
    if (Number.isNaN(epoch)) return -1n;
    writeTime(memory, address >>> 0, new Date(epoch));
    return BigInt(Math.floor(epoch / 1000));
  };
  const format = (target: number, limit: number, formatAddress: number, time: number) => {
    const text = formatTime(memory.readText(formatAddress >>> 0), readTime(memory, time >>> 0));
    const bytes = new TextEncoder().encode(`${text}\0`);
    if (bytes.length > limit >>> 0) return 0;
    memory.write(target >>> 0, bytes);
    return bytes.length - 1;
  };
  return {
    _gmtime_js: split,
    _localtime_js: split,
    _mktime_js: join,
    _timegm_js: join,
    strftime: format,
    strftime_l: format,
  };
}

function descriptorFunctions({ descriptors, memory }: GuestContext): Record<string, Live> {
  return {
    fd_write: (descriptor: number, vectors: number, count: number, written: number) =>
      descriptors.write(descriptor, vectors, count, written),
    fd_read: (descriptor: number, vectors: number, count: number, read: number) =>
      descriptors.read(descriptor, vectors, count, read),
    environ_sizes_get: (count: number, bytes: number) => {
      memory.writeInt32(count >>> 0, 0);
      memory.writeInt32(bytes >>> 0, 0);
      return 0;
    },
    environ_get: () => 0,
  };
}

function processFunctions(): Record<string, Live> {
  const crash = (reason: string) => () => {
    throw new Stop("crashed", `the interpreter stopped: ${reason}`);
  };
  return {
    abort: crash("abort"),
    exit: crash("exit"),
    proc_exit: crash("exit"),
    __assert_fail: crash("failed assertion"),
  };
}
