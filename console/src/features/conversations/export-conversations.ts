import { toJson } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import {
  type Conversation,
  ConversationSchema,
  Conversation_Source as Source,
} from "@frontdesk/protos/ces/conversation";
import { milliseconds } from "../../api/timestamp.ts";
import { transport } from "../../api/transport.ts";
import { toCsv } from "../../components/download.ts";
import type { ConversationMetrics } from "./conversation-metrics.ts";

const client = createClient(AgentService, transport);

/** Whole conversations as a JSON array, as the API writes them; `onProgress` gets the number that was read. */
export async function conversationsAsJson(
  names: readonly string[],
  onProgress: (read: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const texts: string[] = [];
  for (const name of names) {
    const conversation = await client.getConversation({ name }, { signal });
    texts.push(JSON.stringify(toJson(ConversationSchema, conversation), null, 2));
    onProgress(texts.length);
  }
  return `[\n${texts.join(",\n")}\n]\n`;
}

const COLUMNS = [
  "conversation",
  "start_time",
  "end_time",
  "source",
  "turns",
  "began_with",
  "failures",
  "first_failure",
  "escalated",
  "stopped_by_guardrail",
  "tokens",
  "deployment",
  "app_version",
  "language_code",
];

/** A line a conversation; what was not read is empty. */
export function conversationsAsCsv(
  conversations: readonly Conversation[],
  metrics: ReadonlyMap<string, ConversationMetrics>,
): string {
  return toCsv({
    columns: COLUMNS.map((name) => ({ name })),
    rows: conversations.map((conversation) => cells(conversation, metrics.get(conversation.name))),
  });
}

function cells(conversation: Conversation, metrics: ConversationMetrics | undefined): readonly string[] {
  return [
    conversation.name,
    new Date(milliseconds(conversation.startTime)).toISOString(),
    new Date(milliseconds(conversation.endTime)).toISOString(),
    Source[conversation.source],
    String(conversation.turnCount),
    metrics?.opening ?? "",
    metrics ? String(metrics.errors.length) : "",
    metrics?.errors[0] ?? "",
    metrics ? String(metrics.escalated) : "",
    metrics ? String(metrics.stopped) : "",
    metrics ? String(metrics.tokens) : "",
    conversation.deployment,
    conversation.appVersion,
    conversation.languageCode,
  ];
}
