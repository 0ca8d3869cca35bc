import { readFileSync } from "node:fs";
import { totalmem } from "node:os";

const UNITS: Readonly<Record<string, number>> = {
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
};

/** Memory of the program itself, and of what DuckDB allocates beside its buffers: threads, parsed statements, rows on their way out. */
const BESIDE_BYTES = 384 * 2 ** 20;
/** Address space that Node and DuckDB's allocator reserve and do not use: seen up to 800 MiB. */
const RESERVED_BYTES = 2 ** 30;

/** Limits of the engine process, in KiB. */
interface ProcessMemory {
  /** What it may use; with more it is ended within a tenth of a second. */
  readonly resident: number;
  /** What the operating system lets it allocate, however fast. */
  readonly data: number;
}

/** The limits for `warehouse.memory` as DuckDB reads it: a size, or a part of the machine in percent. */
export function processMemory(memory: string): ProcessMemory {
  const [, number = "", unit = ""] = /^([\d.]+)\s*([A-Z%]+)$/i.exec(memory) ?? [];
  const one = unit === "%" ? totalmem() / 100 : UNITS[unit.toUpperCase()];
  if (one === undefined) throw new Error(`warehouse.memory: '${memory}' is not a size such as 2GB`);
  const resident = Number(number) * one * 1.25 + BESIDE_BYTES;
  return { resident: Math.ceil(resident / 1024), data: Math.ceil((resident + RESERVED_BYTES) / 1024) };
}

/** What a process uses, in KiB; undefined where the system does not tell (only Linux does). */
export function residentMemory(pid: number): number | undefined {
  try {
    const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kib === undefined ? undefined : Number(kib);
  } catch {
    return undefined;
  }
}
