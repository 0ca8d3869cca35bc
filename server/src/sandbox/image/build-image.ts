import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ImageMetadata } from "../sealed/image-metadata.ts";
import { encodeShelf } from "../sealed/shelf.ts";
import { type BootedInterpreter, bootInterpreter, LIBRARY_PATH } from "./boot-interpreter.ts";
import { takeImage } from "./memory-image.ts";
import { GUEST_FOLDER, PYTHON_WASM, readTimeZoneRules, STANDARD_LIBRARY } from "./python-source.ts";
import { compileTimeZones } from "./time-zones.ts";
import { trackWrites } from "./track-writes.ts";
import { readWheels, type Wheel } from "./wheels.ts";

/** Names of the four files of a built image inside its folder. */
export const IMAGE_FILE = "image.bin";
export const SHELF_FILE = "shelf.bin";
export const METADATA_FILE = "image.json";
export const WASM_FILE = "interpreter.wasm";

const GUEST_PATH = `/guest/${basename(GUEST_FOLDER)}`;
const BUILD_PATH = "/build";
const WHEELS_PATH = "/wheels";

/**
 * Builds the memory image into `folder`, which must not be in use. Takes some seconds of CPU and holds emscripten's
 * start-up code, so it runs in a process of its own (build-image-process.ts). The first interpreter compiles the library,
 * the second loads it and becomes the image: server/guest/frontdesk_guest/image.py says why. The modules of the operator's
 * wheels lie on the shelf, so that an app that does not import them does not pay for them.
 */
export async function buildImage(folder: string, wheelsFolder?: string): Promise<void> {
  const { library, packed, modules } = await compileLibrary(await readWheels(wheelsFolder));
  const booted = await bootInterpreter(library);
  const { FS } = booted.emscripten;
  FS.mkdirTree(BUILD_PATH);
  FS.writeFile(`${BUILD_PATH}/packed.bin`, packed);
  booted.execute(`import frontdesk_guest.image; frontdesk_guest.image.prepare("${BUILD_PATH}")`);
  const shelf = encodeShelf(new Map([...modules, ...(await timeZones())]));
  const image = takeImage(booted, "frontdesk_guest.dispatch", "dispatch");
  const wasm = trackWrites(await readFile(PYTHON_WASM));
  const metadata: ImageMetadata = { ...image.metadata, shelfSha256: sha256(shelf), wasmSha256: sha256(wasm) };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, WASM_FILE), wasm);
  await writeFile(join(folder, SHELF_FILE), shelf);
  await writeFile(join(folder, IMAGE_FILE), image.bytes);
  await writeFile(join(folder, METADATA_FILE), JSON.stringify(metadata));
}

function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

async function compileLibrary(wheels: readonly Wheel[]) {
  const booted = await bootInterpreter(await readFile(STANDARD_LIBRARY));
  const { FS } = booted.emscripten;
  await writeGuest(booted);
  FS.mkdirTree(BUILD_PATH);
  FS.mkdirTree(WHEELS_PATH);
  for (const { file, bytes } of wheels) FS.writeFile(`${WHEELS_PATH}/${file}`, bytes);
  booted.execute(`
import sys, frontdesk_guest.image
frontdesk_guest.image.pack("${LIBRARY_PATH}", "${GUEST_PATH}", "${WHEELS_PATH}", "${BUILD_PATH}")
`);
  const read = (name: string) => FS.readFile(`${BUILD_PATH}/${name}`);
  const names = FS.readdir(BUILD_PATH).filter((name) => name.startsWith("module "));
  const modules = names.map((name): [string, Uint8Array] => [name, read(name)]);
  return { library: read("library.zip"), packed: read("packed.bin"), modules };
}

/** The guest's own sources, importable. The second interpreter finds them compiled in the library. */
async function writeGuest({ emscripten: { FS }, execute }: BootedInterpreter): Promise<void> {
  FS.mkdirTree(GUEST_PATH);
  for (const name of await readdir(GUEST_FOLDER)) {
    if (name.endsWith(".py")) FS.writeFile(`${GUEST_PATH}/${name}`, await readFile(join(GUEST_FOLDER, name)));
  }
  execute(`import sys; sys.path.append("/guest")`);
}

/** The time zones as the guest's zoneinfo asks for them, and their names. */
async function timeZones(): Promise<[name: string, data: Uint8Array][]> {
  const zones = compileTimeZones(await readTimeZoneRules());
  const files = [...zones].map(([name, data]): [string, Uint8Array] => [`zone ${name}`, data]);
  return [...files, ["zones", new TextEncoder().encode([...zones.keys()].sort().join(" "))]];
}
