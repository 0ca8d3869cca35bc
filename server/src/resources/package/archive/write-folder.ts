import type { Stats } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, readdir, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ifThere } from "#base";
import { type FieldViolation, invalidArgument } from "#status";
import type { PackageFile } from "../package-files.ts";
import { entryPathProblem } from "./read-zip.ts";

/**
 * Writes the files of a package to a folder, which is created when it is missing, in place of existing ones, and deletes those of `deleted`, with folders that
 * have nothing left. All or nothing: new files are written beside the old ones first, and a step that fails undoes those before it. Links are never
 * written through: INVALID_ARGUMENT, with all of them, for a path that is one or goes through one.
 */
export async function writePackageFolder(
  folder: string,
  files: readonly PackageFile[],
  deleted: readonly string[] = [],
): Promise<void> {
  for (const { path } of files) {
    const problem = entryPathProblem(path);
    if (problem !== undefined)
      throw invalidArgument({ field: "app_content", description: `Entry ${JSON.stringify(path)} ${problem}.` });
  }
  await checkPlaces(folder, files, deleted);
  const made = await makeFolder(folder);
  try {
    await replaceFiles(folder, files, deleted);
  } catch (error) {
    if (made !== undefined) await rm(made, { recursive: true, force: true });
    throw error;
  }
  for (const path of deleted) await removeEmptyParents(folder, path);
}

/** What is in the way of files is told before any is written. */
async function checkPlaces(folder: string, files: readonly PackageFile[], deleted: readonly string[]): Promise<void> {
  const gone = new Set(deleted);
  const problems = new Map<string, string>();
  const seen = new Map<string, Promise<Stats | undefined>>();
  const look = (path: string) => {
    const known = seen.get(path) ?? ifThere(lstat(join(folder, path)));
    seen.set(path, known);
    return known;
  };
  for (const path of [...deleted, ...files.map((file) => file.path)])
    for (const part of prefixesOf(path)) {
      const stats = await look(part);
      if (!stats) break;
      if (stats.isSymbolicLink())
        problems.set(part, "is a link, and nothing is written through links. Remove it, or put a copy in its place.");
      else if (part !== path && !stats.isDirectory() && !gone.has(part))
        problems.set(part, "is a file, and a folder of this name must be written. Remove it.");
      else if (part === path && stats.isDirectory())
        problems.set(part, "is a folder, and a file of this name must be written. Remove it.");
    }
  const violations = [...problems].map(([field, description]): FieldViolation => ({ field, description }));
  if (violations.length > 0) throw invalidArgument(violations);
}

/** `a`, `a/b`, `a/b/c` of `a/b/c`. */
function prefixesOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Makes a folder and those above it; returns the first that was missing. Node's own way never ends below `/proc`. */
async function makeFolder(folder: string): Promise<string | undefined> {
  try {
    await mkdir(folder);
    return folder;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await stat(folder)).isDirectory()) return undefined;
    const made = code === "ENOENT" ? await makeFolder(dirname(folder)) : undefined;
    if (made === undefined) throw error;
    await mkdir(folder);
    return made;
  }
}

/** Does `work`; an error of the system is told as one of writing this file, not of the place where it is written first. */
async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall ? Object.assign(error as Error, { syscall: "write", path }) : error;
  }
}

async function replaceFiles(folder: string, files: readonly PackageFile[], deleted: readonly string[]): Promise<void> {
  const stage = await writing(folder, () => mkdtemp(join(folder, ".frontdesk-")));
  const undo: (() => Promise<unknown>)[] = [];
  try {
    for (const [index, { path, bytes }] of files.entries())
      await writing(join(folder, path), () => writeFile(join(stage, `new-${index}`), bytes));
    for (const [index, path] of deleted.entries())
      await writing(join(folder, path), () => moveAway(join(folder, path), join(stage, `gone-${index}`), undo));
    for (const [index, { path }] of files.entries())
      await writing(join(folder, path), () => place(join(folder, path), stage, index, undo));
  } catch (error) {
    for (const step of undo.toReversed()) await step();
    throw error;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** Moves a file that is there out of the way. */
async function moveAway(target: string, aside: string, undo: (() => Promise<unknown>)[]): Promise<void> {
  await rename(target, aside);
  undo.push(() => rename(aside, target));
}

/** Puts a file that was written to the stage in its place, with the permissions of the one that was there. */
async function place(target: string, stage: string, index: number, undo: (() => Promise<unknown>)[]): Promise<void> {
  const staged = join(stage, `new-${index}`);
  const before = await ifThere(lstat(target));
  if (before) {
    await chmod(staged, before.mode);
    await moveAway(target, join(stage, `old-${index}`), undo);
  }
  const made = await makeFolder(dirname(target));
  if (made !== undefined) undo.push(() => rm(made, { recursive: true }));
  await rename(staged, target);
  undo.push(() => rm(target));
}

async function removeEmptyParents(folder: string, path: string): Promise<void> {
  for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) {
    const at = join(folder, parent);
    if ((await readdir(at).catch(() => ["?"])).length > 0) return;
    await rmdir(at);
  }
}
