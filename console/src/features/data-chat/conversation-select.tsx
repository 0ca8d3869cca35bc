import { timestampDate } from "@bufbuild/protobuf/wkt";
import { useQuery } from "@connectrpc/connect-query";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { useEffect } from "react";
import { locationOf, resourceId } from "../../api/resource-names.ts";
import { dateTimeText } from "../../components/date-time-text.ts";
import { SelectField } from "../../components/field.tsx";

/** Milliseconds between two looks for conversations that began elsewhere. */
const POLL_INTERVAL_MS = 15_000;

interface ConversationSelectProps {
  /** Resource name of the data agent. */
  readonly agent: string;
  /** Resource name of the conversation on screen; "" = a new one. */
  readonly open: string;
  readonly onOpen: (conversation: string) => void;
}

/** Chooses among the newest conversations with an agent; nothing where there are none. */
export function ConversationSelect({ agent, open, onOpen }: ConversationSelectProps) {
  const parent = locationOf(agent);
  const filter = `agents:"${agent}"`;
  const past = useQuery(
    DataChatService.method.listConversations,
    { parent, pageSize: 30, filter },
    { refetchInterval: POLL_INTERVAL_MS },
  );
  const { refetch } = past;
  // A first question has made a conversation that the list does not have yet.
  useEffect(() => {
    if (open) void refetch();
  }, [open, refetch]);
  const stored = (past.data?.conversations ?? []).map(({ name, lastUsedTime }) => ({
    value: name,
    label: lastUsedTime ? dateTimeText(timestampDate(lastUsedTime), { seconds: true }) : resourceId(name),
  }));
  if (stored.length === 0) return null;
  const known = open === "" || stored.some(({ value }) => value === open);
  const current = known ? [] : [{ value: open, label: "Current conversation" }];
  return (
    <SelectField
      label="Conversation"
      hideLabel
      value={open}
      choices={[{ value: "", label: "New conversation" }, ...current, ...stored]}
      onChange={onOpen}
    />
  );
}
