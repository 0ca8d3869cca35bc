import type { Plan } from "../plan/planner.ts";
import { checkNumbers } from "../truth/check-numbers.ts";
import { citationOf } from "./citations.ts";
import { TextType } from "./message-writer.ts";
import type { Results, Stage, Turn } from "./turn.ts";

/** The rows in words, every number of which stands in them, and what may be asked next. */
export async function* answerStage(
  turn: Turn,
  plan: Extract<Plan, { kind: "query" }>,
  results: Results,
  finding: string,
): Stage<void> {
  const { planner, write, history } = turn;
  write.doing("Writing the answer");
  const before = planner.warning;
  const answer = await planner.answer(turn.plan, plan, results);
  if (planner.warning && planner.warning !== before) yield write.error(planner.warning);
  const sets = results.map(({ result }) => result);
  const checked = checkNumbers(answer.text, sets, [history.question, plan.sql, plan.reasoning]);
  if (checked.removed.length > 0) {
    turn.deps.logger.warn({ removed: checked.removed }, "an answer stated numbers that are in no row");
    yield write.error(`Left out of the answer, because the numbers are not in the rows: ${checked.removed.join(" ")}`);
  }
  const note = planner.warning ? `*${planner.warning}*` : "";
  const text = [checked.text || untold(checked.removed.length > 0), finding, note].filter(Boolean).join("\n\n");
  yield write.text(TextType.FINAL_RESPONSE, [text], citationOf(text, turn));
  if (answer.followUps.length > 0) yield write.text(TextType.FOLLOWUP_QUESTIONS, answer.followUps);
}

function untold(withheld: boolean): string {
  return withheld
    ? "The answer in words was withheld, because its numbers could not be found in the rows. The rows above are the answer."
    : "The rows above are the answer.";
}
