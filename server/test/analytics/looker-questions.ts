import type { Element } from "./line-clients.ts";

export const KEY = { oauth: { secret: { clientId: "id", clientSecret: "secret" } } };

export const answerOf = (elements: readonly Element[]): string =>
  elements.find(({ systemMessage }) => systemMessage?.text?.textType === "FINAL_RESPONSE")?.systemMessage.text.parts[0];
