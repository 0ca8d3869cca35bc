import { BatchDeleteConversationsResponseSchema } from "@frontdesk/protos/ces/agent_service";
import { agentService } from "../../api/clients.ts";
import { waitForOperation } from "../../api/operations.ts";
import type { Deleter } from "../resources/use-deletion.ts";

/** Deletes conversations of an app, many in one request. */
export function conversationDeleter(app: string): Deleter {
  return {
    together: 500,
    atOnce: 1,
    remove: async (names) => {
      const operation = await agentService.batchDeleteConversations({ parent: app, conversations: [...names] });
      const { failedConversations, errorMessages } = await waitForOperation(
        operation,
        BatchDeleteConversationsResponseSchema,
      );
      return failedConversations.map((name, at) => ({
        name,
        reason: errorMessages[at] ?? "The server says no reason.",
      }));
    },
  };
}
