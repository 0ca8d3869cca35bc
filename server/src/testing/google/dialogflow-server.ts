import type { JsonObject } from "#base";
import { type GoogleReply, type GoogleServer, startGoogleServer } from "./google-server.ts";
import { publishedTypes } from "./published-type.ts";

const SESSION =
  /^\/v3\/projects\/[^/]+\/locations\/[^/]+\/agents\/[^/]+(?:\/environments\/[^/]+)?\/sessions\/[^/:]+:detectIntent$/;
const AGENT = /^\/v3\/projects\/[^/]+\/locations\/[^/]+\/agents\/[^/:]+$/;

/** What one query gets: a `QueryResult`, or an error. */
export type FlowAnswer =
  | JsonObject
  | { readonly status: number; readonly errorMessage: string; readonly retryAfter?: string };

/**
 * Dialogflow CX at the edge: `detectIntent` and reading an agent, by the published definition. Each query gets the next answer of
 * the script, or what a function of the request makes of it; a message that the definition does not know is rejected, as is a query
 * beyond the script.
 */
export async function startDialogflow({
  answers,
  defaultLanguage,
}: {
  readonly answers: readonly FlowAnswer[] | ((request: JsonObject) => FlowAnswer);
  /** Absent: the identity may not read agents. */
  readonly defaultLanguage?: string;
}): Promise<GoogleServer> {
  const check = publishedTypes("google/cloud/dialogflow/cx/v3/session.proto");
  const answerTo = typeof answers === "function" ? answers : played(answers);
  return startGoogleServer(({ method, path, message }): GoogleReply => {
    if (method === "GET" && AGENT.test(path))
      return defaultLanguage
        ? { defaultLanguageCode: defaultLanguage }
        : { status: 403, errorMessage: "Permission denied." };
    if (method !== "POST" || !SESSION.test(path)) return { status: 404, errorMessage: `Not found: ${method} ${path}` };
    const unknownFields = check("google.cloud.dialogflow.cx.v3.DetectIntentRequest", message);
    if (unknownFields.length > 0) return { status: 400, errorMessage: `Unknown name ${unknownFields.join(", ")}` };
    const next = answerTo(message);
    if (!next) return { status: 400, errorMessage: "a query that is not in the script" };
    if ("errorMessage" in next) return next;
    const wrong = check("google.cloud.dialogflow.cx.v3.QueryResult", next);
    return wrong.length > 0
      ? { status: 500, errorMessage: `the script has unknown fields: ${wrong.join(", ")}` }
      : { responseId: "r-1", queryResult: next };
  });
}

function played(answers: readonly FlowAnswer[]): () => FlowAnswer | undefined {
  const script = [...answers];
  return () => script.shift();
}
