import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { Download } from "lucide-react";
import { useState } from "react";
import { type Refusal, toRefusal } from "../../api/refusal.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { Menu } from "../../components/menu.tsx";
import { download } from "../ask/download.ts";
import type { ConversationFacts } from "./conversation-facts.ts";
import { conversationsAsCsv, conversationsAsJson } from "./export-conversations.ts";

interface ExportMenuProps {
  /** What is exported: what is chosen, or everything that is shown. */
  readonly conversations: readonly Conversation[];
  readonly facts: ReadonlyMap<string, ConversationFacts>;
}

/** Saves conversations as files. */
export function ExportMenu({ conversations, facts }: ExportMenuProps) {
  const [progress, setProgress] = useState<{ readonly read: number; readonly aborter: AbortController }>();
  const [refusal, setRefusal] = useState<Refusal>();
  const saveJson = async () => {
    const aborter = new AbortController();
    setProgress({ read: 0, aborter });
    setRefusal(undefined);
    const names = conversations.map(({ name }) => name);
    const tell = (read: number) => setProgress({ read, aborter });
    await conversationsAsJson(names, tell, aborter.signal).then(
      (text) => download("conversations.json", "application/json", text),
      (error: unknown) => !aborter.signal.aborted && setRefusal(toRefusal(error)),
    );
    setProgress(undefined);
  };
  if (progress) {
    return (
      <Button onPress={() => progress.aborter.abort()}>
        Reading {progress.read + 1} of {conversations.length}. Stop
      </Button>
    );
  }
  return (
    <>
      {refusal && <Banner tone="bad" refusal={refusal} />}
      <Menu
        label="Export"
        trigger={
          <Button isDisabled={conversations.length === 0}>
            <Download size={16} aria-hidden="true" /> Export {conversations.length.toLocaleString()}
          </Button>
        }
        entries={[
          { id: "json", label: "Whole conversations as JSON", onAction: () => void saveJson() },
          {
            id: "csv",
            label: "One line each as CSV",
            onAction: () => download("conversations.csv", "text/csv", conversationsAsCsv(conversations, facts)),
          },
        ]}
      />
    </>
  );
}
