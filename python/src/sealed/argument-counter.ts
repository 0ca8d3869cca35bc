/** The most parameters that CPython asks about. */
const MOST = 3;

const I32 = 0x7f;
const FUNCREF = 0x70;
const FUNCTION_TYPE = 0x60;

/**
 * Makes the function that tells how many i32 parameters the table's entry at an index has (0 to 3, else -1). CPython
 * calls C functions through it, because WebAssembly, unlike other machines, refuses a call with a wrong number of
 * arguments. The emscripten start-up makes such a function at run time, so no interpreter file exports it.
 */
export function createArgumentCounter(table: WebAssembly.Table): WebAssembly.ImportValue {
  const module = new WebAssembly.Module(counterModule());
  const counter = new WebAssembly.Instance(module, { e: { t: table } }).exports.f;
  if (!counter) throw new Error("the argument counter has no function");
  return counter;
}

/** The module in WebAssembly's binary form: one imported table, one exported function. */
function counterModule(): Uint8Array<ArrayBuffer> {
  const types = Array.from({ length: MOST + 1 }, (_, count) => [
    FUNCTION_TYPE,
    ...vector(new Array<number[]>(count).fill([I32])),
    ...vector([[I32]]),
  ]);
  const imported = [...name("e"), ...name("t"), 1, FUNCREF, 0, 0];
  const body = [...vector([[1, FUNCREF]]), ...instructions()];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector(types)),
    ...section(2, vector([imported])),
    ...section(3, vector([[1]])), // the counter itself takes one i32 and gives one
    ...section(7, vector([[...name("f"), 0, 0]])),
    ...section(10, vector([[body.length, ...body]])),
  ]);
}

/** Tries one type after the other, most parameters first. */
function instructions(): number[] {
  const tests = Array.from({ length: MOST + 1 }, (_, index) => MOST - index).flatMap((count) => [
    ...[0x20, 1], // local.get: the table entry
    ...[0xfb, 0x14, count], // ref.test: is it a function of `count` parameters
    ...[0x04, 0x40, 0x41, count, 0x0f, 0x0b], // if so, return `count`
  ]);
  const loadEntry = [0x20, 0, 0x25, 0, 0x21, 1]; // local.get, table.get, local.set
  return [...loadEntry, ...tests, 0x41, 0x7f, 0x0b]; // else -1
}

const vector = (items: readonly (readonly number[])[]): number[] => [items.length, ...items.flat()];
const section = (id: number, content: readonly number[]): number[] => [id, content.length, ...content];
const name = (text: string): number[] => [text.length, ...new TextEncoder().encode(text)];
