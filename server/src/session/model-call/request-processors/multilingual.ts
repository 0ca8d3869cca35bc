import type { AppIndex } from "../../app-index.ts";
import { appendToPrompt } from "./append-to-prompt.ts";
import type { RequestProcessor } from "./request-processors.ts";

/** What apps with multilingual support say to every agent (TURN-39). */
export const multilingual: RequestProcessor = (request, { index }) => appendToPrompt(request, blockOf(index));

const blocks = new WeakMap<AppIndex, string>();

function blockOf(index: AppIndex): string {
  let block = blocks.get(index);
  if (block === undefined) {
    block = index.app.languageSettings?.enableMultilingualSupport ? multilingualBlock(index) : "";
    blocks.set(index, block);
  }
  return block;
}

/** It is about understanding: what language an agent answers in is for its instruction to say, as hosted. */
function multilingualBlock({ app, languageCode }: AppIndex): string {
  const { supportedLanguageCodes = [] } = app.languageSettings ?? {};
  const languages = [...new Set([languageCode, ...supportedLanguageCodes])].filter((code) => code !== "");
  return [
    `Users may write in any of these languages (as codes): ${languages.join(", ") || "any"}, mix them in one message and change between them.`,
    "Understand each message in its own language. Give tools their arguments in the form that they ask for, whatever language the user writes in; leave names, addresses, codes and quoted words as the user wrote them.",
    "Do not take a change of language for a mistake or for a new request.",
  ].join("\n");
}
