import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { Download } from "lucide-react";
import { useState } from "react";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { download } from "../../components/download.ts";
import { Menu } from "../../components/menu.tsx";
import type { ConversationMetrics } from "./conversation-metrics.ts";
import { conversationsAsCsv, conversationsAsJson } from "./export-conversations.ts";

interface ExportMenuProps {
  /** What is exported: what is chosen, or everything that is shown. */
  readonly conversations: readonly Conversation[];
  readonly metrics: ReadonlyMap<string, ConversationMetrics>;
}

/** Saves conversations as files. */
export function ExportMenu({ conversations, metrics }: ExportMenuProps) {
  const [progress, setProgress] = useState<{ readonly read: number; readonly aborter: AbortController }>();
  const [error, setError] = useState<StatusError>();
  const saveJson = async () => {
    const aborter = new AbortController();
    setProgress({ read: 0, aborter });
    setError(undefined);
    const names = conversations.map(({ name }) => name);
    const onProgress = (read: number) => setProgress({ read, aborter });
    await conversationsAsJson(names, onProgress, aborter.signal).then(
      (text) => download("conversations.json", "application/json", text),
      (error: unknown) => !aborter.signal.aborted && setError(toStatusError(error)),
    );
    setProgress(undefined);
  };
  if (progress) {
    return (
      <Button onPress={() => progress.aborter.abort()}>
        Stop export ({progress.read + 1} of {conversations.length})
      </Button>
    );
  }
  return (
    <>
      {error && <Banner tone="error" error={error} />}
      <Menu
        label="Export"
        trigger={
          <Button isDisabled={conversations.length === 0}>
            <Download size={16} aria-hidden="true" /> Export {conversations.length.toLocaleString()}
          </Button>
        }
        entries={[
          { id: "json", label: "JSON, full conversations", onAction: () => void saveJson() },
          {
            id: "csv",
            label: "CSV, one row per conversation",
            onAction: () => download("conversations.csv", "text/csv", conversationsAsCsv(conversations, metrics)),
          },
        ]}
      />
    </>
  );
}
