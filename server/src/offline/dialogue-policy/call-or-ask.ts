import type { FunctionDeclaration } from "#models";
import { type Action, call, say } from "./action.ts";
import { questionFor } from "./question.ts";
import { isRepeated, type Situation } from "./situation.ts";
import { fillSlots, type Statement } from "./slots.ts";

/** Calls a function with what is known, or asks for the first thing that is not; undefined when that very call was just made. */
export function callOrAsk(
  situation: Situation,
  declaration: FunctionDeclaration,
  statements: readonly Statement[],
): Action | undefined {
  const { args, missing } = fillSlots(declaration, statements, situation);
  const [next] = missing;
  if (next !== undefined) return say(`ask:${declaration.name}.${next.name}`, questionFor(next));
  return isRepeated(situation, declaration.name, args)
    ? undefined
    : call(`tool:${declaration.name}`, declaration.name, args);
}
