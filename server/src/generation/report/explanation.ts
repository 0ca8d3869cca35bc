import { create } from "@bufbuild/protobuf";
import { type Status, StatusSchema } from "@frontdesk/protos/google/rpc/status";
import { Code } from "#status";
import type { Measured } from "../improve/draft-problems.ts";

/** What the explanation of a result is made of. */
export interface ExplanationParts {
  /** The model's own words; "" for none. */
  readonly explanation?: string;
  /** What the result changes in the app, one phrase each. */
  readonly changes?: readonly string[];
  /** What was tried of the result. Undefined: nothing could be. */
  readonly measured?: Measured | undefined;
  /** Goldens that ran. */
  readonly cases?: number;
  /** What else the author should know, one sentence each. */
  readonly notes?: readonly string[];
  readonly rounds?: number;
  readonly tokens?: number;
}

/** Entries of a list that are written out. */
const MOST = 40;

/** `GenerateResultInfo.explanation`: what was made, what it changes, what was checked, and what stays wrong. */
export function explanationOf(parts: ExplanationParts): string {
  const { explanation = "", changes = [], measured, notes = [], rounds = 0, tokens = 0 } = parts;
  const problems = measured?.problems.map(({ severity, text }) => `${severity}: ${text}`) ?? [];
  return [
    explanation.trim(),
    section("It", changes),
    measured ? checkedText(measured) : "",
    section("Still wrong:", problems),
    section("Not measured:", measured?.unmeasured ?? []),
    section("Note:", notes),
    rounds > 0 ? `Drafts: ${rounds}. Tokens: ${tokens.toLocaleString("en")}.` : "",
  ]
    .filter(Boolean)
    .join("\n\n");
}

function checkedText({ problems, passed }: Measured): string {
  const failed = problems.filter(({ key }) => key.startsWith("case ")).length;
  const others = problems.length - failed;
  const checks =
    others === 0
      ? "Validation and linter have nothing to say."
      : `Validation and linter say ${others} ${others === 1 ? "thing" : "things"}.`;
  const cases = passed.size + failed;
  return cases === 0 ? `${checks} No golden ran.` : `${checks} Goldens: ${passed.size} of ${cases} passed.`;
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const shown = lines.slice(0, MOST).map((line) => `- ${line}`);
  const more = lines.length > MOST ? [`- and ${lines.length - MOST} more`] : [];
  return [title, ...shown, ...more].join("\n");
}

/** `partial_errors` of the operation: what stays wrong. */
export function partialErrorsOf(measured: Measured | undefined): Status[] {
  return (measured?.problems ?? []).map(({ text }) =>
    create(StatusSchema, { code: Code.FailedPrecondition, message: text }),
  );
}
