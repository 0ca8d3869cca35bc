import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import type { Logger } from "../contract.ts";
import { fileChunks } from "../file-chunks.ts";
import type { ImageMetadata } from "../sealed/image-metadata.ts";
import {
  GUEST_FOLDER,
  PYTHON_GLUE,
  PYTHON_WASM,
  PYTHON_WASM_SHA256,
  STANDARD_LIBRARY,
  TIME_ZONE_RULES,
} from "./python-source.ts";
import { readWheels } from "./wheels.ts";

/** Names of the five files of a built image inside its folder. */
export const IMAGE_FILE = "image.bin";
export const RESOURCES_FILE = "resources.bin";
export const METADATA_FILE = "image.json";
export const WASM_FILE = "interpreter.wasm";
export const SIDE_MODULES_FILE = "side-modules.bin";

/** Building takes three to six seconds; a slow machine is given this many milliseconds. */
const BUILD_TIMEOUT_MS = 180_000;

/** An image that no present version uses is removed when it is this old, milliseconds (a week). */
const KEEP_MS = 7 * 86_400_000;

/** After a build that failed, whoever wants the image gets the same error for so many milliseconds: on a full disk each call would otherwise build for seconds, and wait for those before it. */
const RETRY_AFTER_MS = 15_000;

/** For each folder of an image, the last of this process to look for it: those that look at the same time share one build. */
const turns = new Map<string, Promise<string>>();

/** Where an image is kept, and what it is made of beside this package. */
export interface ImageSources {
  readonly cacheFolder: string;
  /** Images that came with the embedder's package: used when one was made of the present sources. */
  readonly shippedFolder?: string | undefined;
  /** The operator's wheels. */
  readonly wheelsFolder?: string | undefined;
  /** The embedder's guest program. */
  readonly programFolder?: string | undefined;
  /** What the image's randomness and clock are made of, so that the same sources give the same bytes. Default: the machine's own. */
  readonly seed?: string | undefined;
}

/**
 * The memory image out of the cache folder, built first when there is none for the present interpreter, library, guest
 * sources and builder, in the cache or among the shipped ones. Building happens in a process of its own; the image appears
 * under its name only when it is whole, so servers that share a cache folder may race. An image that is built has a hash seed
 * of its own; a shipped one has the same everywhere.
 */
export class ImageCache {
  readonly #sources: ImageSources;
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  readonly #now: () => number;
  #failed: { readonly error: unknown; readonly until: number } | undefined;

  /** `now`: milliseconds of a clock that only runs. */
  constructor(sources: ImageSources, logger: Logger, signal: AbortSignal, now = () => performance.now()) {
    this.#now = now;
    this.#sources = sources;
    this.#logger = logger;
    this.#signal = signal;
  }

  /** Makes sure that there is a whole image. Returns its folder. */
  async ensure(): Promise<string> {
    const name = `python-${(await sourcesHash(this.#sources)).slice(0, 16)}`;
    const folder = join(this.#sources.cacheFolder, name);
    const previous = turns.get(folder) ?? Promise.resolve(folder);
    const turn = previous.catch(() => {}).then(() => this.#ensureIn(folder, name));
    turns.set(folder, turn);
    return turn.finally(() => turns.get(folder) === turn && turns.delete(folder));
  }

  async #ensureIn(folder: string, name: string): Promise<string> {
    const { cacheFolder, shippedFolder } = this.#sources;
    if (await isWhole(folder)) return folder;
    if (shippedFolder && (await isWhole(join(shippedFolder, name)))) return join(shippedFolder, name);
    if (this.#failed && this.#now() < this.#failed.until) throw this.#failed.error;
    try {
      await this.#make(folder, cacheFolder);
      this.#failed = undefined;
      return folder;
    } catch (error) {
      this.#failed = { error, until: this.#now() + RETRY_AFTER_MS };
      throw error;
    }
  }

  async #make(folder: string, cacheFolder: string): Promise<void> {
    const started = performance.now();
    this.#logger.info({ folder }, "building the Python image");
    await rm(folder, { recursive: true, force: true });
    const unfinished = `${folder}.${process.pid}`;
    // A new folder in somebody's repository is not to be committed.
    if (await mkdir(cacheFolder, { recursive: true })) await writeFile(join(cacheFolder, ".gitignore"), "*\n");
    await this.#build(unfinished);
    await rename(unfinished, folder).catch(async (error: unknown) => {
      await rm(unfinished, { recursive: true, force: true });
      if (!(await isWhole(folder))) throw error; // else another server was faster
    });
    await this.#removeOld(folder);
    this.#logger.info({ ms: Math.round(performance.now() - started) }, "built the Python image");
  }

  /** Images of versions that have not been built anew for a while: a rolling update may still use the last one. */
  async #removeOld(current: string): Promise<void> {
    const { cacheFolder } = this.#sources;
    for (const name of await readdir(cacheFolder)) {
      const folder = join(cacheFolder, name);
      if (!name.startsWith("python-") || folder === current) continue;
      const { mtimeMs } = await stat(folder);
      if (Date.now() - mtimeMs > KEEP_MS) await rm(folder, { recursive: true, force: true });
    }
  }

  async #build(folder: string): Promise<void> {
    const { programFolder = "", wheelsFolder = "", seed = "" } = this.#sources;
    const entry = join(import.meta.dirname, `build-image-process${extname(import.meta.filename)}`);
    const args = ["--no-warnings", entry, folder, programFolder, wheelsFolder, seed];
    const options = { env: {}, timeout: BUILD_TIMEOUT_MS, signal: this.#signal };
    await promisify(execFile)(process.execPath, args, options).catch(async (error: Error & { stderr?: string }) => {
      await rm(folder, { recursive: true, force: true });
      throw new Error(`the Python image could not be built: ${error.stderr?.trim() || error.message}`);
    });
  }
}

/** The files that a guest is started with, in the order in which it reads them. */
export function assetsIn(folder: string): string[] {
  return [METADATA_FILE, IMAGE_FILE, RESOURCES_FILE, WASM_FILE, SIDE_MODULES_FILE].map((name) => join(folder, name));
}

/** Whether the folder holds an image, a resource archive and an interpreter that match their hashes. */
async function isWhole(folder: string): Promise<boolean> {
  try {
    const metadata = JSON.parse(await readFile(join(folder, METADATA_FILE), "utf8")) as ImageMetadata;
    const expected = {
      [IMAGE_FILE]: "sha256",
      [RESOURCES_FILE]: "resourcesSha256",
      [WASM_FILE]: "wasmSha256",
      [SIDE_MODULES_FILE]: "sideModulesSha256",
    } as const;
    const matches = Object.entries(expected).map(
      async ([name, key]) => (await hashOf(join(folder, name))) === metadata[key],
    );
    return (await Promise.all(matches)).every(Boolean);
  } catch {
    return false; // absent or damaged: both mean that it must be built
  }
}

/** The hash over everything that the image is made of. Refuses an interpreter that the loader was not written for. */
async function sourcesHash({ programFolder, wheelsFolder }: ImageSources): Promise<string> {
  const files = [
    ...[PYTHON_WASM, PYTHON_GLUE, STANDARD_LIBRARY, TIME_ZONE_RULES],
    ...(await filesIn(GUEST_FOLDER, ".py")),
    ...(programFolder ? await filesIn(programFolder, ".py") : []),
    ...(await filesIn(import.meta.dirname, extname(import.meta.filename))),
    ...(await filesIn(join(import.meta.dirname, "../sealed"), extname(import.meta.filename))),
  ];
  // In parallel: the event loop of a server that starts is slow, and each read after another would wait for it anew.
  const hashes = await Promise.all(files.map(hashOf));
  if (hashes[0] !== PYTHON_WASM_SHA256) throw new Error(`${PYTHON_WASM} is not the interpreter that the sandbox knows`);
  const wheels = (await readWheels(wheelsFolder)).map(({ sha256 }) => sha256);
  return createHash("sha256")
    .update([...hashes, ...wheels].join("\n"))
    .digest("hex");
}

async function filesIn(folder: string, extension: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith(extension) && !name.includes(".test."))
    .sort()
    .map((name) => join(folder, name));
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of fileChunks(file)) hash.update(chunk);
  return hash.digest("hex");
}
