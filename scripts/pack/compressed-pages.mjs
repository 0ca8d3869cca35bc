// The pages of a package lie there compressed, as most browsers get them: a fifth of their size. The server decompresses them for other clients.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const COMPRESSIBLE = new Set([".css", ".html", ".js", ".json", ".svg", ".txt"]);

/** Bytes of one packet: the server sends smaller files as they are. */
const MIN_SIZE = 1_400;

/** The best would take minutes, and saves a twentieth. */
const QUALITY = 9;

const compress = promisify(brotliCompress);

/** Replaces text files below a folder by `<file>.br`, unless a build has written that already, which may be smaller. */
export async function compressPages(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !COMPRESSIBLE.has(extname(file)) || statSync(file).size < MIN_SIZE) continue;
    if (!existsSync(`${file}.br`)) writeFileSync(`${file}.br`, await compressed(readFileSync(file)));
    rmSync(file);
  }
}

function compressed(bytes) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return compress(bytes, { params });
}
