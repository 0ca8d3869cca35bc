import { mkdir } from "node:fs/promises";
import { ImageCache } from "./image-cache.ts";

/** What an image for a package is made of. */
export interface ShippedImage {
  /** Where its folder is written, for `SandboxOptions.shippedFolder`. */
  readonly folder: string;
  /** The embedder's program; `SandboxOptions.programFolder` of the sandboxes that are to find the image. */
  readonly programFolder?: string;
  /** The same sources and seed give the same bytes on every machine. The seed becomes that of Python's hashes, and is no secret. */
  readonly seed: string;
}

/** Builds an image for a package, so that its first sandbox need not. Returns its folder. */
export async function writeImage({ folder, programFolder, seed }: ShippedImage): Promise<string> {
  // A new folder would be kept out of the repository that it is in, and what git ignores is not packed.
  await mkdir(folder, { recursive: true });
  const sources = { cacheFolder: folder, programFolder, seed };
  const silent = { info() {}, warn() {}, error() {} };
  return new ImageCache(sources, silent, new AbortController().signal).ensure();
}
