import type { Clock } from "#base";
import type { LanguageModel, Models } from "#models";
import { Code, toGrpcStatusName, toStatusError } from "#status";
import type { Metrics } from "./metrics.ts";

type ModelMetrics = Pick<Metrics, "modelCalls" | "modelSeconds" | "modelTokens">;

/** Models whose calls, tokens and failures are counted. A model keeps its wrapping, since the engine tells models apart by identity. */
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
  const { label } = model;
  return {
    label,
    async *stream(request, options) {
      const startedAt = clock.now();
      let code = toGrpcStatusName(Code.Canceled);
      try {
        for await (const part of model.stream(request, options)) {
          if (part.kind === "finish") {
            code = "OK";
            metrics.modelTokens.inc({ model: label, direction: "input" }, part.usage.inputTokens ?? 0);
            metrics.modelTokens.inc({ model: label, direction: "output" }, part.usage.outputTokens ?? 0);
          }
          yield part;
        }
      } catch (error) {
        code = options.signal.aborted ? code : toGrpcStatusName(toStatusError(error).code);
        throw error;
      } finally {
        metrics.modelCalls.inc({ model: label, code });
        metrics.modelSeconds.observe({ model: label }, (clock.now() - startedAt) / 1_000);
      }
    },
  };
}
