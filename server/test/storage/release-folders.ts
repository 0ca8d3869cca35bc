import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";

/** Data folders of released versions, as `make-release.ts` wrote them: `<version>.zip`. */
export const RELEASES = join(import.meta.dirname, "releases");

/** The session that each of them has, with one turn. */
export const SESSION = "projects/local/locations/us/apps/order-desk/sessions/released";

/** Says a text in a session; the text of the answer. */
export async function say(address: string, session: string, text: string): Promise<string> {
  const response = await fetch(`${address}/v1beta/${session}:runSession`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ config: { session }, inputs: [{ text }] }),
  });
  const { outputs = [] } = (await response.json()) as { readonly outputs?: readonly { readonly text?: string }[] };
  return outputs.map((output) => output.text ?? "").join("");
}

/** Unpacks one into an empty folder. */
export function unpackRelease(file: string, folder: string): void {
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(join(RELEASES, file))))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes, { mode: 0o600 });
  }
}
