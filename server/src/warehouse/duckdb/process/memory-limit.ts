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

/**
 * For what is beside DuckDB's buffers: Node reserves some 600 MiB, of which it uses a tenth; the rest is for threads, parsed statements and
 * rows on their way out.
 */
const BESIDE_BYTES = 2 ** 30;

/** The limit of the engine process in KiB, for `warehouse.memory` as DuckDB reads it: a size, or a part of the machine in percent. */
export function processMemoryKiB(memory: string): number {
  const [, number = "", unit = ""] = /^([\d.]+)\s*([A-Z%]+)$/i.exec(memory) ?? [];
  const one = unit === "%" ? totalmem() / 100 : UNITS[unit.toUpperCase()];
  if (one === undefined) throw new Error(`warehouse.memory: '${memory}' is not a size such as 2GB`);
  return Math.ceil((Number(number) * one * 1.25 + BESIDE_BYTES) / 1024);
}
