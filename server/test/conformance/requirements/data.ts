import type { Requirement } from "./requirement.ts";

/** Data agents, conversations with them, and questions to data. */
export const DATA = {
  "data-agent-operations": {
    sentence: "A data agent is created, updated and deleted in operations that are done when they are answered",
    source: "data_agent_service.proto, CA-2",
  },
  "data-agent-published": {
    sentence: "What was published before an update is stored as the last published context, which no client can set",
    source: "data_analytics_agent.proto: last_published_context, CA-4",
  },
  "data-agent-soft-delete": {
    sentence:
      "A deleted data agent is read for thirty days, listed with show_deleted, and not changed; its id stays taken",
    source: "data_agent.proto: purge_time, AIP-164, CA-3",
  },
  "data-agent-request-id": {
    sentence: "A request with a request_id is carried out once, and its repetition gets the same answer",
    source: "data_agent_service.proto: request_id, AIP-155, CA-2",
  },
  "data-chat-stored": {
    sentence: "A question in a conversation and every message of its answer are listed, newest first",
    source: "data_chat_service.proto: ListMessages",
  },
  "data-chat-order": {
    sentence:
      "An answer leads from the schema over query, SQL and rows to FINAL_RESPONSE, and ends with follow-up questions",
    source: "data_chat_service.proto: Message, CA-9",
  },
  "data-chat-context": {
    sentence: "A question has exactly one context, and a conversation is answered with its own agent only",
    source: "data_chat_service.proto: ChatRequest.context_provider, CA-7",
  },
  "data-query-options": {
    sentence: "QueryData answers the query alone, and what its options ask for beside it",
    source: "data_chat_service.proto: GenerationOptions, CA-22",
  },
} as const satisfies Record<string, Requirement>;
