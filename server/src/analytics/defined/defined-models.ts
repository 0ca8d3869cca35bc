import type { ModelDefinition } from "#semantics";
import type { SemanticModel } from "../contract.ts";
import { bindModel, type DefinedModel } from "./bind-model.ts";

/** The semantic model of a data agent over its tables; undefined where its author defined none. */
export type DefinedModels = (agent: string | undefined, model: SemanticModel) => DefinedModel | undefined;

/** Binds each model once to the same tables. `definitions`: by resource name or id of the agent. */
export function createDefinedModels(definitions: ReadonlyMap<string, ModelDefinition>): DefinedModels {
  const bound = new WeakMap<SemanticModel, Map<ModelDefinition, DefinedModel>>();
  return (agent, model) => {
    const definition = agent && (definitions.get(agent) ?? definitions.get(agent.split("/").at(-1) ?? ""));
    if (!definition) return undefined;
    const known = bound.get(model) ?? new Map<ModelDefinition, DefinedModel>();
    bound.set(model, known);
    const defined = known.get(definition) ?? bindModel(definition, model);
    known.set(definition, defined);
    return defined;
  };
}
