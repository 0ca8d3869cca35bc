import { WasmReader } from "./wasm-bytes.ts";
import { skipOperands } from "./wasm-operands.ts";
import { bodiesOf, importsOf, KIND, SECTION, sectionsOf } from "./wasm-sections.ts";

const GLOBAL_SET = 0x24;
const TABLE_SET = 0x26;
const MEMORY_GROW = 0x40;
const EXTENDED = 0xfc;

/** Instructions after the prefix `fc` that change a table, or what data and element segments hold; memory.init and data.drop change nothing, because segments are emptied. */
const CHANGES_TABLE: ReadonlySet<number> = new Set([12, 13, 14, 15, 17]);

/** What a module can change beside its linear memory. */
export interface HiddenState {
  /** Globals that some function sets, by index; not those that only the start function sets, to the same values each time. */
  readonly globals: ReadonlySet<number>;
  /** How many of all globals are imported: these come first. */
  readonly importedGlobals: number;
  /** Functions, by index, that change a table or make a memory larger. */
  readonly changers: ReadonlySet<number>;
}

/** Lists it from the instructions of the module, so a changed interpreter has nothing that nobody looked at. */
export function hiddenStateOf(wasm: Uint8Array): HiddenState {
  const globals = new Set<number>();
  const changers = new Set<number>();
  let importedGlobals = 0;
  let importedFunctions = 0;
  let start = -1;
  for (const { id, content } of sectionsOf(wasm)) {
    if (id === SECTION.start) start = new WasmReader(content).unsigned();
    else if (id === SECTION.import) {
      for (const { kind } of importsOf(content)) {
        if (kind === KIND.global) importedGlobals++;
        else if (kind === KIND.function) importedFunctions++;
      }
    } else if (id === SECTION.code) {
      for (const [position, body] of bodiesOf(content).entries()) {
        const index = importedFunctions + position;
        if (index === start) continue;
        const changes = changesOf(body);
        for (const global of changes.globals) globals.add(global);
        if (changes.others) changers.add(index);
      }
    }
  }
  return { globals, importedGlobals, changers };
}

/** The globals that a body sets, and whether it changes a table or the size of a memory. */
function changesOf(body: Uint8Array): { globals: number[]; others: boolean } {
  const reader = new WasmReader(body);
  for (let groups = reader.unsigned(); groups > 0; groups--) {
    reader.skipNumber();
    reader.byte();
  }
  const globals: number[] = [];
  let others = false;
  while (reader.position < body.length) {
    const opcode = reader.byte();
    const operand = new WasmReader(body, reader.position);
    if (opcode === GLOBAL_SET) globals.push(operand.unsigned());
    others ||=
      opcode === TABLE_SET || opcode === MEMORY_GROW || (opcode === EXTENDED && CHANGES_TABLE.has(operand.unsigned()));
    if (opcode >= 0x36 && opcode <= 0x3e) {
      reader.skipNumber();
      reader.skipNumber();
    } else skipOperands(opcode, reader);
  }
  return { globals, others };
}
