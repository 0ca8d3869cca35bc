import { readFileSync } from "node:fs";
import { z } from "zod";
import { FileFault, type ModelDefinition, ModelFault, readModelFile } from "#semantics";
import { ConfigPath } from "./config-path.ts";

/** The section `analytics` of the config file: the semantic models of data agents. */
export const AnalyticsSectionSchema = z.strictObject({
  /** Model files by the id, or the resource name, of the data agent. */
  semanticModels: z.record(z.string().min(1), ConfigPath).optional(),
});

export interface AnalyticsConfig {
  /** Semantic models by the id, or the resource name, of their data agents. */
  readonly definedModels: ReadonlyMap<string, ModelDefinition>;
}

/** Reads the model files. A file that is missing or has faults ends the start, with all of them. */
export function analyticsConfig(
  { semanticModels = {} }: z.infer<typeof AnalyticsSectionSchema> = {},
  fault: (sentence: string) => Error,
): AnalyticsConfig {
  const models = Object.entries(semanticModels).map(([agent, path]) => {
    const at = `analytics.semanticModels.${agent}`;
    try {
      return [agent, readModelFile({ path, text: readFileSync(path, "utf8") })] as const;
    } catch (error) {
      if (error instanceof ModelFault || error instanceof FileFault) throw fault(`${at}: ${error.message}`);
      throw fault(`${at}: ${path} cannot be read: ${(error as Error).message}`);
    }
  });
  return { definedModels: new Map(models) };
}
