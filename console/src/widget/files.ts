import type { JsonObject } from "./rich-content.ts";

/** What the person may send along, unless the page says otherwise. */
export const USUAL_FILES = "image/png,image/jpeg,image/webp,application/pdf,text/plain";

/** Together with the words they stay below the body that the server takes, 32 MiB, as base64 too. */
const MOST_BYTES = 20 * 1024 * 1024;
const MOST_FILES = 5;

/** Images are those that agents take as such; every other file is a blob. */
const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp"];

/** Why a file is not taken: the name of a word in `Texts`. */
export type FileProblem = "fileTooLarge" | "fileRejected" | "tooManyFiles";

/** What speaks against one more file; `accept` is written as in the attribute of that name of an `<input>`. */
export function problemOf(file: File, chosen: readonly File[], accept: string): FileProblem | undefined {
  if (!isAccepted(file, accept)) return "fileRejected";
  if (chosen.length >= MOST_FILES) return "tooManyFiles";
  const size = chosen.reduce((sum, { size }) => sum + size, file.size);
  return size > MOST_BYTES ? "fileTooLarge" : undefined;
}

/** Files that are dropped or pasted pass no dialog that would have left them out. */
function isAccepted({ name, type }: File, accept: string): boolean {
  return accept
    .split(",")
    .map((kind) => kind.trim().toLowerCase())
    .some((kind) => {
      if (kind.startsWith(".")) return name.toLowerCase().endsWith(kind);
      return kind.endsWith("/*") ? type.startsWith(kind.slice(0, -1)) : kind === "*" || kind === type;
    });
}

/** A file as an input of the session. */
export async function inputOf(file: File): Promise<JsonObject> {
  const mimeType = file.type || "application/octet-stream";
  const data = await base64Of(file);
  return IMAGE_TYPES.includes(mimeType) ? { image: { mimeType, data } } : { blob: { mimeType, data } };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
