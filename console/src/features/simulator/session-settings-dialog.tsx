import type { JsonObject } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { SelectField, Switch, TextField } from "../../components/field.tsx";
import { VariablesForm } from "./inputs/variables-form.tsx";
import { formatHistory, parseHistory } from "./session-history.ts";
import type { SessionSettings } from "./session-settings.ts";
import { TargetSelect } from "./target-select.tsx";
import "../../styles/simulator/dialogs.css";

interface SessionSettingsDialogProps {
  readonly app: string;
  readonly settings: SessionSettings;
  readonly onClose: () => void;
  /** Starts a new session that is run like this. */
  readonly onStart: (settings: SessionSettings) => void;
}

/** The settings of the next session. A session keeps its initial settings, so new settings start a new one. */
export function SessionSettingsDialog({ app, settings, onClose, onStart }: SessionSettingsDialogProps) {
  const [edited, setEdited] = useState(settings);
  const [history, setHistory] = useState(() => formatHistory(settings.history));
  const [variables, setVariables] = useState<JsonObject | undefined>(settings.variables);
  const agents = useQuery(AgentService.method.listAgents, { parent: app, pageSize: 500 }).data?.agents ?? [];
  const set = (change: Partial<SessionSettings>) => setEdited((before) => ({ ...before, ...change }));
  const parsed = parseHistory(history);
  return (
    <Dialog title="Session settings" open onClose={onClose} dismissable={false} wide>
      <div className="stack">
        <div className="settings-grid">
          <TargetSelect app={app} value={edited.target} onChange={(target) => set({ target })} labelled />
          <SelectField
            label="Entry agent"
            value={edited.entryAgent}
            choices={[
              { value: "", label: "Root agent" },
              ...agents.map(({ name, displayName }) => ({ value: name, label: displayName })),
            ]}
            onChange={(entryAgent) => set({ entryAgent })}
          />
          <TextField
            label="Opening event"
            value={edited.opening}
            onChange={(opening) => set({ opening })}
            hint="Opens the session, before the first message. Leave empty for none."
          />
          <TextField
            label="Time zone"
            value={edited.timeZone}
            onChange={(timeZone) => set({ timeZone })}
            placeholder="Europe/Berlin"
            hint="Leave empty to use the time zone of the app."
          />
        </div>
        <Switch selected={edited.useToolFakes} onChange={(useToolFakes) => set({ useToolFakes })}>
          Mock tools
        </Switch>
        <h3>Initial variables</h3>
        <VariablesForm
          app={app}
          current={settings.variables}
          onChange={(changes) => setVariables(changes && { ...settings.variables, ...changes })}
        />
        <TextField
          label="Conversation history"
          lines={4}
          value={history}
          onChange={setHistory}
          error={parsed.error}
          placeholder={"user: I ordered a teapot\nagent: When was that?"}
          hint="One message per line, starting with “user:” or “agent:”, or a JSON array of API messages."
        />
      </div>
      <DialogActions
        action="New session"
        isDisabled={!parsed.value || !variables}
        onAction={() => onStart({ ...edited, history: parsed.value ?? [], variables: variables ?? {} })}
        onCancel={onClose}
      />
    </Dialog>
  );
}
