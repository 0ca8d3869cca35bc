import { cp, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { failedPrecondition, invalidArgument } from "#status";
import { HOME } from "./home-folder.ts";

const TEMPLATES = join(HOME, "examples", "templates");

/** Names of the apps to start from. */
export async function templateNames(): Promise<readonly string[]> {
  const entries = await readdir(TEMPLATES, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** Copies a template into a folder. INVALID_ARGUMENT for an unknown one, FAILED_PRECONDITION for a folder that is not empty. */
export async function copyTemplate(name: string, folder: string): Promise<void> {
  const names = await templateNames();
  if (!names.includes(name))
    throw invalidArgument({ field: "", description: `'${name}' is no template; there are ${names.join(", ")}.` });
  await assertEmpty(folder);
  await cp(join(TEMPLATES, name), folder, { recursive: true });
}

/** Makes sure that a folder exists and has nothing in it. FAILED_PRECONDITION when it has. */
export async function assertEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const [first] = await readdir(folder);
  if (first !== undefined)
    throw failedPrecondition(`The folder ${folder} is not empty: it has ${first}. Name a new one.`);
}
