import { WasmReader } from "./wasm-bytes.ts";
import { skipOperands } from "./wasm-operands.ts";

/** How many operands a function takes and how many results it gives. */
export interface FunctionType {
  readonly parameters: number;
  readonly results: number;
}

/** What the analysis of a body has to know about its module. */
export interface ModuleTypes {
  readonly types: readonly FunctionType[];
  /** Type of each function, imported ones first. */
  readonly functions: readonly number[];
  /** Globals that some function of the module writes. */
  readonly writtenGlobals: ReadonlySet<number>;
}

const LOOP = 0x03;
const OPENING: ReadonlySet<number> = new Set([0x02, LOOP, 0x04]);
const END = 0x0b;
const LOCAL_WRITES: ReadonlySet<number> = new Set([0x21, 0x22]);
const GLOBAL_SET = 0x24;

/** Which globals a body writes; `position` is where its code begins. */
export function globalsWrittenBy(body: Uint8Array, position: number, written: Set<number>): void {
  const reader = new WasmReader(body, position);
  while (reader.position < body.length) {
    const opcode = reader.byte();
    if (opcode === GLOBAL_SET) written.add(reader.unsigned());
    else skipInstruction(opcode, reader);
  }
}

/** The locals that each loop of a body writes, by the place of the loop's opcode. */
export function localsWrittenInLoops(body: Uint8Array, position: number): ReadonlyMap<number, ReadonlySet<number>> {
  const reader = new WasmReader(body, position);
  const loops = new Map<number, Set<number>>();
  const open: (Set<number> | undefined)[] = [];
  while (reader.position < body.length) {
    const start = reader.position;
    const opcode = reader.byte();
    if (OPENING.has(opcode)) {
      const written = opcode === LOOP ? new Set<number>() : undefined;
      if (written) loops.set(start, written);
      open.push(written);
    } else if (opcode === END) open.pop();
    if (LOCAL_WRITES.has(opcode)) {
      const local = reader.unsigned();
      for (const written of open) written?.add(local);
    } else skipInstruction(opcode, reader);
  }
  return loops;
}

function skipInstruction(opcode: number, reader: WasmReader): void {
  if (opcode < 0x36 || opcode > 0x3e) skipOperands(opcode, reader);
  else {
    reader.skipNumber();
    reader.skipNumber();
  }
}
