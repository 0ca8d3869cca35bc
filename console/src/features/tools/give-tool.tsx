import type { Agent } from "@frontdesk/protos/ces/agent";
import { useState } from "react";
import { permissionOf, useMay } from "../../api/permissions.ts";
import { resourceTitle } from "../../api/resource-names.ts";
import { agents } from "../../api/resource-types.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { useRefresh, useResources } from "../../api/use-resources.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { SelectField } from "../../components/field.tsx";
import { useReadOnly } from "../../components/read-only.tsx";

interface GiveToolProps {
  readonly app: string;
  /** Resource name of the tool. */
  readonly tool: string;
}

/** Gives the tool to an agent where somebody sees who has it. It is stored at once, and can be undone. */
export function GiveTool({ app, tool }: GiveToolProps) {
  const all = useResources(agents, app).data ?? [];
  const isReadOnly = useReadOnly();
  const may = useMay(app);
  const { given, saving, error, give, undo } = useGift(tool);
  const others = all.filter((agent) => !agent.tools.includes(tool));
  if (isReadOnly || !may(permissionOf("agents", "update")) || all.length === 0) return null;
  return (
    <div className="stack tight">
      {others.length > 0 && (
        <SelectField
          label="Give to an agent"
          value=""
          disabled={saving}
          choices={[
            { value: "", label: "Choose an agent" },
            ...others.map((agent) => ({ value: agent.name, label: resourceTitle(agent) })),
          ]}
          onChange={(name) => void give(others.find((agent) => agent.name === name))}
        />
      )}
      {given && (
        <Banner tone="info">
          <div className="row wrap">
            <p>{resourceTitle(given)} has the tool now.</p>
            <Button small isDisabled={saving} onPress={() => void undo()}>
              Undo
            </Button>
          </div>
        </Banner>
      )}
      {error && <Banner tone="error" error={error} />}
    </div>
  );
}

/** The last agent that was given the tool here, and what gives it to another one. */
function useGift(tool: string) {
  const refresh = useRefresh();
  const [given, setGiven] = useState<Agent>();
  const [error, setError] = useState<StatusError>();
  const [saving, setSaving] = useState(false);
  const save = async (agent: Agent, tools: readonly string[]) => {
    setSaving(true);
    setError(undefined);
    try {
      return await agents.update({ ...agent, tools: [...tools] }, ["tools"]);
    } catch (error) {
      setError(toStatusError(error));
      return undefined;
    } finally {
      setSaving(false);
      void refresh();
    }
  };
  return {
    given,
    saving,
    error,
    give: async (agent: Agent | undefined) => setGiven(agent && (await save(agent, [...agent.tools, tool]))),
    undo: async () => {
      if (
        given &&
        (await save(
          given,
          given.tools.filter((name) => name !== tool),
        ))
      )
        setGiven(undefined);
    },
  };
}
