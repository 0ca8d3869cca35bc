import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { readContent } from "../file-chunks.ts";
import type { ImageMetadata } from "../sealed/image-metadata.ts";
import { encodeArchive } from "../sealed/resource-archive.ts";
import { type BootedInterpreter, bootInterpreter, LIBRARY_PATH } from "./boot-interpreter.ts";
import { freeLists } from "./free-lists.ts";
import { withWrappers } from "./function-wrappers.ts";
import {
  IMAGE_FILE,
  type ImageSources,
  METADATA_FILE,
  RESOURCES_FILE,
  SIDE_MODULES_FILE,
  WASM_FILE,
} from "./image-cache.ts";
import { makeImmortal } from "./immortal-objects.ts";
import { takeImage } from "./memory-image.ts";
import { GUEST_FOLDER, PYTHON_WASM, readTimeZoneRules, STANDARD_LIBRARY } from "./python-source.ts";
import { limitRecursion } from "./recursion-limit.ts";
import { loadSideModules, NATIVE_PATH, type NativeFile, type SideModules } from "./side-modules.ts";
import { compileTimeZones } from "./time-zones.ts";
import { trackWrites } from "./track-writes.ts";
import { readWheels, type Wheel, WheelFault } from "./wheels.ts";

/** Below it each guest package has a folder. */
const GUEST_PATH = "/guest";
const BUILD_PATH = "/build";
const WHEELS_PATH = "/wheels";

/** The list of native modules, and what native_modules.py could not load of them. */
const NATIVE_INDEX = "natives.json";
const FAULTS = "faults.txt";

/**
 * Builds the memory image into `folder`, which must not be in use. Takes some seconds of CPU and holds emscripten's
 * start-up code, so it runs in a process of its own (build-image-process.ts). The first interpreter compiles the library,
 * the second loads it and becomes the image: guest/sealed_guest/image.py says why. The modules of the operator's
 * wheels lie among the resources, so that an app that does not import them does not pay for them; native ones, and what is made
 * for them, are loaded into the image, because the guest has no linker.
 */
export async function buildImage(
  folder: string,
  { programFolder, wheelsFolder }: Pick<ImageSources, "programFolder" | "wheelsFolder">,
): Promise<void> {
  const guestFolders = [GUEST_FOLDER, ...(programFolder ? [programFolder] : [])];
  const { library, packed, filed, ...rest } = await compileLibrary(guestFolders, await readWheels(wheelsFolder));
  const booted = await bootInterpreter(library);
  const { FS } = booted.emscripten;
  FS.mkdirTree(BUILD_PATH);
  FS.writeFile(`${BUILD_PATH}/packed.bin`, packed);
  const sideModules = loadNatives(booted, { filed, ...rest });
  const program = programFolder ? `, "${basename(programFolder)}"` : "";
  booted.execute(`import sealed_guest.image; sealed_guest.image.prepare("${BUILD_PATH}"${program})`);
  refuseFaults(booted, wheelsFolder);
  makeImmortal(booted, BUILD_PATH);
  limitRecursion(booted);
  const linked = sideModules.link();
  const code = encodeArchive(new Map(linked.code.map((bytes, index) => [String(index), bytes])));
  const resources = encodeArchive(new Map([...filed, ...(await timeZones())]));
  const image = takeImage(booted, "sealed_guest.dispatch", "dispatch");
  const wasm = trackWrites(withWrappers(await readContent(PYTHON_WASM), freeLists(booted)));
  const metadata: ImageMetadata = {
    ...image.metadata,
    ...{ resourcesSha256: sha256(resources), wasmSha256: sha256(wasm) },
    ...{ sideModules: linked.metadata, sideModulesSha256: sha256(code) },
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, WASM_FILE), wasm);
  await writeFile(join(folder, RESOURCES_FILE), resources);
  await writeFile(join(folder, SIDE_MODULES_FILE), code);
  await writeFile(join(folder, IMAGE_FILE), image.bytes);
  await writeFile(join(folder, METADATA_FILE), JSON.stringify(metadata));
}

function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

async function compileLibrary(guestFolders: readonly string[], wheels: readonly Wheel[]) {
  const booted = await bootInterpreter(await readContent(STANDARD_LIBRARY));
  const { FS } = booted.emscripten;
  for (const guestFolder of guestFolders) await writeGuest(booted, guestFolder);
  booted.execute(`import sys; sys.path.append("${GUEST_PATH}")`);
  FS.mkdirTree(BUILD_PATH);
  FS.mkdirTree(WHEELS_PATH);
  for (const { file, bytes } of wheels) FS.writeFile(`${WHEELS_PATH}/${file}`, bytes);
  const guestPaths = guestFolders.map((path) => `${GUEST_PATH}/${basename(path)}`);
  booted.execute(`
import sealed_guest.image
sealed_guest.image.pack("${LIBRARY_PATH}", ${JSON.stringify(guestPaths)}, "${WHEELS_PATH}", "${BUILD_PATH}")
`);
  const read = (name: string) => FS.readFile(`${BUILD_PATH}/${name}`);
  const names = FS.readdir(BUILD_PATH).filter((name) => /^(module|file) /.test(name));
  const filed = names.map((name): [string, Uint8Array] => [name, read(name)]);
  const { files, packages } = JSON.parse(new TextDecoder().decode(read(NATIVE_INDEX)));
  const natives = files.map((name: string, index: number) => ({
    path: `${NATIVE_PATH}/${name}`,
    bytes: read(`native ${index}`),
  }));
  return { library: read("library.zip"), packed: read("packed.bin"), filed, natives, packages };
}

/** Native code of the wheels, and the packages that are loaded with it. */
interface Natives {
  readonly natives: readonly NativeFile[];
  readonly packages: readonly string[];
  /** The packed modules, which importing may load, and the files beside them. */
  readonly filed: readonly [name: string, data: Uint8Array][];
}

/** Loads the native modules, and puts what native_modules.py needs to import them where it looks for that. */
function loadNatives(booted: BootedInterpreter, { natives, packages, filed }: Natives): SideModules {
  const sideModules = loadSideModules(booted, natives);
  if (sideModules.names.size > 0) {
    const { FS } = booted.emscripten;
    for (const [name, data] of filed) FS.writeFile(`${BUILD_PATH}/${name}`, data);
    const index = { modules: Object.fromEntries(sideModules.names), packages };
    FS.writeFile(`${BUILD_PATH}/${NATIVE_INDEX}`, JSON.stringify(index));
  }
  return sideModules;
}

/** What native_modules.py could not load of the wheels. */
function refuseFaults({ emscripten: { FS } }: BootedInterpreter, wheelsFolder: string | undefined): void {
  if (!FS.readdir(BUILD_PATH).includes(FAULTS)) return;
  const faults = new TextDecoder().decode(FS.readFile(`${BUILD_PATH}/${FAULTS}`));
  if (faults) throw new WheelFault(`the Python wheels in ${wheelsFolder} cannot be used: ${faults}`);
}

/** The sources of a guest package, importable. The second interpreter finds them compiled in the library. */
async function writeGuest({ emscripten: { FS } }: BootedInterpreter, folder: string): Promise<void> {
  const target = `${GUEST_PATH}/${basename(folder)}`;
  FS.mkdirTree(target);
  for (const name of await readdir(folder)) {
    if (name.endsWith(".py")) FS.writeFile(`${target}/${name}`, await readFile(join(folder, name)));
  }
}

/** The time zones as the guest's zoneinfo asks for them, and their names. */
async function timeZones(): Promise<[name: string, data: Uint8Array][]> {
  const zones = compileTimeZones(await readTimeZoneRules());
  const files = [...zones].map(([name, data]): [string, Uint8Array] => [`zone ${name}`, data]);
  return [...files, ["zones", new TextEncoder().encode([...zones.keys()].sort().join(" "))]];
}
