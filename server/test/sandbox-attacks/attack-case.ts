import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PythonOutcome } from "#sandbox";

const FOLDER = import.meta.dirname;
const FAMILIES = join(FOLDER, "families");

/** One hostile program and what has to come of it. */
export interface AttackCase {
  readonly family: string;
  readonly claim: string;
  /** The whole Python file; its entry is `run`. */
  readonly code: string;
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Names of the runner's tools that the program may call. */
  readonly tools: readonly string[];
  /** Characters of output that may come back. */
  readonly outputLimit: number;
  readonly expected: Expectation;
}

/** `steps`: the run returns what came of each step, as patterns; `value`: it returns this; else it ends in one of these ways. */
export type Expectation =
  | { readonly steps: Readonly<Record<string, string>> }
  | { readonly value: unknown }
  | { readonly message: string }
  | { readonly ends: readonly PythonOutcome["kind"][] };

/**
 * Reads the families. A case begins with comment lines `# name: value`, of which `case` is the claim; what follows is its
 * program. `with` puts a file of tools of the trade before it.
 */
export function readAttackCases(): readonly AttackCase[] {
  return readdirSync(FAMILIES)
    .sort()
    .flatMap((file) => readFamily(file.replace(/\.py$/, ""), readFileSync(join(FAMILIES, file), "utf8")));
}

function readFamily(family: string, text: string): AttackCase[] {
  const pieces = text.split(/\n\n(?=(?:# [a-z]+:.*\n)*# case: )/).slice(1);
  return pieces.map((piece) => readCase(family, piece));
}

function readCase(family: string, piece: string): AttackCase {
  const head = /^(?:# [a-z]+:.*\n)+/.exec(piece)?.[0] ?? "";
  const settings = new Map(
    [...head.matchAll(/^# ([a-z]+): ?(.*)$/gm)].map((match) => [match[1] ?? "", match[2] ?? ""]),
  );
  const claim = settings.get("case") ?? "";
  const preamble = settings.get("with");
  const parts = ["prelude", ...(preamble ? [preamble] : [])].map((name) =>
    readFileSync(join(FOLDER, `${name}.py`), "utf8"),
  );
  return {
    family,
    claim,
    code: [...parts, piece.slice(head.length)].join("\n"),
    cpuMs: Number(settings.get("cpu") ?? 10_000),
    wallMs: Number(settings.get("wall") ?? 30_000),
    tools: settings.get("tools")?.split(" ") ?? [],
    outputLimit: Number(settings.get("output") ?? 70_000),
    expected: readExpectation(settings, claim),
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
