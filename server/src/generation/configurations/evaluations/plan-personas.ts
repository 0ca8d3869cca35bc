import { clone, create } from "@bufbuild/protobuf";
import { GenerateAppResourceOperationMetadata_GenerationType as GenerationType } from "@frontdesk/protos/ces/agent_service";
import { AppSchema, type EvaluationPersona, EvaluationPersonaSchema } from "@frontdesk/protos/ces/app";
import { AppSnapshotSchema } from "@frontdesk/protos/ces/app_version";
import { z } from "zod";
import type { AppTree } from "#resources";
import { failedPrecondition } from "#status";
import { MATERIAL_IS_DATA, materialOf } from "../../author/material.ts";
import { shownApp } from "../../sketch/shown-app.ts";
import { authorOf } from "../drafting.ts";
import type { Job, JobResult, PlanJob, Work } from "../job.ts";
import { assertHasAgents } from "./plan-evaluations.ts";

/** Personas that one app can have (App.evaluation_personas' comment). */
const MAX_PERSONAS = 30;

const Shape = z.object({
  explanation: z.string().max(4_000),
  personas: z
    .array(
      z.object({
        name: z.string().min(1).max(85),
        description: z.string().max(500).describe("Who it is, one sentence."),
        personality: z.string().min(1).max(2_000).describe("How it behaves, as an instruction to who plays it."),
      }),
    )
    .min(1)
    .max(MAX_PERSONAS),
});

/** Personas for the simulated users of an app. They are answered in the app of a snapshot, because the response has no list of them (GEN-2). */
export const planPersonas: PlanJob = ({ base }): Job => {
  assertHasAgents(base);
  if (base.app.evaluationPersonas.length >= MAX_PERSONAS) {
    throw failedPrecondition(
      `The app has ${MAX_PERSONAS} personas, which is the most that it can have. Delete some first.`,
    );
  }
  return {
    type: GenerationType.EVALUATION_PERSONA_CREATE,
    needsModel: true,
    run: (work) => generatePersonas(base, work),
  };
};

async function generatePersonas(base: AppTree, work: Work): Promise<JobResult> {
  const had = base.app.evaluationPersonas;
  await work.progress("Writing personas.");
  const answer = await authorOf(work).write(
    {
      caller: "generate personas",
      system: `${TASK}\n\n${MATERIAL_IS_DATA}`,
      material: materialOf([
        ["app", shownApp(base)],
        ["existing", JSON.stringify(had.map(({ displayName }) => displayName))],
      ]),
      shape: Shape,
    },
    work.signal,
  );
  const taken = new Set(had.map(({ displayName }) => displayName));
  const written = answer.personas.filter(({ name }) => !taken.has(name) && taken.add(name));
  const added = written.slice(0, MAX_PERSONAS - had.length).map((persona) => personaOf(persona, base, work));
  const left = answer.personas.length - added.length;
  const app = clone(AppSchema, base.app);
  app.evaluationPersonas.push(...added);
  return {
    resource: { case: "appSnapshot", value: create(AppSnapshotSchema, { app }) },
    explained: {
      explanation: answer.explanation,
      changes: added.map(({ displayName }) => `adds the persona '${displayName}'`),
      notes:
        left > 0
          ? [`${left} personas were left out: their names are taken, or the app would have more than ${MAX_PERSONAS}.`]
          : [],
      rounds: 1,
    },
  };
}

const TASK =
  "You write personas for tests of the app in <app>: people who talk to it, each different in patience, knowledge, manner of speaking and in what makes " +
  "the conversation hard. Three to six of them, none of those that <existing> names. A persona is nobody real, and has no data of a real person. Answer with JSON.";

function personaOf(
  { name: displayName, description, personality }: z.infer<typeof Shape>["personas"][number],
  { app }: AppTree,
  { ids }: Work,
): EvaluationPersona {
  const name = `${app.name}/evaluationPersonas/${ids.uuid()}`;
  return create(EvaluationPersonaSchema, { name, displayName, description, personality });
}
