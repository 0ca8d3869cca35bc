import type { JsonObject } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Pick, Switch } from "../../components/field.tsx";
import { VariablesForm } from "./extras/variables-form.tsx";
import { readHistory, writeHistory } from "./history-text.ts";
import type { SessionSettings } from "./session-settings.ts";
import { TargetPick } from "./target-pick.tsx";
import "../../styles/try/dialogs.css";

interface SettingsDialogProps {
  readonly app: string;
  readonly settings: SessionSettings;
  readonly onClose: () => void;
  /** Starts a new session that is run like this. */
  readonly onStart: (settings: SessionSettings) => void;
}

/** How the next session is run. A session keeps to what it began with, so new settings begin a new one. */
export function SettingsDialog({ app, settings, onClose, onStart }: SettingsDialogProps) {
  const [wanted, setWanted] = useState(settings);
  const [history, setHistory] = useState(() => writeHistory(settings.history));
  const [variables, setVariables] = useState<JsonObject | undefined>(settings.variables);
  const agents = useQuery(AgentService.method.listAgents, { parent: app, pageSize: 500 }).data?.agents ?? [];
  const set = (change: Partial<SessionSettings>) => setWanted((before) => ({ ...before, ...change }));
  const told = readHistory(history);
  return (
    <Dialog title="Settings of the session" open onClose={onClose} dismissable={false} wide>
      <div className="stack">
        <div className="settings-grid">
          <TargetPick app={app} value={wanted.target} onChange={(target) => set({ target })} labelled />
          <Pick
            label="First agent"
            value={wanted.entryAgent}
            choices={[
              { value: "", label: "The root agent" },
              ...agents.map(({ name, displayName }) => ({ value: name, label: displayName })),
            ]}
            onChange={(entryAgent) => set({ entryAgent })}
          />
          <Field
            label="Opening event"
            value={wanted.opening}
            onChange={(opening) => set({ opening })}
            hint="Sent by itself at the start. Empty: you speak first."
          />
          <Field
            label="Time zone"
            value={wanted.timeZone}
            onChange={(timeZone) => set({ timeZone })}
            placeholder="Europe/Berlin"
            hint="Empty: the time zone of the app."
          />
        </div>
        <Switch selected={wanted.useToolFakes} onChange={(useToolFakes) => set({ useToolFakes })}>
          Use the fakes of tools instead of the tools
        </Switch>
        <h3>Variables at the start</h3>
        <VariablesForm
          app={app}
          current={settings.variables}
          onChange={(changes) => setVariables(changes && { ...settings.variables, ...changes })}
        />
        <Field
          label="What was said before"
          lines={4}
          value={history}
          onChange={setHistory}
          error={told.error}
          placeholder={"user: I ordered a teapot\nagent: When was that?"}
          hint="One line a message, “user:” or “agent:” first; or messages as the API has them, as a JSON array."
        />
      </div>
      <div className="actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button
          tone="primary"
          isDisabled={!told.value || !variables}
          onPress={() => onStart({ ...wanted, history: told.value ?? [], variables: variables ?? {} })}
        >
          Start a session like this
        </Button>
      </div>
    </Dialog>
  );
}
