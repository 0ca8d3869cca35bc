import type { TurnFile } from "../turn-input.ts";

/** Bytes of one turn's files; a request of the server may be a little longer than that. */
export const MAX_BYTES = 12_000_000;

/** Files that a person picked, pasted or dropped, with their contents; those that do not fit any more are named apart. */
export async function readFiles(
  files: readonly File[],
  already: readonly TurnFile[],
): Promise<{ readonly read: readonly TurnFile[]; readonly tooLarge: readonly string[] }> {
  let left = MAX_BYTES - already.reduce((sum, { data }) => sum + data.byteLength, 0);
  const fits = files.filter(({ size }) => {
    if (size > left) return false;
    left -= size;
    return true;
  });
  const read = await Promise.all(
    fits.map(async (file) => ({
      name: file.name || "pasted",
      mimeType: file.type || "application/octet-stream",
      data: new Uint8Array(await file.arrayBuffer()),
    })),
  );
  return { read, tooLarge: files.filter((file) => !fits.includes(file)).map(({ name }) => name) };
}
