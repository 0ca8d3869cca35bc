/** Golden and scenario runs: they drive the engine, not the wire, and read the same recorded conversation a person would. */
export type { EvaluationCase, Evaluations } from "./contract.ts";
