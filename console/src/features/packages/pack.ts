import type { PackedFile } from "./dropped-files.ts";

/** Bytes taken at most, before packing; the server has limits of its own. */
const LIMIT = 200 * 1024 * 1024;

/** The package as one zip: a zip that was given as it is, a folder packed. */
export async function pack(files: readonly PackedFile[]): Promise<Uint8Array> {
  const kept = files.filter(({ path }) => !/(^|\/)(\.DS_Store|\.git\/|__MACOSX\/|__pycache__\/)/.test(path));
  const [first] = kept;
  if (!first) throw new Error("There is no file in it.");
  const size = kept.reduce((sum, { file }) => sum + file.size, 0);
  if (size > LIMIT)
    throw new Error(`It is ${Math.round(size / 2 ** 20)} MiB; at most ${LIMIT / 2 ** 20} MiB can be sent.`);
  if (kept.length === 1 && /\.zip$/i.test(first.path)) return new Uint8Array(await first.file.arrayBuffer());
  const { zip } = await import("fflate");
  const contents = await Promise.all(
    kept.map(async ({ path, file }) => [path, new Uint8Array(await file.arrayBuffer())] as const),
  );
  return new Promise((resolve, reject) =>
    zip(Object.fromEntries(contents), { level: 6, consume: true }, (error, bytes) =>
      error ? reject(error) : resolve(bytes),
    ),
  );
}
