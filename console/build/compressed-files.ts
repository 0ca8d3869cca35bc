import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = new Set([".css", ".html", ".js", ".svg"]);
/** Bytes of one packet: the server sends smaller files as they are. */
const MIN_SIZE = 1_400;

const compress = promisify(brotliCompress);

/**
 * Writes `<file>.br` beside each text file of the build. The server sends it to browsers that take Brotli, so that neither the
 * first visit after a start waits for it nor does each server do the same work again.
 */
export function compressedFiles(): Plugin {
  let folder = "";
  return {
    name: "compressed-files",
    apply: "build",
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir);
    },
    closeBundle: async () => {
      const names = await readdir(folder, { recursive: true });
      await Promise.all(names.filter((name) => COMPRESSIBLE.has(extname(name))).map((name) => add(join(folder, name))));
    },
  };
}

async function add(file: string): Promise<void> {
  if ((await stat(file)).size < MIN_SIZE) return;
  const bytes = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  await writeFile(`${file}.br`, await compress(bytes, { params }));
}
