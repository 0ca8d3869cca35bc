import type { DataResult } from "@frontdesk/protos/gda/data_chat_service";
import type { RedrawPlan } from "../plan/planner.ts";
import { type AnalysisTurn, analysisStage } from "./analysis-stage.ts";
import { chartStage } from "./chart-stage.ts";
import { fromDataResult } from "./data-result.ts";
import { TextType } from "./message-writer.ts";
import type { Stage } from "./turn.ts";

/** Draws an earlier result another way, or analyzes it. */
export async function* redrawStage(turn: AnalysisTurn, { chart, result: name, analysis }: RedrawPlan): Stage<void> {
  const { history, write } = turn;
  const known = name === undefined ? history.results.at(-1) : history.results.findLast((one) => one.name === name);
  write.nextGroup();
  if (!known) {
    yield write.text(TextType.FINAL_RESPONSE, [noSuchRows(name, history.results)]);
    return;
  }
  const rows = { name: known.name, sql: "", result: fromDataResult(known) };
  const finding = analysis ? yield* analysisStage(turn, analysis, [rows]) : "";
  const drawn = chart || !analysis ? yield* chartStage(turn, rows, chart ?? {}) : false;
  const spoken = known.name.replaceAll("_", " ");
  const shown = drawn ? `Here is ${spoken} drawn again.` : finding ? "" : `${spoken} cannot be drawn that way.`;
  yield write.text(TextType.FINAL_RESPONSE, [[finding, shown].filter(Boolean).join("\n\n")]);
}

function noSuchRows(name: string | undefined, results: readonly DataResult[]): string {
  if (results.length === 0)
    return "There are no rows in this conversation that could be drawn. Ask a question about the data first.";
  const names = [...new Set(results.map((result) => result.name))].join(", ");
  return `There is no result called ${name} in this conversation. There are: ${names}.`;
}
