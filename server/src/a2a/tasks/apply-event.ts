import { toJson } from "@bufbuild/protobuf";
import { GoogleSearchSuggestionsSchema } from "@frontdesk/protos/ces/search_suggestions";
import { CitationsSchema, type SessionOutput } from "@frontdesk/protos/ces/session_service";
import type { JsonObject } from "#base";
import type { TurnEvent } from "#session";
import { toParts } from "../messages/to-parts.ts";
import { setVariablesOf } from "../messages/variables-extension.ts";
import type { LiveTask } from "./live-task.ts";

/** What a turn does to its task. Returns the variables that it set. */
export function applyEvent(task: LiveTask, event: TurnEvent): JsonObject {
  switch (event.kind) {
    case "text-delta":
      task.addDelta(event.text);
      return {};
    case "output":
      applyOutput(task, event.output, event.alreadyStreamed);
      return {};
    case "message":
      // Calls are made when they are recorded, and may take long.
      if (event.message.chunks.some(({ data }) => data.case === "toolCall")) task.tellMost();
      return setVariablesOf(event.message);
    // Progress names tools, which are the app's own matter (A2A-2).
    case "progress":
    case "turn-completed":
      return {};
  }
}

function applyOutput(task: LiveTask, output: SessionOutput, alreadyStreamed: boolean): void {
  const { outputType } = output;
  switch (outputType.case) {
    case "citations":
      task.addAnswerMetadata({ citations: toJson(CitationsSchema, outputType.value) as JsonObject });
      break;
    case "googleSearchSuggestions":
      task.addAnswerMetadata({
        searchSuggestions: toJson(GoogleSearchSuggestionsSchema, outputType.value) as JsonObject,
      });
      break;
    case "endSession":
      task.addMetadata({ endSession: (outputType.value.metadata ?? {}) as JsonObject });
      break;
    default:
      task.addParts(toParts(output), alreadyStreamed);
  }
}
