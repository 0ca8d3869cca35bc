import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { Schema_Type as Type } from "@frontdesk/protos/ces/schema";
import { useState } from "react";
import { TextField } from "../../../components/field.tsx";
import { Loading } from "../../../components/loading.tsx";
import { formatVariable, parseVariable } from "./variable-value.ts";

interface VariablesFormProps {
  readonly app: string;
  readonly current: JsonObject;
  /** Hears of the variables that were changed; undefined while one of them cannot be read. */
  readonly onChange: (changes: JsonObject | undefined) => void;
}

/** One field for each variable that the app declares. */
export function VariablesForm({ app, current, onChange }: VariablesFormProps) {
  const { data } = useQuery(AgentService.method.getApp, { name: app });
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  if (!data) return <Loading>Loading variables…</Loading>;
  if (data.variableDeclarations.length === 0) return <p className="muted">This app declares no variables.</p>;
  const change = (name: string, text: string) => {
    const next = { ...texts, [name]: text };
    setTexts(next);
    const read = Object.entries(next).map(([key, typed]) => [key, parseVariable(typed, typeOf(key))] as const);
    const whole = read.every(([, { error }]) => error === undefined);
    onChange(
      whole ? Object.fromEntries(read.map(([key, { value }]): [string, JsonValue] => [key, value ?? null])) : undefined,
    );
  };
  const typeOf = (name: string) =>
    data.variableDeclarations.find((declared) => declared.name === name)?.schema?.type ?? Type.TYPE_UNSPECIFIED;
  return (
    <div className="stack">
      {data.variableDeclarations.map(({ name, description }) => {
        const text = texts[name];
        return (
          <TextField
            key={name}
            label={name}
            hint={description}
            value={text ?? formatVariable(current[name])}
            onChange={(typed) => change(name, typed)}
            error={text === undefined ? undefined : parseVariable(text, typeOf(name)).error}
          />
        );
      })}
    </div>
  );
}
