import { setTimeout as delay } from "node:timers/promises";
import type { Clock, Logger } from "#base";
import type { LanguageModel, Models } from "#models";
import { toStatusError } from "#status";
import { Outage } from "./outage.ts";

interface WaitDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds from the first call that a model did not answer until calls of it fail at once. Default 300,000. */
  readonly mostMs?: number;
}

/** Longer than a provider restarts, or a quota of a minute takes to be there again; a model that is away for longer has to be looked at. */
const MOST_MS = 5 * 60_000;

/**
 * Models whose calls wait while the model is away, so that an outage of a minute does not leave the rest of a run without a measurement
 * (EVAL-93). Errors that waiting does not mend, and those after the first part of an answer, are the caller's.
 */
export function waitForModels(
  models: Pick<Models, "resolve">,
  { clock, logger, mostMs = MOST_MS }: WaitDeps,
): Pick<Models, "resolve"> {
  const patient = new WeakMap<LanguageModel, LanguageModel>();
  const outages = new Map<string, Outage>();

  function outageOf(label: string): Outage {
    const outage = outages.get(label) ?? new Outage(mostMs);
    outages.set(label, outage);
    return outage;
  }

  function waiting(model: LanguageModel): LanguageModel {
    const { label, capabilities } = model;
    const outage = outageOf(label);
    return {
      label,
      capabilities,
      async *stream(request, options) {
        for (let call = 1; ; call++) {
          let waitMs: number | undefined;
          let answers = false;
          try {
            for await (const part of model.stream(request, options)) {
              answers = true;
              outage.answered();
              yield part;
            }
            return;
          } catch (error) {
            options.signal.throwIfAborted();
            waitMs = answers ? undefined : outage.pauseAfter(error, call, clock.now());
            if (waitMs === undefined) throw error;
            const { rawMessage: reason } = toStatusError(error);
            logger.warn({ model: label, waitMs, reason }, "an evaluation waits for a model");
          }
          await delay(waitMs, undefined, { signal: options.signal }).catch(() => options.signal.throwIfAborted());
        }
      },
    };
  }

  return {
    resolve: (name) => {
      const model = models.resolve(name);
      if (!model.capabilities.instructionFollowing) return model;
      // The engine compares models by identity.
      const known = patient.get(model) ?? waiting(model);
      patient.set(model, known);
      return known;
    },
  };
}
