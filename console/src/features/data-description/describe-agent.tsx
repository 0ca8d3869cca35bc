import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import { useBlocker, useNavigate, useSearch } from "@tanstack/react-router";
import { MessageCircleQuestion } from "lucide-react";
import { useMay } from "../../api/permissions.ts";
import { resourceTitle } from "../../api/resource-names.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogButtons } from "../../components/dialog-actions.tsx";
import { TextField } from "../../components/field.tsx";
import { Page } from "../../components/page.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { unsavedSince } from "../editing/unsaved-since.ts";
import { type AgentEditor, useAgentEditor } from "./agent-editor.ts";
import { DescribeTables } from "./describe-tables.tsx";
import { Glossary } from "./glossary.tsx";
import { Joins } from "./joins.tsx";
import { SemanticModel } from "./semantic-model.tsx";
import "../../styles/data-description.css";

interface DescribeAgentProps {
  readonly agent: DataAgent;
  readonly onClose: () => void;
}

/** What the data of an agent means, in the words of those who ask: tables, columns, joins, glossary, instructions, a semantic model. */
export function DescribeAgent({ agent, onClose }: DescribeAgentProps) {
  const editor = useAgentEditor(agent);
  const readOnly = !useMay(agent.name)("geminidataanalytics.dataAgents.update");
  const [tab, setTab] = useDescribedTab();
  const props = { editor, readOnly };
  return (
    <div className="data-description">
      <Page
        title={resourceTitle(agent)}
        actions={
          <Button onPress={onClose}>
            <MessageCircleQuestion size={16} aria-hidden="true" /> Ask questions
          </Button>
        }
      >
        <div className="describe-body stack">
          {readOnly && (
            <Banner tone="info">
              You may read what this data agent knows. Changing it takes the permission to update the data agent.
            </Banner>
          )}
          <Tabs
            label="What this data agent knows"
            selected={tab}
            onSelect={setTab}
            items={[
              { id: "tables", label: "Tables", content: <DescribeTables key={editor.revision} {...props} /> },
              { id: "joins", label: "Joins", content: <Joins {...props} /> },
              { id: "glossary", label: "Glossary", content: <Glossary {...props} /> },
              { id: "instructions", label: "Instructions", content: <Instructions {...props} /> },
              { id: "model", label: "Semantic model", content: <SemanticModel agent={agent} readOnly={readOnly} /> },
            ]}
          />
        </div>
      </Page>
      <SaveDescription editor={editor} />
      <LeaveDialog editor={editor} />
    </div>
  );
}

/** The tab that is open, in the address. */
function useDescribedTab(): readonly [string, (tab: string) => void] {
  const { tab = "tables" } = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const show = (next: string) =>
    void navigate({ to: ".", search: (now: object) => ({ ...now, tab: next }) as never, hash: true, replace: true });
  return [TABS.has(tab) ? tab : "tables", show];
}

const TABS = new Set(["tables", "joins", "glossary", "instructions", "model"]);

/** What every tab of the editor takes. */
export interface DescriptionProps {
  readonly editor: AgentEditor;
  readonly readOnly: boolean;
}

function Instructions({ editor, readOnly }: DescriptionProps) {
  const { agent, context, change, changeContext, errorOf } = editor;
  return (
    <div className="stack">
      <TextField
        label="Name"
        value={agent.displayName}
        disabled={readOnly}
        error={errorOf("display_name")}
        onChange={(displayName) => change((draft) => Object.assign(draft, { displayName }))}
      />
      <TextField
        label="Description"
        hint="Shown before the first question."
        value={agent.description}
        disabled={readOnly}
        error={errorOf("description")}
        onChange={(description) => change((draft) => Object.assign(draft, { description }))}
      />
      <TextField
        label="Instructions"
        lines={16}
        hint="Plain words, or YAML with tables, fields and measures."
        value={context.systemInstruction}
        disabled={readOnly}
        error={errorOf("system_instruction")}
        onChange={(systemInstruction) => changeContext((draft) => Object.assign(draft, { systemInstruction }))}
      />
    </div>
  );
}

/** What is not saved, what stands in the way, and the buttons that save or discard it. */
function SaveDescription({ editor }: { readonly editor: AgentEditor }) {
  const { changed, conflict, error, saving, restoredFrom, storageFull, save, discard } = editor;
  if (changed.length === 0) return null;
  return (
    <section className="describe-save" aria-label="Unsaved changes">
      {error && <Banner tone="error" error={error} />}
      {conflict.length > 0 && (
        <Banner tone="warning">
          Somebody else changed this meanwhile: {labels(conflict)}. Save yours in place of theirs, or discard yours and
          see theirs.
        </Banner>
      )}
      <div className="row wrap">
        <p role="status">
          <b>{unsavedSince(restoredFrom)}</b> {labels(changed)}
          {storageFull && "  (too large to be stored in this browser: a reload discards them)"}
        </p>
        <div className="row end">
          <Button onPress={discard} isDisabled={saving}>
            Discard
          </Button>
          <Button tone="primary" isDisabled={saving} onPress={() => void save(conflict.length > 0)}>
            {saving ? "Saving…" : conflict.length > 0 ? "Save mine" : "Save"}
          </Button>
        </div>
      </div>
    </section>
  );
}

function isDescribed({ search }: { readonly search: unknown }): boolean {
  return (search as { readonly view?: unknown }).view === "describe" || window.location.hash === "#describe";
}

/** Asks before a page with unsaved changes is left. */
function LeaveDialog({ editor }: { readonly editor: AgentEditor }) {
  const dirty = editor.changed.length > 0;
  const blocker = useBlocker({
    // Questions are asked on the same page.
    shouldBlockFn: ({ current, next }) => dirty && (current.pathname !== next.pathname || !isDescribed(next)),
    enableBeforeUnload: () => dirty && editor.storageFull,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <Dialog title="Leave this page?" open onClose={blocker.reset}>
      <p>
        You have unsaved changes.{" "}
        {editor.storageFull
          ? "They are too large to be stored in this browser, and lost when you leave."
          : "They are stored in this browser until you come back."}
      </p>
      <DialogButtons>
        <Button onPress={blocker.proceed}>Leave without saving</Button>
        <Button tone="primary" onPress={blocker.reset}>
          Stay
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function labels(parts: AgentEditor["changed"]): string {
  return parts.map(({ label }) => label).join(", ");
}
