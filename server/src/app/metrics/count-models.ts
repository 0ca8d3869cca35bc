import { type Clock, type StreamEnd, watchStream } from "#base";
import type { LanguageModel, Models, StreamOptions, StreamPart } from "#models";
import { Code, toGrpcStatusName, toStatusError } from "#status";
import type { Metrics } from "./metrics.ts";

type ModelMetrics = Pick<Metrics, "modelCalls" | "modelSeconds" | "modelTokens">;

/** Counts calls, tokens and failures of models. A model always gets the same wrapper, because the engine compares models by identity. */
export function countModels(models: Models, metrics: ModelMetrics, clock: Clock): Models {
  const counted = new WeakMap<LanguageModel, LanguageModel>();
  return {
    status: () => models.status(),
    close: () => models.close(),
    resolve(name) {
      const model = models.resolve(name);
      const known = counted.get(model) ?? countModel(model, metrics, clock);
      counted.set(model, known);
      return known;
    },
  };
}

function countModel(model: LanguageModel, metrics: ModelMetrics, clock: Clock): LanguageModel {
  const { label, capabilities } = model;
  return {
    label,
    capabilities,
    stream(request, options) {
      const startedAt = clock.now();
      let finished = false;
      return watchStream(() => model.stream(request, options), {
        onItem: (part) => {
          if (part.kind !== "finish") return;
          finished = true;
          countTokens(part, label, metrics);
        },
        onEnd: (end) => {
          metrics.modelCalls.inc({ model: label, code: codeOf(end, finished, options) });
          metrics.modelSeconds.observe({ model: label }, Math.max(0, clock.now() - startedAt) / 1_000);
        },
      });
    },
  };
}

function countTokens({ usage }: Extract<StreamPart, { kind: "finish" }>, model: string, metrics: ModelMetrics): void {
  metrics.modelTokens.inc({ model, direction: "input" }, usage.inputTokens ?? 0);
  metrics.modelTokens.inc({ model, direction: "output" }, usage.outputTokens ?? 0);
}

/** A call whose reader leaves after the finish part is OK. */
function codeOf(end: StreamEnd, finished: boolean, { signal }: StreamOptions): string {
  if (end.kind === "failed" && !signal.aborted) return toGrpcStatusName(toStatusError(end.error).code);
  return finished ? "OK" : toGrpcStatusName(Code.Canceled);
}
