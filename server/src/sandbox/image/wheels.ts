import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The list of hashes that lies beside the wheels, in the format of `sha256sum`: one `<hash>  <file>` a line. */
export const HASH_LIST = "SHA256SUMS";

/** A Python package in the standard archive, as its hash promised. */
export interface Wheel {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/**
 * The wheels that the operator supplies, in the order of their names. Refuses all of them, with one sentence for each fault,
 * when a file is not listed, does not match its hash, is listed but absent, or holds native code.
 */
export async function readWheels(folder: string | undefined): Promise<readonly Wheel[]> {
  if (folder === undefined) return [];
  const files = (await readdir(folder)).filter((name) => name.endsWith(".whl")).sort();
  const hashes = await readHashes(folder);
  const wheels = await Promise.all(files.map((file) => readWheel(folder, file)));
  const absent = [...hashes.keys()].filter((file) => !files.includes(file));
  const faults = [
    ...wheels.flatMap((wheel) => faultOf(wheel, hashes) ?? []),
    ...absent.map((file) => `${file} is listed in ${HASH_LIST} but is not there`),
  ];
  if (faults.length > 0) throw new Error(`the Python wheels in ${folder} cannot be used: ${faults.join("; ")}`);
  return wheels;
}

async function readWheel(folder: string, file: string): Promise<Wheel> {
  const bytes = await readFile(join(folder, file));
  return { file, bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}

async function readHashes(folder: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(folder, HASH_LIST), "utf8").catch(() => {
    throw new Error(
      `the Python wheels in ${folder} cannot be used: there is no ${HASH_LIST}, which 'sha256sum *.whl' writes`,
    );
  });
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return new Map(lines.map((line) => line.trim().split(/\s+\*?/)).map(([hash = "", file = ""]) => [file, hash]));
}

/** Native modules would need the dynamic linker, which the sealed loader does not have, on purpose. */
function faultOf({ file, sha256 }: Wheel, hashes: ReadonlyMap<string, string>): string | undefined {
  const expected = hashes.get(file);
  if (expected === undefined) return `${file} is not listed in ${HASH_LIST}`;
  if (expected.toLowerCase() !== sha256) return `${file} does not match its hash in ${HASH_LIST}`;
  if (!/-none-any\.whl$/.test(file))
    return `${file} holds native code, and the sandbox loads pure Python only (a wheel that ends with -none-any.whl)`;
  return undefined;
}
