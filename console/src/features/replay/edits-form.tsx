import type { JsonObject } from "@bufbuild/protobuf";
import type { Agent } from "@frontdesk/protos/ces/agent";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { SelectField, TextField } from "../../components/field.tsx";
import { parseJsonObject } from "../../components/parse-json.ts";
import type { Turn } from "../simulator/turn.ts";
import type { ReplayEdits } from "./replay-turn.ts";
import "../../styles/simulator/dialogs.css";
import { turnLines } from "../simulator/turn-lines.ts";

interface EditsFormProps {
  readonly turn: Turn;
  readonly agents: readonly Agent[];
  readonly tools: readonly Tool[];
  readonly running: boolean;
  readonly onRun: (edits: ReplayEdits) => void;
}

/** What is to be different: an agent's instruction and model, and what the turn's tools answer. */
export function EditsForm({ turn, agents, tools, running, onRun }: EditsFormProps) {
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
        <SelectField
          label="Agent"
          value={agent?.name ?? ""}
          choices={choices.map(({ name, displayName }) => ({ value: name, label: displayName }))}
          onChange={choose}
        />
        <TextField label="Model" value={model} onChange={setModel} placeholder="Model of the app" />
      </div>
      <TextField label="Instruction" lines={9} value={instruction} onChange={setInstruction} />
      {called.map(({ name, response }) => (
        <TextField
          key={name}
          label={`Result of ${name}`}
          lines={5}
          value={texts[name] ?? JSON.stringify(response, null, 2)}
          onChange={(text) => setTexts((before) => ({ ...before, [name]: text }))}
          error={texts[name] === undefined ? undefined : parseJsonObject(texts[name]).error}
          hint={texts[name] === undefined ? "Edit the result to mock the tool." : "Mocked. The tool is not called."}
        />
      ))}
      <div>
        <Button type="submit" tone="primary" isDisabled={running || parsed.some(({ error }) => error !== undefined)}>
          {running ? "Replaying…" : "Replay"}
        </Button>
      </div>
    </form>
  );
}

/** A tool that a turn called, and what it answered first. */
interface CalledTool {
  readonly name: string;
  readonly response: JsonObject;
}

/** The tools of a turn whose results can be replaced, each once. */
function calledTools(turn: Turn, known: readonly string[]): readonly CalledTool[] {
  const called = new Map<string, JsonObject>();
  for (const line of turnLines(turn))
    if (line.kind === "tool" && line.response && known.includes(line.name) && !called.has(line.name))
      called.set(line.name, line.response);
  return [...called].map(([name, response]) => ({ name, response }));
}

/** The agents that took part in a turn, the one that spoke last first. */
function agentsOfTurn({ rootSpan }: Turn): readonly string[] {
  const named = [rootSpan, ...(rootSpan?.childSpans ?? []).toReversed()].flatMap((span) => {
    const agent = span?.attributes?.agent;
    return typeof agent === "string" && agent ? [agent] : [];
  });
  return [...new Set(named)];
}
