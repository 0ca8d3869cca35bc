import { LRUCache } from "lru-cache";
import type { ModelDefinition } from "#semantics";
import type { SemanticModel } from "../contract.ts";
import { readAgentModel } from "./agent-model.ts";
import { bindModel, type DefinedModel } from "./bind-model.ts";

/** The semantic model of a data agent over its tables; undefined where its author defined none. */
export type DefinedModels = (agent: AskedAgent, model: SemanticModel) => DefinedModel | undefined;

/** The agent that is asked. */
interface AskedAgent {
  /** Resource name; absent for a context of the request's own. */
  readonly name: string | undefined;
  /** The model that the agent has itself, as the text of a model file; "" for none. It goes before one of the configuration. */
  readonly semanticModel: string;
}

/** Models of agents whose texts were read last. */
const MAX_MODELS = 50;

/** Binds each model once to the same tables. `definitions`: by resource name or id of the agent. */
export function createDefinedModels(definitions: ReadonlyMap<string, ModelDefinition>): DefinedModels {
  const bound = new WeakMap<SemanticModel, Map<ModelDefinition, DefinedModel>>();
  const read = new LRUCache<string, ModelDefinition>({ max: MAX_MODELS });
  const ownOf = (text: string) => {
    const definition = read.get(text) ?? readAgentModel(text);
    read.set(text, definition);
    return definition;
  };
  const configured = (name: string) => definitions.get(name) ?? definitions.get(name.split("/").at(-1) ?? "");
  return ({ name, semanticModel }, model) => {
    const definition = semanticModel === "" ? name && configured(name) : ownOf(semanticModel);
    if (!definition) return undefined;
    const known = bound.get(model) ?? new Map<ModelDefinition, DefinedModel>();
    bound.set(model, known);
    const defined = known.get(definition) ?? bindModel(definition, model);
    known.set(definition, defined);
    return defined;
  };
}
