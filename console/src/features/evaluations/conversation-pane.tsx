import { useQuery } from "@connectrpc/connect-query";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { resourceId } from "../../api/resource-names.ts";
import { SelectField } from "../../components/field.tsx";
import { TurnView } from "../simulator/turn-view.tsx";
import { useRecordedConversation } from "./use-recorded-turns.ts";

/** Conversations to choose from: the newest. */
const MOST_CONVERSATIONS = 50;

/** A stored conversation beside what is edited. The choice is in the address. */
export function ConversationPane({ app }: { readonly app: string }) {
  const navigate = useNavigate();
  const { conversation = "", tab } = useSearch({ strict: false });
  const { data } = useQuery(AgentService.method.listConversations, { parent: app, pageSize: MOST_CONVERSATIONS });
  const turns = useRecordedConversation(conversation === "" ? "" : `${app}/conversations/${conversation}`);
  const ids = (data?.conversations ?? []).map(({ name }) => resourceId(name));
  const known = conversation === "" || ids.includes(conversation) ? ids : [conversation, ...ids];
  const choose = (id: string) =>
    void navigate({ to: ".", search: { tab, ...(id !== "" && { conversation: id }) }, replace: true });
  return (
    <aside className="stack" aria-label="Conversation">
      <SelectField
        label="Conversation"
        value={conversation}
        choices={[{ value: "", label: "None" }, ...known.map((id) => ({ value: id, label: id }))]}
        onChange={choose}
        hint="Shown beside the evaluation, to compare."
        disabled={false}
      />
      {turns.map((turn) => (
        <TurnView key={turn.index} turn={turn} chosen={false} />
      ))}
    </aside>
  );
}
