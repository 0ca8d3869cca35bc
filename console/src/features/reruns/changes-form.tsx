import type { JsonObject } from "@bufbuild/protobuf";
import type { Agent } from "@frontdesk/protos/ces/agent";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Field, Pick } from "../../components/field.tsx";
import { parseJsonObject } from "../../components/parse-json.ts";
import type { Turn } from "../simulator/turn.ts";
import type { RerunChanges } from "./rerun.ts";
import { agentsOfTurn, calledTools } from "./turn-tools.ts";
import "../../styles/try/dialogs.css";

interface ChangesFormProps {
  readonly turn: Turn;
  readonly agents: readonly Agent[];
  readonly tools: readonly Tool[];
  readonly running: boolean;
  readonly onRun: (changes: RerunChanges) => void;
}

/** What is to be different: an agent's instruction and model, and what the turn's tools answer. */
export function ChangesForm({ turn, agents, tools, running, onRun }: ChangesFormProps) {
  const involved = agentsOfTurn(turn).flatMap((name) => agents.find(({ displayName }) => displayName === name) ?? []);
  const choices = involved.length > 0 ? involved : agents;
  const [agent, setAgent] = useState(choices[0]);
  const [instruction, setInstruction] = useState(agent?.instruction ?? "");
  const [model, setModel] = useState(agent?.modelSettings?.model ?? "");
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const called = calledTools(
    turn,
    tools.map(({ displayName }) => displayName),
  );
  const choose = (name: string) => {
    const next = agents.find((each) => each.name === name);
    setAgent(next);
    setInstruction(next?.instruction ?? "");
    setModel(next?.modelSettings?.model ?? "");
  };
  const parsed = Object.entries(texts).map(([name, text]) => ({ name, ...parseJsonObject(text) }));
  const run = () => {
    const results: Record<string, JsonObject> = {};
    for (const { name, value } of parsed) if (value) results[name] = value;
    onRun({ agent: agent?.displayName ?? "", instruction, model: model.trim(), results });
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <div className="settings-grid">
        <Pick
          label="Agent"
          value={agent?.name ?? ""}
          choices={choices.map(({ name, displayName }) => ({ value: name, label: displayName }))}
          onChange={choose}
        />
        <Field label="Model" value={model} onChange={setModel} placeholder="As the app says" />
      </div>
      <Field label="Instruction" lines={9} value={instruction} onChange={setInstruction} />
      {called.map(({ name, response }) => (
        <Field
          key={name}
          label={`Result of ${name}`}
          lines={5}
          value={texts[name] ?? JSON.stringify(response, null, 2)}
          onChange={(text) => setTexts((before) => ({ ...before, [name]: text }))}
          error={texts[name] === undefined ? undefined : parseJsonObject(texts[name]).error}
          hint={
            texts[name] === undefined
              ? "Edit it, and the tool is not called."
              : "The tool is not called; this is its answer."
          }
        />
      ))}
      <div>
        <Button type="submit" tone="primary" isDisabled={running || parsed.some(({ error }) => error !== undefined)}>
          {running ? "Running …" : "Run"}
        </Button>
      </div>
    </form>
  );
}
