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
import { withDerived } from "../resource.ts";
import { appProblems } from "./app-problems.ts";

/** Variables that every app has (TURN-41); they are not part of version snapshots. */
const PREDEFINED: readonly App_VariableDeclaration[] = [
  create(App_VariableDeclarationSchema, {
    name: "current_date",
    description: "The date of the conversation in its time zone.",
    schema: { type: Schema_Type.STRING },
  }),
  create(App_VariableDeclarationSchema, {
    name: "_session",
    description: "The session: its id and the data of its channel.",
    schema: { type: Schema_Type.OBJECT },
  }),
];

/** Personas that one app can have (App.evaluation_personas' comment). */
const MAX_PERSONAS = 30;

/** The longest retention of conversations, in seconds: two years (CONV-11). */
const MAX_RETENTION = 730n * 86_400n;

/** Apps: the parents of all other resources. Deleting one deletes everything below it. */
export const apps = defineResource(AppSchema, "app", {
  validate: (app) => [...personaViolations(app), ...retentionViolations(app), ...voiceViolations(app)],
  deriveFromState: async (app, state, python) =>
    withDerived(app, {
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

/** Voice settings outside the ranges of their proto comments. */
function voiceViolations({ audioProcessingConfig }: App): readonly FieldViolation[] {
  const { synthesizeSpeechConfigs = {}, ambientSoundConfig } = audioProcessingConfig ?? {};
  const slow = Object.entries(synthesizeSpeechConfigs).filter(
    // Unset is 0, which means the voice's own speed.
    ([, { speakingRate }]) => speakingRate !== 0 && !(speakingRate >= 0.25 && speakingRate <= 2),
  );
  const gain = ambientSoundConfig?.volumeGainDb ?? 0;
  return [
    ...slow.map(([language, { speakingRate }]) => ({
      field: `audio_processing_config.synthesize_speech_configs.${language}.speaking_rate`,
      description: `A speaking rate is from 0.25 to 2; this one is ${speakingRate}.`,
    })),
    ...(gain >= -96 && gain <= 16
      ? []
      : [
          {
            field: "audio_processing_config.ambient_sound_config.volume_gain_db",
            description: `A volume gain is from -96 to 16 dB; this one is ${gain}.`,
          },
        ]),
  ];
}
