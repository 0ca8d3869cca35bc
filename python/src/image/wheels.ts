import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The list of hashes that lies beside the wheels, in the format of `sha256sum`: one `<hash>  <file>` a line. */
export const HASH_LIST = "SHA256SUMS";

/** The tag of native wheels that this interpreter (python-source.ts) can load. */
const NATIVE_TAG = "cp312-cp312-pyodide_2024_0_wasm32";

const NATIVE_PLATFORMS: ReadonlySet<string> = new Set(["pyodide_2024_0_wasm32", "emscripten_3_1_58_wasm32"]);

/** Thrown when a wheel cannot be used: the operator has to hear the message, not where it was found. */
export class WheelFault extends Error {}

/** A Python package in the standard archive, as its hash promised. */
export interface Wheel {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/**
 * The wheels that the operator supplies, in the order of their names. Refuses all of them, with one sentence for each fault,
 * when a file is not listed, does not match its hash, is listed but absent, or holds native code for another interpreter.
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
  if (faults.length > 0) throw new WheelFault(`the Python wheels in ${folder} cannot be used: ${faults.join("; ")}`);
  return wheels;
}

async function readWheel(folder: string, file: string): Promise<Wheel> {
  const bytes = await readFile(join(folder, file));
  return { file, bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}

async function readHashes(folder: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(folder, HASH_LIST), "utf8").catch(() => {
    throw new WheelFault(
      `the Python wheels in ${folder} cannot be used: there is no ${HASH_LIST}, which 'sha256sum *.whl' writes`,
    );
  });
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return new Map(lines.map((line) => line.trim().split(/\s+\*?/)).map(([hash = "", file = ""]) => [file, hash]));
}

/**
 * Pure Python, or native code for exactly the interpreter that the image is made of: its Python, and the release of the
 * compiler, whose conventions are not those of another release. The compiler's own name for that release means the same.
 */
function faultOf({ file, sha256 }: Wheel, hashes: ReadonlyMap<string, string>): string | undefined {
  const expected = hashes.get(file);
  if (expected === undefined) return `${file} is not listed in ${HASH_LIST}`;
  if (expected.toLowerCase() !== sha256) return `${file} does not match its hash in ${HASH_LIST}`;
  if (!isForThisPython(file))
    return `${file} is built for another platform: the sandbox loads pure Python (a wheel that ends with -none-any.whl) and native code with the tag ${NATIVE_TAG}`;
  return undefined;
}

function isForThisPython(file: string): boolean {
  const [python = "", abi = "", platform = ""] = file
    .replace(/\.whl$/, "")
    .split("-")
    .slice(-3);
  if (abi === "none" && platform === "any") return true;
  const isPlatform = platform.split(".").some((each) => NATIVE_PLATFORMS.has(each));
  const isStable = abi.split(".").includes("abi3") && /^cp3([2-9]|1[0-2])$/.test(python);
  return isPlatform && (isStable || (python.split(".").includes("cp312") && abi.split(".").includes("cp312")));
}
