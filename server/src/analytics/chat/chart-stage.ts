import type { JsonObject } from "#base";
import { planChart } from "../charts/plan-chart.ts";
import { renderPng, renderSvg } from "../charts/render-chart.ts";
import { vegaConfig } from "../charts/vega-config.ts";
import type { ChartHint } from "../contract.ts";
import type { NamedResult } from "../plan/planner.ts";
import type { Stage, Turn } from "./turn.ts";

/** Draws a result where a chart is useful. Returns whether one was drawn. */
export async function* chartStage(
  turn: Pick<Turn, "write" | "request" | "deps">,
  { name, result }: Pick<NamedResult, "name" | "result">,
  hint: ChartHint,
): Stage<boolean> {
  const plan = planChart(result, hint);
  if (!plan) return false;
  const instructions = `${plan.mark} chart of ${plan.y.name} by ${plan.x.name}${plan.series ? `, coloured by ${plan.series.name}` : ""}`;
  const config = vegaConfig(plan);
  yield turn.write.message({
    case: "chart",
    value: { kind: { case: "query", value: { instructions, dataResultName: name } } },
  });
  turn.write.setActivity("Drawing the chart");
  const image = await imageOf(turn, config);
  yield turn.write.message({
    case: "chart",
    value: { kind: { case: "result", value: { vegaConfig: config, image } } },
  });
  return true;
}

/** A picture when the context asks for one; else the empty object that clients know. */
async function imageOf({ request, deps }: Pick<Turn, "request" | "deps">, config: JsonObject) {
  const image = request.image ?? request.context.options?.chart?.image?.kind.case;
  if (image !== "svg" && image !== "png") return {};
  try {
    const svg = await renderSvg(config);
    if (image === "png") return { mimeType: "image/png", data: await renderPng(svg) };
    return { mimeType: "image/svg+xml", data: new TextEncoder().encode(svg) };
  } catch (error) {
    deps.logger.error({ err: error }, "a chart could not be drawn");
    return {};
  }
}
