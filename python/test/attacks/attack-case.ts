import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PythonOutcome } from "../../src/index.ts";

/** Where the files are that `with` names. */
const FOLDER = import.meta.dirname;

/** One hostile program and what has to come of it. */
export interface AttackCase {
  readonly family: string;
  readonly claim: string;
  /** The whole Python file; its entry is `run`. */
  readonly code: string;
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Names of the runner's host functions that the program may call. */
  readonly functions: readonly string[];
  /** Characters of output that may come back. */
  readonly outputLimit: number;
  readonly expected: Expectation;
  /** It tries what another case tries in another way, and takes seconds: it is left to the long run. */
  readonly repeats: boolean;
}

/** `steps`: the run returns what came of each step, as patterns; `value`: it returns this; else it ends in one of these ways. */
export type Expectation =
  | { readonly steps: Readonly<Record<string, string>> }
  | { readonly value: unknown }
  | { readonly message: string }
  | { readonly ends: readonly PythonOutcome["kind"][] };

/**
 * Reads the families of a folder, each file one. A case begins with comment lines `# name: value`, of which `case` is the claim;
 * what follows is its program. The folder's `prelude.py` comes first, then the file of forging functions that `with` names.
 */
export function readAttackCases(folder: string = FOLDER): readonly AttackCase[] {
  const families = join(folder, "families");
  const prelude = readFileSync(join(folder, "prelude.py"), "utf8");
  return readdirSync(families)
    .sort()
    .flatMap((file) => readFamily(file.replace(/\.py$/, ""), readFileSync(join(families, file), "utf8"), prelude));
}

function readFamily(family: string, text: string, prelude: string): AttackCase[] {
  const pieces = text.split(/\n\n(?=(?:# [a-z]+:.*\n)*# case: )/).slice(1);
  return pieces.map((piece) => readCase(family, piece, prelude));
}

function readCase(family: string, piece: string, prelude: string): AttackCase {
  const head = /^(?:# [a-z]+:.*\n)+/.exec(piece)?.[0] ?? "";
  const settings = new Map(
    [...head.matchAll(/^# ([a-z]+): ?(.*)$/gm)].map((match) => [match[1] ?? "", match[2] ?? ""]),
  );
  const claim = settings.get("case") ?? "";
  const preamble = settings.get("with");
  const forging = preamble ? [readFileSync(join(FOLDER, `${preamble}.py`), "utf8")] : [];
  return {
    family,
    claim,
    code: [prelude, ...forging, piece.slice(head.length)].join("\n"),
    cpuMs: Number(settings.get("cpu") ?? 10_000),
    wallMs: Number(settings.get("wall") ?? 30_000),
    functions: settings.get("functions")?.split(" ") ?? [],
    outputLimit: Number(settings.get("output") ?? 70_000),
    expected: readExpectation(settings, claim),
    repeats: settings.has("repeats"),
  };
}

function readExpectation(settings: ReadonlyMap<string, string>, claim: string): Expectation {
  const { steps, value, raises, ends } = Object.fromEntries(settings);
  if (steps !== undefined) return { steps: JSON.parse(steps) };
  if (value !== undefined) return { value: JSON.parse(value) };
  if (raises !== undefined) return { message: raises };
  if (ends !== undefined) return { ends: ends.split("|") as PythonOutcome["kind"][] };
  throw new Error(`the case '${claim}' expects nothing`);
}
