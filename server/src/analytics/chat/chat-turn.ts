import type { Message } from "@frontdesk/protos/gda/data_chat_service";
import type { Plan } from "../plan/planner.ts";
import { verifyNumbers } from "../verification/verify-numbers.ts";
import { type AnalysisTurn, analysisStage } from "./analysis-stage.ts";
import { answerStage } from "./answer-stage.ts";
import { chartStage } from "./chart-stage.ts";
import { fromDataResult, toDatasources } from "./data-result.ts";
import { TextType } from "./message-writer.ts";
import { queryStage } from "./query-stage.ts";
import { redrawStage } from "./redraw-stage.ts";
import type { Stage, Turn } from "./turn.ts";

/** The messages with the schema and the example queries of the context. */
export function* schemaFound(turn: Turn): Generator<Message> {
  const { model, request, write, authored } = turn;
  yield write.message({
    case: "schema",
    value: { kind: { case: "result", value: { datasources: toDatasources(model, request.context) } } },
  });
  const examples = authored.flatMap(({ example }) => example ?? []);
  if (examples.length > 0) yield write.message({ case: "exampleQueries", value: { exampleQueries: [...examples] } });
  if (request.mode === "thinking") {
    const count = model.tables.length;
    const of = model.left ? ` of ${count + model.left}` : "";
    yield write.text(TextType.THOUGHT, [
      "Reading the context",
      `Found ${count}${of} table${count === 1 ? "" : "s"} to answer from.`,
    ]);
  }
}

/** Runs a turn: query, analysis, chart, answer (CA-9). */
export async function* chatTurn(turn: Turn): Stage<void> {
  const { write } = turn;
  yield write.text(TextType.PROGRESS, ["Writing the query"]);
  const queried = yield* queryStage(turn);
  switch (queried.kind) {
    case "gave-up":
      yield write.text(TextType.FINAL_RESPONSE, [`I could not answer this from the data. ${queried.error}`]);
      return;
    case "other":
      return queried.plan.kind === "redraw"
        ? yield* redrawStage(withAnalysis(turn), queried.plan)
        : yield* reply(turn, queried.plan);
    case "found": {
      const { plan, result } = queried;
      const finding = plan.analysis ? yield* analysisStage(withAnalysis(turn), plan.analysis, [result]) : "";
      if (plan.chart) yield* chartStage(turn, result, plan.chart);
      write.nextGroup();
      yield* answerStage(turn, plan, [result], finding);
    }
  }
}

/** The turn's planner writes the programs of its analysis; an empty one where it writes none. */
function withAnalysis(turn: Turn): AnalysisTurn {
  const { planner, plan } = turn;
  return { ...turn, writeProgram: async (...program) => (await planner.writeAnalysis?.(plan, ...program)) ?? "" };
}

/** A reply without a query. Its numbers must be in earlier results or in the question. */
function* reply(turn: Turn, { text, followUps }: Extract<Plan, { kind: "reply" }>) {
  const { write, history, planner, model, notes } = turn;
  const known = [
    history.question,
    model.instruction,
    ...history.past.flatMap(({ question, answer }) => [question, answer]),
  ];
  const schema = model.tables.flatMap(({ schema: { description = "", columns } }) => [
    description,
    ...columns.map(({ name }) => name),
  ]);
  const count = [model.tables.length, ...model.tables.map(({ columns }) => columns.length)].join(" ");
  const checked = verifyNumbers(text, history.results.map(fromDataResult), [...known, ...schema, count]);
  if (planner.retriesEmptyResults && checked.removed.length > 0) {
    yield write.error(`Left out of the answer, because no query found these numbers: ${checked.removed.join(" ")}`);
    yield write.text(TextType.FINAL_RESPONSE, [
      checked.text || "The answer was withheld, because no query found its numbers. Please ask for the data itself.",
    ]);
  } else {
    const doubts = [...notes, ...(planner.warning ? [planner.warning] : [])].map((note) => `*${note}*`);
    yield write.text(TextType.FINAL_RESPONSE, [[text, ...doubts].join("\n\n")], undefined, notes);
  }
  if (followUps.length > 0) yield write.text(TextType.FOLLOWUP_QUESTIONS, followUps);
}
