import type { ModelDefinition } from "#semantics";
import type { SemanticModel } from "../contract.ts";
import { readAgentModel } from "./agent-model.ts";
import { bindModel, type DefinedModel } from "./bind-model.ts";

/** The semantic model of a data agent over its tables; undefined where its author defined none. */
export type DefinedModels = (agent: AskedAgent, model: SemanticModel) => Promise<DefinedModel | undefined>;

/** The agent that is asked. */
interface AskedAgent {
  /** Resource name; absent for a context of the request's own. */
  readonly name: string | undefined;
  /** The model that the agent has itself, as the text of a model file; "" for none. It goes before one of the configuration. */
  readonly semanticModel: string;
}

/** Binds each model once to the same tables. `definitions`: by resource name or id of the agent. */
export function createDefinedModels(definitions: ReadonlyMap<string, ModelDefinition>): DefinedModels {
  const bound = new WeakMap<SemanticModel, Map<ModelDefinition, DefinedModel>>();
  const configured = (name: string) => definitions.get(name) ?? definitions.get(name.split("/").at(-1) ?? "");
  return async ({ name, semanticModel }, model) => {
    const definition = semanticModel === "" ? name && configured(name) : await readAgentModel(semanticModel);
    if (!definition) return undefined;
    const known = bound.get(model) ?? new Map<ModelDefinition, DefinedModel>();
    bound.set(model, known);
    const defined = known.get(definition) ?? bindModel(definition, model);
    known.set(definition, defined);
    return defined;
  };
}
