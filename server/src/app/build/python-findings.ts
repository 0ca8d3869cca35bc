import type { Clock } from "#base";
import type { Storage } from "#storage";

/** Milliseconds that it is kept what was found out about a file of Python: 90 days. */
const KEPT_MS = 90 * 86_400_000;

/** Keeps what the sandbox found out about files of Python, for all servers of a database (PY-47). */
export function keepPythonFindings(blobs: Pick<Storage["blobs"], "get" | "put">, clock: Pick<Clock, "now">) {
  const place = (key: string) => `python/findings/${key}`;
  return {
    get: async (key: string) => {
      const bytes = await blobs.get(place(key));
      return bytes && Buffer.from(bytes).toString();
    },
    put: (key: string, text: string) => blobs.put(place(key), Buffer.from(text), clock.now() + KEPT_MS),
  };
}
