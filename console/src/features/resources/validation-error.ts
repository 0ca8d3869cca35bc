import type { CodeProblem } from "../code-editor/code-language.ts";

/** One entry of `validation_errors`, parsed into resource, field and position. */
export interface ValidationError {
  /** E.g. `Tool 'look_up'`; empty when the error is about the resource that lists it. */
  readonly subject: string;
  /** E.g. `before_model_callbacks[0]`; empty when it is about no single field. */
  readonly path: string;
  /** From 1; 0 without a position. */
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

const SENTENCE =
  /^(?:(?<subject>(?:Tool|Toolset|Guardrail|Variable) '[^']*')(?:, |: | (?=has )))?(?:(?<path>[a-z_]+(?:\[\d+\])?(?:\.[a-z_]+(?:\[\d+\])?)*): )?(?:line (?<line>\d+), column (?<column>\d+): )?(?<text>.*)$/s;

/** Parses an entry of `validation_errors`; what does not match stays in the text. */
export function parseValidationError(sentence: string): ValidationError {
  const { subject = "", path = "", line = "0", column = "0", text = sentence } = SENTENCE.exec(sentence)?.groups ?? {};
  return { subject, path, line: Number(line), column: Number(column), text };
}

/** The problems of one field, as its editor shows them. */
export function codeProblemsAt(
  problems: readonly ValidationError[],
  path: string,
  subject = "",
): readonly CodeProblem[] {
  return problems
    .filter((problem) => problem.path === path && problem.subject === subject)
    .map(({ line, column, text }) => ({ line, column, text, severity: "error" }));
}
