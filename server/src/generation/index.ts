/** GenerateAppResource: models write resources of apps, and what they write is tried before it is answered. See README.md. */
export type {
  AssistRequest,
  Examination,
  Generation,
  GenerationModels,
  GenerationResources,
  Proposal,
  Revision,
  RevisionRequest,
  TrialServer,
} from "./contract.ts";
export { createGeneration } from "./create-generation.ts";
export { DEFAULT_GENERATION_LIMITS, type GenerationLimits } from "./limits.ts";
