import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of the checkout or of the published package: the one with the examples. */
export const HOME = homeFolder(import.meta.dirname);

function homeFolder(start: string): string {
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "examples", "order-desk"))) return folder;
  }
  return start;
}
