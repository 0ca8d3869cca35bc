import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type BootedInterpreter, bootInterpreter, LIBRARY_PATH } from "./boot-interpreter.ts";
import { takeImage } from "./memory-image.ts";
import { GUEST_FOLDER, readTimeZoneRules, STANDARD_LIBRARY } from "./python-source.ts";
import { compileTimeZones } from "./time-zones.ts";

/** Names of the two files of a built image inside its folder. */
export const IMAGE_FILE = "image.bin";
export const METADATA_FILE = "image.json";

const GUEST_PATH = `/guest/${basename(GUEST_FOLDER)}`;
const BUILD_PATH = "/build";

/**
 * Builds the memory image into `folder`, which must not be in use. Takes some seconds of CPU and holds emscripten's
 * start-up code, so it runs in a process of its own (build-image-process.ts). The first interpreter compiles the library,
 * the second loads it and becomes the image: server/guest/frontdesk_guest/image.py says why.
 */
export async function buildImage(folder: string): Promise<void> {
  const { library, packed } = await compileLibrary();
  const booted = await bootInterpreter(library);
  const { FS } = booted.emscripten;
  FS.mkdirTree(BUILD_PATH);
  FS.writeFile(`${BUILD_PATH}/packed.bin`, packed);
  await writeTimeZones(booted);
  booted.execute(`import frontdesk_guest.image; frontdesk_guest.image.prepare("${BUILD_PATH}")`);
  const image = takeImage(booted, "frontdesk_guest.dispatch", "dispatch");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, IMAGE_FILE), image.bytes);
  await writeFile(join(folder, METADATA_FILE), JSON.stringify(image.metadata));
}

async function compileLibrary(): Promise<{ library: Uint8Array; packed: Uint8Array }> {
  const booted = await bootInterpreter(await readFile(STANDARD_LIBRARY));
  const { FS } = booted.emscripten;
  await writeGuest(booted);
  FS.mkdirTree(BUILD_PATH);
  booted.execute(`
import sys, frontdesk_guest.image
frontdesk_guest.image.pack("${LIBRARY_PATH}", "${GUEST_PATH}", "${BUILD_PATH}")
`);
  return { library: FS.readFile(`${BUILD_PATH}/library.zip`), packed: FS.readFile(`${BUILD_PATH}/packed.bin`) };
}

/** The guest's own sources, importable. The second interpreter finds them compiled in the library. */
async function writeGuest({ emscripten: { FS }, execute }: BootedInterpreter): Promise<void> {
  FS.mkdirTree(GUEST_PATH);
  for (const name of await readdir(GUEST_FOLDER)) {
    if (name.endsWith(".py")) FS.writeFile(`${GUEST_PATH}/${name}`, await readFile(join(GUEST_FOLDER, name)));
  }
  execute(`import sys; sys.path.append("/guest")`);
}

/** One numbered file for each distinct zone, and an index from zone names to numbers: links share a file. */
async function writeTimeZones({ emscripten: { FS } }: BootedInterpreter): Promise<void> {
  const numbers = new Map<string, number>();
  const index: Record<string, number> = {};
  for (const [name, data] of compileTimeZones(await readTimeZoneRules())) {
    const content = Buffer.from(data).toString("latin1");
    const known = numbers.get(content);
    if (known === undefined) FS.writeFile(`${BUILD_PATH}/zone-${numbers.size}`, data);
    index[name] = known ?? numbers.size;
    numbers.set(content, index[name]);
  }
  FS.writeFile(`${BUILD_PATH}/zones.json`, JSON.stringify(index));
}
