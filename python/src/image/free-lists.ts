import type { BootedInterpreter } from "./boot-interpreter.ts";
import type { FunctionWrapper } from "./function-wrappers.ts";
import { OP } from "./opcodes.ts";
import { call, constant, functionBody, getLocal, IF, load, store, teeLocal } from "./wasm-code.ts";

/** Pieces of less than eight times so many bytes are kept in lists, one for each size: eight bytes apart. */
const LISTS = 64;

/** The largest word before a piece that is kept: dlmalloc writes there its size, and flags in the three low bits. */
const LARGEST = 8 * LISTS - 1;

/** Where the lists begin: a word each, in the part of the memory that C leaves free to catch null pointers. Zero at first. */
const HEADS = 512;

/** A piece is so much larger than what is asked for, and then made a multiple of eight. */
const OVERHEAD = 4;

/** Less than this needs the smallest piece, which is larger than that rule has it: the C library is asked. */
const SMALLEST = 5;

/** Bytes that a list may hold. What is freed beyond them goes back to the C library, which joins it with its neighbours. */
const LIST_BYTES = 65_536;

/** Where CPython 3.12 keeps the functions that serve objects, counted from its runtime's state. */
const OBJECT_FUNCTIONS = { malloc: 108, free: 120 };
const OBJECT_DOMAIN = 2;
const ALLOCATOR_WORDS = 5;

/**
 * Free lists before the C library's `malloc` and `free`, which CPython is built here to call for every object: what is freed
 * is kept by its size, linked through its own bytes, and handed out again last in, first out. The library takes it for used.
 * A kept piece begins with the address of the next one and the bytes of the list up to itself.
 *
 * They stand before CPython's own functions for objects too, which ask them unless something (tracemalloc) serves objects
 * itself.
 */
export function freeLists(booted: BootedInterpreter): FunctionWrapper[] {
  const { malloc, free } = objectFunctions(booted);
  const heads = booted.emscripten.HEAPU8.subarray(HEADS, HEADS + 4 * LISTS);
  if (heads.some((byte) => byte !== 0)) throw new Error("the interpreter uses the memory where the free lists begin");
  return [
    { name: "malloc", body: (original) => functionBody(2, [...allocate, ...getLocal(0), ...call(original)]) },
    { name: "free", body: (original) => functionBody(3, [...release, ...getLocal(0), ...call(original)]) },
    {
      name: "PyObject_Malloc",
      body: (original) => functionBody(2, [...malloc, ...IF, ...allocate, OP.end, ...getLocal(0), ...call(original)]),
    },
    {
      name: "PyObject_Free",
      body: (original) => functionBody(3, [...free, ...IF, ...release, OP.end, ...getLocal(0), ...call(original)]),
    },
  ];
}

/** Whether the C library serves objects: leaves a number on the stack. */
function objectFunctions({ emscripten }: BootedInterpreter): Record<keyof typeof OBJECT_FUNCTIONS, number[]> {
  const allocator = emscripten.stringToNewUTF8(" ".repeat(4 * ALLOCATOR_WORDS)); // as room for it
  emscripten._PyMem_GetAllocator(OBJECT_DOMAIN, allocator);
  const words = new Uint32Array(emscripten.HEAPU8.buffer);
  const [, malloc, , , free] = words.subarray(allocator / 4, allocator / 4 + ALLOCATOR_WORDS);
  emscripten._free(allocator);
  const isServedBy = (offset: number, expected = 0) => {
    const address = emscripten.__PyRuntime + offset;
    if (words[address / 4] !== expected) throw new Error("the interpreter keeps its allocator somewhere else");
    return [...constant(0), ...load(address), ...constant(expected), OP.equal];
  };
  return { malloc: isServedBy(OBJECT_FUNCTIONS.malloc, malloc), free: isServedBy(OBJECT_FUNCTIONS.free, free) };
}

/** The list of a size, as its distance from the first: four bytes for each eight of the size, which lies on the stack. */
const TO_LIST = [...constant(1), OP.shiftRight, ...constant(4 * (LISTS - 1)), OP.and];

/** Returns a piece for as many bytes as the parameter says, if a list has one. Locals: its list, the piece. */
const allocate: readonly number[] = [
  ...[...getLocal(0), ...constant(SMALLEST), OP.sub],
  ...[...constant(LARGEST - 7 - OVERHEAD - SMALLEST), OP.atMost, ...IF],
  ...[
    ...getLocal(0),
    ...constant(OVERHEAD + 7),
    OP.add,
    ...TO_LIST,
    ...teeLocal(1),
    ...load(HEADS),
    ...teeLocal(2),
    ...IF,
  ],
  ...[...getLocal(1), ...getLocal(2), ...load(), ...store(HEADS)],
  ...[...getLocal(2), OP.return, OP.end],
  OP.end,
];

/**
 * Keeps the piece that the parameter points to and returns, if its list has room. Locals: its size, its list, the list's
 * first piece. Of a list without pieces the bytes are read at address zero, and are zero.
 */
const release: readonly number[] = [
  ...[...getLocal(0), ...IF],
  ...[...getLocal(0), ...constant(OVERHEAD), OP.sub, ...load(), ...teeLocal(1), ...constant(LARGEST), OP.atMost, ...IF],
  ...[...getLocal(1), ...TO_LIST, ...teeLocal(2), ...load(HEADS), ...teeLocal(3), ...load(4)],
  ...[...getLocal(1), ...constant(-8), OP.and, OP.add, ...teeLocal(1), ...constant(LIST_BYTES), OP.atMost, ...IF],
  ...[...getLocal(0), ...getLocal(3), ...store()],
  ...[...getLocal(0), ...getLocal(1), ...store(4)],
  ...[...getLocal(2), ...getLocal(0), ...store(HEADS)],
  ...[OP.return, OP.end, OP.end, OP.end],
];
