import { create } from "@bufbuild/protobuf";
import {
  type App,
  type App_VariableDeclaration,
  App_VariableDeclarationSchema,
  AppSchema,
} from "@frontdesk/protos/ces/app";
import { DeploymentSchema } from "@frontdesk/protos/ces/deployment";
import { Schema_Type } from "@frontdesk/protos/ces/schema";
import type { FieldViolation } from "#status";
import { defineResource } from "../define-resource.ts";
import { withDerived } from "../with-derived.ts";
import { appProblems } from "./app-problems.ts";
import { voiceViolations } from "./app-voice.ts";

/** Variables that every app has (TURN-41); they are not part of version snapshots. */
const PREDEFINED: readonly App_VariableDeclaration[] = [
  create(App_VariableDeclarationSchema, {
    name: "current_date",
    description: "The date of the conversation in its time zone.",
    schema: { type: Schema_Type.STRING },
  }),
  create(App_VariableDeclarationSchema, {
    name: "_session",
    description: "The session: its id and what the channel tells of it.",
    schema: { type: Schema_Type.OBJECT },
  }),
];

/** Personas that one app can have (App.evaluation_personas' comment). */
const MAX_PERSONAS = 30;

/** Longest that conversations can be kept, in seconds: two years (CONV-11). */
const MAX_RETENTION = 730n * 86_400n;

/** The top of everything else; deleting one deletes its tree. */
export const apps = defineResource(AppSchema, "app", {
  validate: (app) => [...personaViolations(app), ...retentionViolations(app), ...voiceViolations(app)],
  deriveFromState: async (app, state, python) =>
    withDerived(AppSchema, app, {
      deploymentCount: state.list(DeploymentSchema).length,
      predefinedVariableDeclarations: [...PREDEFINED],
      validationErrors: [...(await appProblems(app, state, python))],
    }),
  cascade: (app: App) => [`${app.name}/`],
});

function personaViolations({ evaluationPersonas }: App): readonly FieldViolation[] {
  if (evaluationPersonas.length <= MAX_PERSONAS) return [];
  const description = `At most ${MAX_PERSONAS} personas can be defined; there are ${evaluationPersonas.length}.`;
  return [{ field: "evaluation_personas", description }];
}

function retentionViolations({ loggingSettings }: App): readonly FieldViolation[] {
  const window = loggingSettings?.conversationLoggingSettings?.retentionWindow;
  if (!window || (window.seconds > 0n && window.seconds <= MAX_RETENTION)) return [];
  return [
    {
      field: "logging_settings.conversation_logging_settings.retention_window",
      description: `A retention window is longer than 0s and at most ${MAX_RETENTION}s (two years); this one is ${window.seconds}s.`,
    },
  ];
}
