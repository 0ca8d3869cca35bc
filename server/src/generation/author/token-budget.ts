import type { LanguageModel, ModelRequest, Models, Usage } from "#models";
import { resourceExhausted } from "#status";

/** Characters of a token, for providers that count none. */
const CHARACTERS_PER_TOKEN = 4;

/** The tokens of one generation. */
export class TokenBudget {
  readonly limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  spend(tokens: number): void {
    this.#spent += tokens;
  }

  /** Throws RESOURCE_EXHAUSTED once all tokens are spent. */
  assertLeft(): void {
    if (this.#spent < this.limit) return;
    throw resourceExhausted(
      `This generation has used the ${this.limit.toLocaleString("en")} tokens that it may use. Ask for less at once, or raise generation.tokens.`,
      { reason: "GENERATION_TOKENS_SPENT" },
    );
  }

  /** Models whose calls spend of this budget, and fail when nothing is left. */
  meter(models: Pick<Models, "resolve">): Pick<Models, "resolve"> {
    const metered = new WeakMap<LanguageModel, LanguageModel>();
    return {
      resolve: (name) => {
        const model = models.resolve(name);
        const known = metered.get(model) ?? this.#metered(model);
        metered.set(model, known);
        return known;
      },
    };
  }

  #metered(model: LanguageModel): LanguageModel {
    const budget = this;
    return {
      label: model.label,
      capabilities: model.capabilities,
      async *stream(request, options) {
        budget.assertLeft();
        let written = 0;
        let usage: Usage | undefined;
        try {
          for await (const part of model.stream(request, options)) {
            if (part.kind === "text-delta") written += part.text.length;
            if (part.kind === "finish") usage = part.usage;
            yield part;
          }
        } finally {
          budget.spend(tokensOf(usage, request, written));
        }
      },
    };
  }
}

/** As the provider counts them, else by length. */
function tokensOf(usage: Usage | undefined, request: ModelRequest, written: number): number {
  const { inputTokens, outputTokens, thoughtTokens = 0 } = usage ?? {};
  const read = request.messages.flatMap(({ parts }) => parts.map((part) => ("text" in part ? part.text.length : 0)));
  const sent = read.reduce((sum, length) => sum + length, request.system.length);
  return (
    (inputTokens ?? Math.ceil(sent / CHARACTERS_PER_TOKEN)) +
    (outputTokens ?? Math.ceil(written / CHARACTERS_PER_TOKEN)) +
    thoughtTokens
  );
}
