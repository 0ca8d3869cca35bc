import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type GenerateAppResourceOperationMetadata,
  type GenerateAppResourceRequest,
  GenerateAppResourceOperationMetadataSchema as MetadataSchema,
  GenerateAppResourceResponseSchema as ResponseSchema,
} from "@frontdesk/protos/ces/agent_service";
import type { Ids, Logger } from "#base";
import type { LanguageModel, Models } from "#models";
import type { OperationHandle, Operations } from "#operations";
import { createDocumentReader } from "#search";
import { ConnectError } from "#status";
import { createAuthor, writingModel } from "./author/author.ts";
import { TokenBudget } from "./author/token-budget.ts";
import type { Job, JobResult } from "./configurations/job.ts";
import { planJob } from "./configurations/plan-job.ts";
import type { Generation, GenerationResources, OpenTrialServer } from "./contract.ts";
import { LazyTrialServer } from "./lazy-trial-server.ts";
import type { GenerationLimits } from "./limits.ts";
import { explanationOf, partialErrorsOf } from "./report/explanation.ts";
import { createRevise } from "./revise/create-revise.ts";

/** What generations need. */
export interface GenerationDeps {
  readonly resources: GenerationResources;
  readonly operations: Pick<Operations, "start">;
  readonly models: Pick<Models, "resolve">;
  /** Name of the model that writes. "" = the server's default model. */
  readonly model: string;
  readonly openTrialServer: OpenTrialServer;
  readonly limits: GenerationLimits;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** A job with the models that it has. */
interface Checked {
  readonly job: Job;
  readonly models: Pick<Models, "resolve">;
  /** The one that writes. */
  readonly model: LanguageModel | undefined;
}

/** Creates the generations of a server. */
export function createGeneration(deps: GenerationDeps): Generation {
  const { resources, operations, model: modelName } = deps;
  const reader = createDocumentReader();
  const revise = createRevise(deps);

  async function checked(request: GenerateAppResourceRequest, models = deps.models): Promise<Checked> {
    const job = await planJob(request, { resources, reader });
    return { job, models, model: job.needsModel ? writingModel(models, modelName) : modelOrNone(models, modelName) };
  }

  async function run({ job, models, model }: Checked, target: string, handle: OperationHandle): Promise<Response> {
    const metadata = create(MetadataSchema, { generationType: job.type, target });
    const show = (changes: Partial<GenerateAppResourceOperationMetadata>) =>
      handle.progress(Object.assign(metadata, changes));
    const budget = new TokenBudget(deps.limits.tokens);
    const metered = budget.meter(models);
    const trialServer = new LazyTrialServer(() => deps.openTrialServer(metered), deps.logger);
    try {
      const result = await job.run({
        author: model && createAuthor(metered.resolve(modelName), deps.limits),
        trialServer: trialServer.get,
        reader,
        ids: deps.ids,
        limits: deps.limits,
        signal: handle.signal,
        progress: (message) => show({ message }),
      });
      handle.signal.throwIfAborted();
      await show({ message: "Done.", partialErrors: partialErrorsOf(result.explained.measured) });
      return responseOf(result, budget.spent);
    } finally {
      await trialServer.close();
    }
  }

  return {
    check: async (request) => void (await checked(request)),
    start: async (request, models) => {
      const { parent: target } = request;
      const job = await checked(request, models);
      return operations.start({
        subject: target,
        kind: "GenerateAppResource",
        metadata: create(MetadataSchema, { generationType: job.job.type, target }),
        response: ResponseSchema,
        work: (handle) => run(job, target, handle),
      });
    },
    revise,
    close: async () => void (await Promise.all([reader.close(), revise.close()])),
  };
}

type Response = MessageInitShape<typeof ResponseSchema>;

function responseOf({ resource, explained }: JobResult, tokens: number): Response {
  return { generatedResource: resource, generateResultInfo: { explanation: explanationOf({ ...explained, tokens }) } };
}

/** The model for jobs that are something without one, too. */
function modelOrNone(models: Pick<Models, "resolve">, name: string): LanguageModel | undefined {
  try {
    return writingModel(models, name);
  } catch (error) {
    if (error instanceof ConnectError) return undefined;
    throw error;
  }
}
