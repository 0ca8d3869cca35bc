import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding, TextEdit } from "./contract.ts";

/** Writes the fixes (LINT-7) of findings whose edits do not overlap another one's. Returns how many findings were mended. */
export async function applyFixes(findings: readonly Finding[], root: string): Promise<number> {
  const accepted: TextEdit[] = [];
  let mended = 0;
  for (const { fix } of findings) {
    if (!fix || fix.some((edit) => accepted.some((other) => overlaps(edit, other)))) continue;
    accepted.push(...fix);
    mended += 1;
  }
  for (const [file, edits] of Map.groupBy(accepted, (edit) => edit.file)) {
    const path = join(root, file);
    await writeFile(path, edited(await readFile(path, "utf8"), edits));
  }
  return mended;
}

function overlaps(one: TextEdit, other: TextEdit): boolean {
  return one.file === other.file && one.start <= other.end && other.start <= one.end;
}

function edited(text: string, edits: readonly TextEdit[]): string {
  const fromTheEnd = [...edits].sort((one, other) => other.start - one.start);
  return fromTheEnd.reduce(
    (rest, { start, end, text: inserted }) => rest.slice(0, start) + inserted + rest.slice(end),
    text,
  );
}
