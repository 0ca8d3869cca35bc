import type { Clock } from "#base";
import { expiringBlobs, type Storage } from "#storage";

/** Milliseconds that it is kept what was found out about a file of Python: 90 days. */
const KEPT_MS = 90 * 86_400_000;

/** Keeps what the sandbox found out about files of Python, for all servers of a database (PY-47). */
export function keepPythonFindings(blobs: Storage["blobs"], clock: Pick<Clock, "now">) {
  const kept = expiringBlobs(blobs, clock, KEPT_MS);
  const place = (key: string) => `python/findings/${key}`;
  return {
    get: async (key: string) => {
      const bytes = await kept.get(place(key));
      return bytes && Buffer.from(bytes).toString();
    },
    put: (key: string, text: string) => kept.put(place(key), Buffer.from(text)),
  };
}
