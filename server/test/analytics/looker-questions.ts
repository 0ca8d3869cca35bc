import { definedFields } from "#base";
import { type ScriptedModel, startTestServer, type TestServer } from "#testing";
import type { FakeLooker } from "./fake-looker.ts";
import type { Element } from "./line-clients.ts";

export const KEY = { oauth: { secret: { clientId: "id", clientSecret: "secret" } } };

export const answerOf = (elements: readonly Element[]): string =>
  elements.find(({ systemMessage }) => systemMessage?.text?.textType === "FINAL_RESPONSE")?.systemMessage.text.parts[0];

/** A server that may ask this Looker. Default: the built-in model answers. */
export function startLookerServer({ origin }: FakeLooker, model?: ScriptedModel): Promise<TestServer> {
  const warehouse = { sources: [], memory: "256MB", spillDir: "/tmp/none", looker: [{ origin }] };
  return startTestServer({ ...definedFields({ model }), config: { warehouse, egressAllow: ["127.0.0.1"] } });
}

/** A request about the explore of orders; `more` and `explore` replace what it says otherwise. */
export function lookerQuestion({ origin }: FakeLooker, text: string, more: object, explore: object) {
  const reference = { lookerInstanceUri: origin, lookmlModel: "shop", explore: "orders", ...explore };
  return {
    messages: [{ userMessage: { text } }],
    inlineContext: { datasourceReferences: { looker: { exploreReferences: [reference] } } },
    credentials: KEY,
    ...more,
  };
}
