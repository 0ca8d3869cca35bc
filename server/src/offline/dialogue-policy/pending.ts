import type { FunctionDeclaration, ModelRequest } from "#models";
import type { Step } from "./conversation.ts";
import { type Parameter, parametersOf } from "./parameter.ts";
import { questionFor } from "./question.ts";
import type { Statement } from "./slots.ts";

/** A call that waits for an answer of the user. */
export interface PendingCall {
  readonly declaration: FunctionDeclaration;
  readonly asked: Parameter;
  /** What the user said about it before, newest first. */
  readonly earlier: readonly Statement[];
}

/** How many questions back the user's statements about one call are gathered. */
const REACH = 8;

/**
 * The calls that the agent's last words asked a parameter for. The policy keeps no state: the question itself, found again
 * in the history, is the state. Several functions may share a question; the caller knows which one the user meant.
 */
export function pendingCalls(before: readonly Step[], request: ModelRequest): readonly PendingCall[] {
  const words = lastWords(before);
  if (words === "") return [];
  return request.tools.flatMap((declaration) => {
    const asked = askedParameter(declaration, words);
    return asked === undefined ? [] : [{ declaration, asked, earlier: earlierStatements(before, declaration) }];
  });
}

function askedParameter(declaration: FunctionDeclaration, words: string): Parameter | undefined {
  return parametersOf(declaration).find((parameter) => parameter.required && words.includes(questionFor(parameter)));
}

/** What the agent offered with its last question ("Would you like me to …?", "Shall I …?"); a "yes" asks for it. */
export function offered(before: readonly Step[]): string | undefined {
  const offer = /\b(?:would you like|do you want|shall i|should i|may i)\s+(?:me )?(?:to )?([^.?!]+)\?\s*$/i;
  return offer.exec(lastWords(before))?.[1]?.trim();
}

/** The agent's words at the very end, which may be more than one text. */
function lastWords(steps: readonly Step[]): string {
  const start = steps.findLastIndex((step) => step.kind !== "say") + 1;
  return steps
    .slice(start)
    .flatMap((step) => (step.kind === "say" ? [step.text] : []))
    .join("\n");
}

/** Walks back from question to statement as long as the questions are about this function. */
function earlierStatements(before: readonly Step[], declaration: FunctionDeclaration): readonly Statement[] {
  const statements: Statement[] = [];
  let end = before.length;
  while (statements.length < REACH) {
    const at = before.slice(0, end).findLastIndex((step) => step.kind === "user");
    const said = before[at];
    if (said?.kind !== "user") break;
    const answered = askedParameter(declaration, lastWords(before.slice(0, at)));
    statements.push(answered === undefined ? { text: said.text } : { text: said.text, answers: answered.name });
    if (answered === undefined) break;
    end = at;
  }
  return statements;
}
