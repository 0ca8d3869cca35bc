import { create, type Message, type MessageShape } from "@bufbuild/protobuf";
import type { RunEvaluationRequest, ScheduledEvaluationRun } from "@frontdesk/protos/ces/evaluation";
import {
  type CreateScheduledEvaluationRunRequest,
  EvaluationService,
  type UpdateScheduledEvaluationRunRequest,
} from "@frontdesk/protos/ces/evaluation_service";
import { authorOf } from "#base";
import type { Evaluations } from "#evaluation";
import { type CallContext, defineService, markValidateOnly, type ServiceRegistration } from "#rpc";
import { type StandardServiceDeps, standardCall, standardMethods } from "./standard-service.ts";

interface EvaluationServiceDeps extends StandardServiceDeps {
  readonly evaluations: Evaluations;
}

/** Evaluations, datasets, expectations, and their runs: `google.cloud.ces.v1beta.EvaluationService`. */
export function createEvaluationService(deps: EvaluationServiceDeps): ServiceRegistration {
  const { evaluations, standard } = deps;
  const { createScheduledEvaluationRun, updateScheduledEvaluationRun, getScheduledEvaluationRun } =
    EvaluationService.method;

  /** Writes a schedule, and returns it with its next time. */
  const scheduling = (method: typeof createScheduledEvaluationRun | typeof updateScheduledEvaluationRun) =>
    markValidateOnly(async (request: Message, context: CallContext): Promise<ScheduledEvaluationRun> => {
      const { app, given } = scheduledRequest(request as MessageShape<typeof method.input>);
      if (given) await evaluations.schedules.check(given, app, "scheduled_evaluation_run.request");
      const call = standardCall(method, request, context, deps.access);
      const written = (await standard.invoke(method, request, call)) as ScheduledEvaluationRun;
      if (call.validateOnly) return written;
      await evaluations.schedules.refresh(written.name);
      const { name } = written;
      const read = create(getScheduledEvaluationRun.input, { name });
      return (await standard.invoke(getScheduledEvaluationRun, read)) as ScheduledEvaluationRun;
    });

  return defineService(EvaluationService, [], {
    ...standardMethods(EvaluationService, deps),
    createScheduledEvaluationRun: scheduling(createScheduledEvaluationRun),
    updateScheduledEvaluationRun: scheduling(updateScheduledEvaluationRun),
    runEvaluation: (request, { caller }) => evaluations.run(request, authorOf(caller)),
    generateEvaluation: (request, { caller }) => evaluations.generate(request, authorOf(caller)),
    ...evaluations.transfer,
    importEvaluations: (request, { caller }) => evaluations.transfer.importEvaluations(request, authorOf(caller)),
    uploadEvaluationAudio: (request, { signal }) => evaluations.audio.upload(request, signal),
    testPersonaVoice: (request, { signal }) => evaluations.audio.testVoice(request, signal),
    runEvaluationResultMetrics: (request) => evaluations.scoreAgain(request),
  });
}

/** What a schedule is to run, where a request writes it: an update whose mask leaves it out is not refused for what has been deleted since. */
function scheduledRequest(request: CreateScheduledEvaluationRunRequest | UpdateScheduledEvaluationRunRequest): {
  readonly app: string;
  readonly given: RunEvaluationRequest | undefined;
} {
  const schedule = request.scheduledEvaluationRun;
  if ("parent" in request) return { app: request.parent, given: schedule?.request };
  const { paths = [] } = request.updateMask ?? {};
  const isWritten = paths.length === 0 || paths.some((path) => path === "*" || path.split(".")[0] === "request");
  const app = schedule?.name.replace(/\/scheduledEvaluationRuns\/.*/, "") ?? "";
  return { app, given: isWritten ? schedule?.request : undefined };
}
