import { create } from "@bufbuild/protobuf";
import {
  type App,
  type App_VariableDeclaration,
  App_VariableDeclarationSchema,
  AppSchema,
} from "@frontdesk/protos/ces/app";
import { DeploymentSchema } from "@frontdesk/protos/ces/deployment";
import { Schema_Type } from "@frontdesk/protos/ces/schema";
import { defineResource } from "../define-resource.ts";
import { withDerived } from "../with-derived.ts";
import { appProblems } from "./app-problems.ts";

/** Variables that every app has (ces-runtime 3.3); they are not part of version snapshots. */
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

/** The top of everything else; deleting one deletes its tree. */
export const apps = defineResource(AppSchema, "app", {
  validate: (app) =>
    app.evaluationPersonas.length > MAX_PERSONAS
      ? [
          {
            field: "evaluation_personas",
            description: `At most ${MAX_PERSONAS} personas can be defined; there are ${app.evaluationPersonas.length}.`,
          },
        ]
      : [],
  deriveFromState: async (app, state, python) =>
    withDerived(AppSchema, app, {
      deploymentCount: state.list(DeploymentSchema).length,
      predefinedVariableDeclarations: [...PREDEFINED],
      validationErrors: [...(await appProblems(app, state, python))],
    }),
  cascade: (app: App) => [`${app.name}/`],
});
