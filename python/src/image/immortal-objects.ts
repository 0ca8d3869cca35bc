import type { BootedInterpreter } from "./boot-interpreter.ts";

/** The reference count that CPython neither raises nor lowers, on a machine of 32 bits (its `_Py_IMMORTAL_REFCNT`). */
const IMMORTAL = 0x3fff_ffff;

/**
 * Makes every object of a prepared interpreter immortal and fills the gaps between them: guest/sealed_guest/immortal.py
 * says why. `folder` is one of the virtual file system. An address is written to while its object is surely alive.
 */
export function makeImmortal({ emscripten, execute }: BootedInterpreter, folder: string): void {
  const addresses = `${folder}/addresses`;
  for (const step of ["list_objects", "fill_gaps"]) {
    execute(`import sys; sys.modules["sealed_guest.immortal"].${step}("${addresses}")`);
    const list = emscripten.FS.readFile(addresses);
    const memory = new Uint32Array(emscripten.HEAPU8.buffer); // it may have grown
    for (const address of new Uint32Array(list.buffer, list.byteOffset, list.length / 4))
      memory[address / 4] = IMMORTAL;
  }
  execute(`sys.modules["sealed_guest.immortal"].finish(); del sys`);
}
