/** How much a generation may take. */
export interface GenerationLimits {
  /** Drafts of one generation: the first, and those that repair it. Default 5. */
  readonly rounds: number;
  /** Tokens of all model calls of one generation, those of its evaluations included. Default 1,000,000. */
  readonly tokens: number;
  /** Tokens of one answer of the model. Default 16,384. */
  readonly answerTokens: number;
  /** Milliseconds for one answer of the model. Default 300,000. */
  readonly answerMs: number;
}

export const DEFAULT_GENERATION_LIMITS: GenerationLimits = {
  rounds: 5,
  tokens: 1_000_000,
  answerTokens: 16_384,
  answerMs: 300_000,
};

/** Characters of a description (`context`). Longer material belongs into files. */
export const MAX_CONTEXT = 100_000;
/** Characters of the instructions to refine one part. */
export const MAX_REFINE_INSTRUCTION = 10_000;
/** Parts of a resource that one request refines. */
export const MAX_REFINED_PARTS = 20;
/** Files of one request. */
export const MAX_FILES = 20;
/** Bytes of one file. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** Characters of all files together that a model gets; the rest is left out, and the result says so. */
export const MAX_DOCUMENT_CHARACTERS = 400_000;
/** Characters of an app as a model gets it. */
export const MAX_SHOWN_APP = 600_000;
/** Characters of an app as the assistant gets it at first; it reads the rest of a larger one by methods. */
export const MAX_OVERVIEW = 100_000;
/** Characters of one answer of a model. */
export const MAX_ANSWER_CHARACTERS = 400_000;
/** Agents, tools and evaluations that a generated app may have. */
export const MAX_AGENTS = 30;
export const MAX_TOOLS = 60;
export const MAX_EVALUATIONS = 60;
/** Goldens that each draft is run against. */
export const MAX_GOLDENS_RUN = 50;
