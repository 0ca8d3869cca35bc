import { definedFields, type Egress, type Logger } from "#base";
import { FairAdmission, limitTurns, type Quotas } from "#quota";
import {
  type Conversations,
  createBuiltinRedaction,
  createConversations,
  createDialogflowClient,
  createDlpRedaction,
  createGoogleService,
  createLiveSessions,
  createRetention,
  createSessionEngine,
  createSharedOutcomes,
  createTextThreads,
  createVoiceConversation,
  type DialogflowAgents,
  type LiveSessions,
  type Redaction,
  type Retention,
  type SessionEngine,
  type TextThreads,
  type TurnForwarding,
  withSpeechOutput,
} from "#session";
import { createSpeech, type Speech } from "#speech";
import type { Tools } from "#tools";
import type { Config } from "../config.ts";
import { createConversationExports } from "../exports/create-exports.ts";
import { timeTurns } from "../metrics/time-turns.ts";
import { recordedDialogflow } from "../recording/calls.ts";
import type { Telemetry } from "../telemetry/create-telemetry.ts";
import { VERSION } from "../version.ts";
import type { Platform } from "./platform.ts";

/** Sessions, live sessions, and the conversations that they store. */
export interface Sessions {
  readonly sessions: SessionEngine;
  /** Where turns run that were admitted and are counted elsewhere. */
  readonly engine: SessionEngine;
  readonly live: LiveSessions;
  readonly conversations: Conversations;
  readonly retention: Retention;
  readonly speech: Speech;
  readonly redaction: Redaction;
  /** Ends what goes on after turns. */
  close(): Promise<void>;
}

/** Creates the session engine with everything around it: recording, speech, metrics and telemetry. */
export async function createSessions(
  platform: Platform,
  {
    tools,
    quotas,
    forwarding,
  }: { readonly tools: Tools; readonly quotas: Quotas; readonly forwarding: TurnForwarding | undefined },
): Promise<Sessions> {
  const { config, storage, clockWatch, models, sandbox, egress, metrics, clock, ids, logger, recorder } = platform;
  // One queue for all long texts of the server.
  const textThreads = createTextThreads();
  const redaction = createRedaction(config, egress, logger, textThreads);
  const telemetry = await openTelemetry(config, logger);
  const dialogflow = createDialogflow(platform);
  const exports = await createConversationExports(config, {
    ...{ store: storage.exports, jobs: storage.jobs, egress, metrics, clock, logger },
    isClockDoubted: async () => (await clockWatch.doubt()) !== undefined,
  });
  const engine = createSessionEngine({
    models,
    sandbox,
    tools,
    storage: storage.conversations,
    clock,
    ids,
    logger,
    redaction,
    textThreads,
    ...definedFields({ dialogflow }),
    ...(telemetry && { observe: telemetry.observe }),
    exports,
    maxModelCalls: config.maxModelCalls,
    ...definedFields({ forwarding }),
    outcomes: createSharedOutcomes({ store: storage.shortLived, replica: storage.replica, ids, clock, logger }),
  });
  const { providers, ...voice } = config.voice;
  const speech = createSpeech(providers);
  const speaking = withSpeechOutput(recorder?.record(engine) ?? engine, { speech, clock, logger });
  const { turnsAtOnce, prices } = config.quotas;
  const admission = new FairAdmission(turnsAtOnce);
  const sessions = limitTurns(timeTurns(speaking, metrics, clock), { quotas, admission, models, prices });
  const live = createLiveSessions({
    voice: createVoiceConversation({ speech, egress, clock, logger, ...voice }),
    engine: sessions,
    unprompted: sessions.unprompted,
    logger,
    limits: config.live,
  });
  const conversations = createConversations(storage.conversations);
  const retention = createRetention({ ...storage, redaction, clock });
  const close = async () => void (await Promise.all([engine.close(), telemetry?.close(), exports.close()]));
  return { sessions, engine, live, conversations, retention, speech, redaction, close };
}

function createDialogflow({ config, egress, recorder }: Platform): DialogflowAgents | undefined {
  if (!config.dialogflow) return undefined;
  const { endpoint, projects, apps, accessToken, timeoutMs } = config.dialogflow;
  const service = createGoogleService({ label: "Dialogflow", egress, accessToken, timeoutMs });
  const agents = createDialogflowClient(definedFields({ service, endpoint, projects, apps }));
  return recorder ? recordedDialogflow(agents, recorder.scope) : agents;
}

/** The built-in detectors; Cloud DLP for apps that name its templates, when the operator configured it. */
function createRedaction(
  { redaction, dlp }: Config,
  egress: Egress,
  logger: Logger,
  textThreads: TextThreads,
): Redaction {
  const fallback = createBuiltinRedaction(redaction, textThreads);
  if (!dlp) return fallback;
  const { endpoint, projects, apps, accessToken, timeoutMs } = dlp;
  const service = createGoogleService({ label: "Cloud DLP", egress, accessToken, timeoutMs });
  return createDlpRedaction(definedFields({ service, fallback, logger, endpoint, projects, apps }));
}

/** The module is loaded only when an endpoint is configured. */
async function openTelemetry({ telemetry, database }: Config, logger: Logger): Promise<Telemetry | undefined> {
  if (!telemetry) return undefined;
  const { createTelemetry } = await import("../telemetry/create-telemetry.ts");
  return createTelemetry(telemetry, { version: VERSION, logger, replica: database?.replica });
}
