import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where a running server is, and the token of its operator (AUTH-18). */
interface OperatorFile {
  readonly pid: number;
  /** As this machine reaches it, in plain text: the port serves that next to TLS. */
  readonly address: string;
  readonly token: string;
}

const pathIn = (dataDir: string): string => join(dataDir, "operator.json");

/** Writes the file, which its owner alone can read. Returns what deletes it again. */
export function writeOperatorFile(dataDir: string, file: OperatorFile): () => void {
  const path = pathIn(dataDir);
  // A file that was left behind keeps its mode when it is written again.
  rmSync(path, { force: true });
  writeFileSync(path, JSON.stringify(file), { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/** The file of the server that runs on a data folder; undefined when none does, whatever a server that was killed has left. */
export function readOperatorFile(dataDir: string): OperatorFile | undefined {
  try {
    const file = JSON.parse(readFileSync(pathIn(dataDir), "utf8")) as OperatorFile;
    process.kill(file.pid, 0);
    return file;
  } catch (error) {
    // EPERM: the process is there, and belongs to another user.
    if ((error as NodeJS.ErrnoException).code === "ESRCH" || (error as NodeJS.ErrnoException).code === "ENOENT")
      return undefined;
    throw error;
  }
}
