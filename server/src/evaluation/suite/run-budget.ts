import { watchStream } from "#base";
import type { LanguageModel, Models, Usage } from "#models";
import { resourceExhausted } from "#status";

/** What a run may use, at most (EVAL-63). Absent: any amount. */
export interface BudgetLimits {
  /** Calls of language models. */
  readonly calls?: number | undefined;
  /** Tokens of their input and output, as the providers count them. */
  readonly tokens?: number | undefined;
  /** US dollars, by the configured prices. */
  readonly dollars?: number | undefined;
  readonly minutes?: number | undefined;
}

/** What a run has used. Answers that were kept, and models that answer by rules on this machine, cost nothing. */
export interface BudgetUse {
  readonly calls: number;
  readonly tokens: number;
  readonly dollars: number;
}

interface BudgetDeps {
  /** What a call cost, US dollars. */
  readonly costOf: (model: string, usage: Usage) => number;
  /** Milliseconds of a clock that only goes on. */
  readonly now: () => number;
}

/** The budget of one run. Once it is used up no model is called and no case begins: what is left has not been measured. */
export class RunBudget {
  readonly #limits: BudgetLimits;
  readonly #deps: BudgetDeps;
  readonly #start: number;
  readonly #metered = new Map<LanguageModel, LanguageModel>();
  readonly #used = { calls: 0, tokens: 0, dollars: 0 };

  constructor(limits: BudgetLimits, deps: BudgetDeps) {
    this.#limits = limits;
    this.#deps = deps;
    this.#start = deps.now();
  }

  get used(): BudgetUse {
    return { ...this.#used };
  }

  /** Which limit is reached, as a sentence; undefined while none is. */
  exhausted(): string | undefined {
    const { calls, tokens, dollars, minutes } = this.#limits;
    const reached = (limit: number | undefined, used: number) => limit !== undefined && used >= limit;
    if (reached(calls, this.#used.calls)) return usedUp(`${calls} model calls`);
    if (reached(tokens, this.#used.tokens)) return usedUp(`${tokens} tokens`);
    if (reached(dollars, this.#used.dollars)) return usedUp(`${dollars} US dollars`);
    if (reached(minutes, (this.#deps.now() - this.#start) / 60_000)) return usedUp(`${minutes} minutes`);
    return undefined;
  }

  /** Models that count what they take, and refuse with RESOURCE_EXHAUSTED when nothing is left. */
  models(models: Pick<Models, "resolve">): Pick<Models, "resolve"> {
    return {
      resolve: (name) => {
        const model = models.resolve(name);
        if (!model.capabilities.instructionFollowing) return model;
        // The engine compares models by identity.
        const metered = this.#metered.get(model) ?? this.#meter(model);
        this.#metered.set(model, metered);
        return metered;
      },
    };
  }

  #meter(model: LanguageModel): LanguageModel {
    const { label, capabilities } = model;
    const stream: LanguageModel["stream"] = (request, options) => {
      const reason = this.exhausted();
      if (reason) throw resourceExhausted(reason);
      this.#used.calls += 1;
      return watchStream(() => model.stream(request, options), {
        onItem: (part) => {
          if (part.kind === "finish") this.#charge(label, part.usage);
        },
        onEnd: () => undefined,
      });
    };
    return { label, capabilities, stream };
  }

  #charge(label: string, usage: Usage): void {
    this.#used.tokens += (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
    this.#used.dollars += this.#deps.costOf(label, usage);
  }
}

function usedUp(limit: string): string {
  return `The budget of ${limit} is used up. Give the run more with --budget, or fewer cases.`;
}
