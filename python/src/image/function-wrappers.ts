import { WasmReader, WasmWriter } from "./wasm-bytes.ts";
import { bodiesOf, exportedFunctions, importsOf, KIND, SECTION, sectionsOf } from "./wasm-sections.ts";

/** A function that stands before an exported one: whoever calls that, by its name, its index or a pointer, calls this. */
export interface FunctionWrapper {
  /** Name of the export. */
  readonly name: string;
  /** The body, with its locals, of the same type. `original` is the index of what it stands before. */
  readonly body: (original: number) => readonly number[];
}

/** Puts wrappers before functions of a module; the originals go to its end. */
export function withWrappers(wasm: Uint8Array, wrappers: readonly FunctionWrapper[]): Uint8Array<ArrayBuffer> {
  const contents = new Map([...sectionsOf(wasm)].map(({ id, content }) => [id, content]));
  const of = (id: number) => contents.get(id) ?? new Uint8Array([0]);
  const imported = [...importsOf(of(SECTION.import))].filter(({ kind }) => kind === KIND.function).length;
  const exported = new Map(exportedFunctions(of(SECTION.export)));
  const placed = wrappers.map(({ name, body }): Placed => {
    const index = exported.get(name);
    if (index === undefined || index < imported) throw new Error(`the interpreter has no function ${name} of its own`);
    return { position: index - imported, body };
  });
  const writer = new WasmWriter();
  writer.append(wasm.subarray(0, 8));
  for (const { id, content } of sectionsOf(wasm)) {
    writer.byte(id);
    if (id === SECTION.function) writer.sized(addTypes(content, placed));
    else if (id === SECTION.code) writer.sized(exchangeBodies(content, imported, placed));
    else writer.sized(content);
  }
  return writer.content().slice();
}

/** A front, and which of the module's own functions it stands before. */
interface Placed {
  readonly position: number;
  readonly body: FunctionWrapper["body"];
}

function addTypes(section: Uint8Array, placed: readonly Placed[]): Uint8Array {
  const reader = new WasmReader(section);
  const types = Array.from({ length: reader.unsigned() }, () => reader.unsigned());
  const writer = new WasmWriter();
  writer.unsigned(types.length + placed.length);
  for (const type of [...types, ...placed.map(({ position }) => types[position] ?? 0)]) writer.unsigned(type);
  return writer.content();
}

function exchangeBodies(section: Uint8Array, imported: number, placed: readonly Placed[]): Uint8Array {
  const bodies = bodiesOf(section);
  const wrappers = new Map(
    placed.map(({ position, body }, order) => [position, new Uint8Array(body(imported + bodies.length + order))]),
  );
  const writer = new WasmWriter();
  writer.unsigned(bodies.length + placed.length);
  for (const [position, body] of bodies.entries()) writer.sized(wrappers.get(position) ?? body);
  for (const { position } of placed) writer.sized(bodies[position] ?? new Uint8Array());
  return writer.content();
}
