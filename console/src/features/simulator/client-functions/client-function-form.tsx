import type { ToolCall } from "@frontdesk/protos/ces/example";
import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Switch, TextField } from "../../../components/field.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { parseJsonObject } from "../../../components/parse-json.ts";
import type { ClientResult } from "../turn-input.ts";
import { readSavedResults, resultOf, writeSavedResult } from "./client-function-results.ts";
import "../../../styles/simulator/dialogs.css";

interface ClientFunctionFormProps {
  readonly app: string;
  readonly calls: readonly ToolCall[];
  readonly onAnswer: (results: readonly ClientResult[]) => void;
}

/** Client functions that wait for their results: answered by hand, with what was answered last time as a start. */
export function ClientFunctionForm({ app, calls, onAnswer }: ClientFunctionFormProps) {
  const saved = readSavedResults(app);
  const [texts, setTexts] = useState(() =>
    calls.map(({ displayName }) => JSON.stringify(saved[displayName]?.response ?? { result: "" }, null, 2)),
  );
  const [automatic, setAutomatic] = useState(false);
  const parsed = texts.map(parseJsonObject);
  const send = () => {
    const results = calls.map((call, at) => resultOf(call, parsed[at]?.value ?? {}));
    for (const { displayName, response } of results) writeSavedResult(app, displayName, { response, automatic });
    onAnswer(results);
  };
  return (
    <section className="client-function-form" aria-label="Client functions waiting for a result">
      {calls.map((call, at) => (
        <div key={call.id} className="stack tight">
          <h2>
            The agent calls <code>{call.displayName}</code>
          </h2>
          <JsonView value={call.args ?? {}} label="arguments" />
          <TextField
            label={`Result of ${call.displayName}`}
            lines={4}
            value={texts[at] ?? ""}
            onChange={(text) => setTexts((before) => before.with(at, text))}
            error={parsed[at]?.error}
            hint="A JSON object. This browser remembers it for the next call."
          />
        </div>
      ))}
      <div className="row wrap">
        <Switch selected={automatic} onChange={setAutomatic}>
          Send this result automatically from now on
        </Switch>
        <Button tone="primary" isDisabled={parsed.some(({ error }) => error)} onPress={send}>
          {calls.length === 1 ? "Send result" : "Send results"}
        </Button>
      </div>
    </section>
  );
}
