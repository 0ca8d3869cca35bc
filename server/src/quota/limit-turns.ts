import { type Caller, deferStream, type Peer, watchStream } from "#base";
import type { LanguageModel, Models } from "#models";
import type { SessionEngine, TurnEvent, TurnRequest } from "#session";
import type { QuotaConfig, QuotaSubject, Quotas } from "./contract.ts";
import type { FairAdmission } from "./fair-admission.ts";
import { keyOf, subjectOf } from "./scopes.ts";
import { costOf } from "./token-prices.ts";

interface LimitTurnsDeps {
  readonly quotas: Quotas;
  readonly admission: FairAdmission;
  readonly models: Pick<Models, "resolve">;
  readonly prices: QuotaConfig["prices"];
}

/**
 * Holds the turns that callers ask for to the quotas of turns, tokens and money, and to the number of turns at once. Turns without a sender
 * (agents as tools, evaluations) pass: they are part of another turn or of an operation.
 */
export function limitTurns(engine: SessionEngine, deps: LimitTurnsDeps): SessionEngine {
  const metersModels = countsModels(deps.quotas);
  return {
    ...engine,
    runTurn: (request) => {
      if (!request.sender) return engine.runTurn(request);
      const subject = subjectOf(request.sender, request.session);
      return run(engine, request, subject, metersModels, deps);
    },
  };
}

/** The turn, once it has its place; the place is free again when its reader is done or leaves. */
function run(
  engine: SessionEngine,
  request: TurnRequest,
  subject: QuotaSubject,
  metersModels: boolean,
  { quotas, admission, models, prices }: LimitTurnsDeps,
): AsyncGenerator<TurnEvent, void> {
  let leave = () => {};
  let ended = false;
  const open = async () => {
    quotas.checkPaid(subject, ["tokens", "money"]);
    quotas.use(subject, ["turns"]);
    // Callers without a name share an address behind a proxy, so their turns wait by app.
    const line = subject.caller.principal || subject.app || keyOf(subject, "caller") || "";
    leave = await admission.enter(line, request.signal);
    // Its reader left while it waited.
    if (ended) leave();
    const metered = metersModels && { models: meterModels(request.models ?? models, subject, quotas, prices) };
    return engine.runTurn({ ...request, ...metered });
  };
  const onEnd = () => {
    ended = true;
    leave();
  };
  return watchStream(() => deferStream(open), { onEnd });
}

function countsModels(quotas: Quotas): boolean {
  return quotas.counts("tokens") || quotas.counts("money");
}

/**
 * The models of work that is no turn, or whose turn another server has counted, charged to who asks for it; as they are where nothing is charged. Throws RESOURCE_EXHAUSTED when earlier charges are not paid off yet.
 */
export function chargedModels(
  sender: { readonly caller: Caller; readonly peer: Peer },
  resource: string,
  { quotas, models, prices }: Omit<LimitTurnsDeps, "admission">,
): Pick<Models, "resolve"> {
  const subject = subjectOf(sender, resource);
  quotas.checkPaid(subject, ["tokens", "money"]);
  return countsModels(quotas) ? meterModels(models, subject, quotas, prices) : models;
}

/** Models whose tokens are charged to the subject. A model gets one wrapper, because the engine compares models by identity. */
function meterModels(
  models: Pick<Models, "resolve">,
  subject: QuotaSubject,
  quotas: Quotas,
  prices: QuotaConfig["prices"],
): Pick<Models, "resolve"> {
  const metered = new Map<LanguageModel, LanguageModel>();
  const meter = (model: LanguageModel): LanguageModel => ({
    label: model.label,
    capabilities: model.capabilities,
    stream: (request, options) =>
      watchStream(() => model.stream(request, options), {
        onItem: (part) => {
          if (part.kind !== "finish") return;
          const { inputTokens = 0, outputTokens = 0 } = part.usage;
          quotas.charge(subject, "tokens", inputTokens + outputTokens);
          quotas.charge(subject, "money", costOf(model.label, part.usage, prices));
        },
        onEnd: () => undefined,
      }),
  });
  return {
    resolve(name) {
      const model = models.resolve(name);
      const known = metered.get(model) ?? meter(model);
      metered.set(model, known);
      return known;
    },
  };
}
