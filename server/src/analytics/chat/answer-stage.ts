import type { Plan } from "../plan/planner.ts";
import { verifyNumbers } from "../verification/verify-numbers.ts";
import { citationOf } from "./citations.ts";
import { TextType } from "./message-writer.ts";
import type { Results, Stage, Turn } from "./turn.ts";

/** The answer in words, its numbers verified against the rows, and follow-up questions. */
export async function* answerStage(
  turn: Turn,
  plan: Extract<Plan, { kind: "query" }>,
  results: Results,
  finding: string,
): Stage<void> {
  const { planner, write, history } = turn;
  write.setActivity("Writing the answer");
  const before = planner.warning;
  const answer = await planner.answer(turn.plan, plan, results);
  if (planner.warning && planner.warning !== before) yield write.error(planner.warning);
  const sets = results.map(({ result }) => result);
  const checked = verifyNumbers(answer.text, sets, [history.question, plan.sql, plan.reasoning]);
  if (checked.removed.length > 0) {
    turn.deps.logger.warn({ removed: checked.removed }, "an answer stated numbers that are in no row");
    yield write.error(`Left out of the answer, because the numbers are not in the rows: ${checked.removed.join(" ")}`);
  }
  const note = planner.warning ? `*${planner.warning}*` : "";
  const cut = [
    ...turn.notes,
    ...outsideNotices(turn, plan),
    ...cutNotices(results, checked.text),
    ...cachedNotices(results),
  ];
  const body = [
    checked.text || withheldNotice(checked.removed.length > 0),
    finding,
    ...cut.map((notice) => `*${notice}*`),
    note,
  ]
    .filter(Boolean)
    .join("\n\n");
  const text = [body, verifiedNote(turn, plan), modelNote(plan, body)].filter(Boolean).join("\n\n");
  yield write.text(TextType.FINAL_RESPONSE, [text], citationOf(body, turn), [...(answer.warnings ?? []), ...cut]);
  if (answer.followUps.length > 0) yield write.text(TextType.FOLLOWUP_QUESTIONS, answer.followUps);
}

/** Says which query of the semantic model was answered, unless the text begins with it (SEM-10). */
function modelNote({ origin }: Extract<Plan, { kind: "query" }>, text: string): string {
  if (origin?.kind !== "semantic-model" || text.startsWith(origin.words)) return "";
  return `From the semantic model: ${origin.words}`;
}

/** SQL beside a semantic model is nobody's definition. */
function outsideNotices({ plan: { defined } }: Turn, { origin }: Extract<Plan, { kind: "query" }>): readonly string[] {
  if (!defined || origin?.kind !== "outside") return [];
  return origin.by === "language-model"
    ? ["Unverified: a language model wrote this SQL, and the semantic model does not define what it computes."]
    : ["Unverified: this was read from the tables; the semantic model does not define it."];
}

/** Says that a person has verified the query for this question (CA-17). */
function verifiedNote({ match }: Turn, { origin }: Extract<Plan, { kind: "query" }>): string {
  return match && origin?.kind === "verified" ? `Answered by the verified query for “${match.query.question}”.` : "";
}

/** Says that more rows exist than were read, unless the text does. */
function cutNotices(results: Results, text: string): readonly string[] {
  return results
    .filter(({ result }) => result.truncated && !/may be more|there are more|only the first/i.test(text))
    .map(({ result }) => `Only the first ${result.rows.length} rows were read; there are more.`);
}

/** Says of when the rows are, where they were not read for this question (CA-54). */
function cachedNotices(results: Results): readonly string[] {
  const [oldest] = results.flatMap(({ result: { cachedAt } }) => cachedAt ?? []).toSorted((one, other) => one - other);
  return oldest === undefined ? [] : [`The rows were read at ${new Date(oldest).toISOString()}.`];
}

function withheldNotice(withheld: boolean): string {
  return withheld
    ? "The answer in words was withheld, because its numbers could not be found in the rows. The rows above are the answer."
    : "The rows above are the answer.";
}
