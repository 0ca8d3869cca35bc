import { pino } from "pino";
import type { Clock } from "#base";
import type { LanguageModel, ModelRequest, ModelsConfig, ProviderConfig, StreamOptions, StreamPart } from "#models";
import { createModels } from "../create-models.ts";
import { DEFAULT_TIMEOUTS, NO_MODELS } from "../models-config.ts";

/** A request that says "Hello". */
export const HELLO: ModelRequest = {
  system: "Be brief.",
  messages: [{ role: "user", parts: [{ kind: "text", text: "Hello" }] }],
  tools: [],
};

/** Models with one provider, whose usual waits are too short to notice, and the log they write. */
export function modelsWith(
  provider: ProviderConfig,
  overrides: Partial<ModelsConfig> = {},
  clock: Clock = { now: () => 0 },
) {
  const lines: string[] = [];
  const logger = pino({ level: "debug" }, { write: (line: string) => lines.push(line) });
  let count = 0;
  const ids = { uuid: () => `uuid-${++count}` };
  const config: ModelsConfig = {
    ...NO_MODELS,
    providers: [provider],
    retries: { attempts: 3, baseDelayMs: 2, maxDelayMs: 50 },
    timeouts: { ...DEFAULT_TIMEOUTS, answerMs: 5_000 },
    ...overrides,
  };
  const models = createModels(config, { logger, clock, random: () => 0.5, ids });
  return {
    log: () => lines.join(""),
    resolve: (name: string) => models.resolve(name),
    [Symbol.asyncDispose]: () => models.close(),
  };
}

/** All parts of one call. */
export async function partsOf(
  model: LanguageModel,
  request: ModelRequest = HELLO,
  options: Partial<StreamOptions> = {},
): Promise<StreamPart[]> {
  const { signal = new AbortController().signal, streaming = true } = options;
  return Array.fromAsync(model.stream(request, { signal, streaming }));
}
