import { type LanguageModel, LLM_CAPABILITIES, type ModelRequest } from "#models";

/** A model that plays all parts: the agent, the simulated user, the judge and who explains losses, each by the caller of its request. */
export function playing(parts: {
  readonly agent?: (request: ModelRequest, signal: AbortSignal) => string | Promise<string>;
  readonly user?: (request: ModelRequest) => object;
  readonly judge?: (metric: string, request: ModelRequest) => object | string;
  readonly losses?: object;
}): LanguageModel {
  return {
    label: "test/parts",
    capabilities: { ...LLM_CAPABILITIES, safetySettings: true },
    async *stream(request, { signal }) {
      const { caller = "" } = request;
      const metric = caller.replace("judge ", "");
      let text: string;
      if (caller === "simulated user") text = JSON.stringify(parts.user?.(request) ?? { leaves: true, text: "" });
      else if (caller.startsWith("judge "))
        text = toText(parts.judge?.(metric, request) ?? { explanation: "It does.", score: 1 });
      else if (caller === "loss report") text = JSON.stringify(parts.losses ?? {});
      else text = (await parts.agent?.(request, signal)) ?? "We open at nine.";
      yield { kind: "text-delta", text };
      yield { kind: "finish", reason: "stop", rawReason: "stop", usage: {} };
    },
  };
}

function toText(answer: object | string): string {
  return typeof answer === "string" ? answer : JSON.stringify(answer);
}
