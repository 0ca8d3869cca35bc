import type { TurnFile } from "../turn-input.ts";

/** Bytes of one turn's files; a request of the server may be a little longer than that. */
const MAX_BYTES = 12_000_000;

/** Files that a person picked, pasted or dropped, with their contents; sentences name those that are empty or do not fit any more. */
export async function readFiles(
  files: readonly File[],
  already: readonly TurnFile[],
): Promise<{ readonly read: readonly TurnFile[]; readonly problems: readonly string[] }> {
  let left = MAX_BYTES - already.reduce((sum, { data }) => sum + data.byteLength, 0);
  const fits = files.filter(({ size }) => {
    if (size === 0 || size > left) return false;
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
  return { read, problems: problemsOf(files.filter((file) => !fits.includes(file))) };
}

function problemsOf(refused: readonly File[]): readonly string[] {
  const namesOf = (isEmpty: boolean) => refused.filter(({ size }) => (size === 0) === isEmpty).map(({ name }) => name);
  const [empty, tooLarge] = [namesOf(true), namesOf(false)];
  return [
    ...(empty.length > 0 ? [`Empty: ${empty.join(", ")}. A file without content cannot be sent.`] : []),
    ...(tooLarge.length > 0
      ? [`Too large: ${tooLarge.join(", ")}. Attachments are limited to ${MAX_BYTES / 1_000_000} MB per message.`]
      : []),
  ];
}
