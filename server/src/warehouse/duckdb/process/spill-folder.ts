import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Where DuckDB spills what does not fit into memory. */
interface SpillFolder {
  readonly path: string;
  remove(): void;
}

/** Makes a folder for the engine of this server, and removes those of servers that were killed. */
export function createSpillFolder(parent: string): SpillFolder {
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    const [, owner] = /^engine-(\d+)-/.exec(name) ?? [];
    if (owner && !isRunning(Number(owner))) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const path = mkdtempSync(join(parent, `engine-${process.pid}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
