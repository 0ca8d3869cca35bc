import { isAmongApps, type JsonObject } from "#base";
import { failedPrecondition, permissionDenied } from "#status";
import type { GoogleService } from "../google/google-service.ts";
import type { DialogflowAgents, DialogflowInput } from "./contract.ts";
import { readAnswer } from "./read-answer.ts";

interface DialogflowClientDeps {
  readonly service: GoogleService;
  /** Address in place of Google's own, without a slash at its end. Default: the one of the agent's location. */
  readonly endpoint?: string;
  /** Projects whose agents apps may name; the server's identity must not serve every app's wishes. Default any. */
  readonly projects?: readonly string[];
  /** Apps that may use the service. Default all. */
  readonly apps?: readonly string[];
}

/**
 * Dialogflow CX v3 by REST: `…:detectIntent`. The default language of an agent is requested once; an identity that may
 * not read agents (`roles/dialogflow.client` may not) costs one rejected request an agent, and the fallback is used.
 */
export function createDialogflowClient(deps: DialogflowClientDeps): DialogflowAgents {
  const languages = new Map<string, Promise<string | undefined>>();
  return {
    async detectIntent({ session, input, languageCode, fallbackLanguage, params }, signal, app) {
      checkApp(deps, app);
      const { agent, project, location } = partsOf(session);
      checkProject(deps, project);
      const address = deps.endpoint ?? regionalAddress(location);
      const language = languageCode ?? (await defaultLanguage(agent)) ?? fallbackLanguage;
      const queryInput = { ...toQueryInput(input), languageCode: language };
      const message: JsonObject = { queryInput, ...(Object.keys(params).length > 0 && { queryParams: params }) };
      return readAnswer(await deps.service.post(`${address}/v3/${session}:detectIntent`, message, signal));

      function defaultLanguage(name: string): Promise<string | undefined> {
        const known = languages.get(name) ?? askLanguage(deps.service, `${address}/v3/${name}`);
        languages.set(name, known);
        return known;
      }
    },
  };
}

/** `language_code` of a query is required, and only the agent knows what its own is. Never rejects. */
async function askLanguage(service: GoogleService, url: string): Promise<string | undefined> {
  // Not the turn's signal: later turns need the answer too.
  const agent = await service.get(url, AbortSignal.timeout(10_000)).catch(() => undefined);
  return typeof agent?.defaultLanguageCode === "string" ? agent.defaultLanguageCode : undefined;
}

interface SessionParts {
  readonly agent: string;
  readonly project: string;
  readonly location: string;
}

/** The name goes into an address, so it must be one and nothing else. */
const SESSION =
  /^(projects\/(\w[\w.:-]*)\/locations\/([a-z0-9-]+)\/agents\/[\w-]+)(?:\/environments\/[\w-]+)?\/sessions\/[\w-]+$/;

function partsOf(session: string): SessionParts {
  const [, agent, project, location] = SESSION.exec(session) ?? [];
  if (agent && project && location) return { agent, project, location };
  const format = "projects/{project}/locations/{location}/agents/{agent}, with an environment id when it has one";
  throw failedPrecondition(
    `'${session}' names no agent of Dialogflow. Set remote_dialogflow_agent.agent to ${format}.`,
  );
}

function checkApp({ apps }: DialogflowClientDeps, app: string): void {
  if (isAmongApps(app, apps)) return;
  throw permissionDenied(
    `The app '${app}' may not use agents of Dialogflow. Add it to dialogflow.apps in the server's configuration.`,
  );
}

function checkProject({ projects }: DialogflowClientDeps, project: string): void {
  if (!projects || projects.includes(project)) return;
  throw permissionDenied(
    `Agents of the project '${project}' may not be used. Add it to dialogflow.projects in the server's configuration.`,
  );
}

function regionalAddress(location: string): string {
  return location === "global" ? "https://dialogflow.googleapis.com" : `https://${location}-dialogflow.googleapis.com`;
}

function toQueryInput(input: DialogflowInput): JsonObject {
  switch (input.kind) {
    case "text":
      return { text: { text: input.text } };
    case "event":
      return { event: { event: input.event } };
    case "dtmf":
      return { dtmf: { digits: input.digits, ...(input.finishDigit && { finishDigit: input.finishDigit }) } };
  }
}

/** Fails every query: no operator has configured that apps may use the server's Google identity for Dialogflow. */
export const DIALOGFLOW_NOT_CONFIGURED: DialogflowAgents = {
  detectIntent: async ({ session }) => {
    const agent = session.replace(/\/(?:environments|sessions)\/.*$/, "");
    throw failedPrecondition(
      `The Dialogflow agent '${agent}' cannot be called: add the section 'dialogflow' to the server's configuration file.`,
      { reason: "DIALOGFLOW_NOT_CONFIGURED", metadata: { agent } },
    );
  },
};
