import { useMutation } from "@connectrpc/connect-query";
import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import {
  DataAgentService,
  type ImportSemanticModelResponse_Loss as Loss,
} from "@frontdesk/protos/gda/data_agent_service";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { resourceTitle } from "../../api/resource-names.ts";
import { toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { FileDrop } from "../data-files/file-drop.tsx";
import { useRefreshAgents } from "./agent-editor.ts";

interface SemanticModelProps {
  readonly agent: DataAgent;
  readonly readOnly: boolean;
}

/** Files of semantic models. */
const FILE_TYPES = [".yml", ".yaml", ".json", ".lkml"];

/** Formats as people call them. */
const FORMATS: Readonly<Record<string, string>> = {
  frontdesk: "Frontdesk",
  osi: "Open Semantic Interchange",
  metricflow: "dbt MetricFlow",
  snowflake: "Snowflake",
  cube: "Cube",
  lookml: "LookML",
};

interface ModelFile {
  readonly path: string;
  readonly text: string;
}

/** The semantic model of a data agent. One of another product is shown with what it loses before it is kept. */
export function SemanticModel({ agent, readOnly }: SemanticModelProps) {
  const [files, setFiles] = useState<readonly ModelFile[]>([]);
  const refresh = useRefreshAgents();
  const check = useMutation(DataAgentService.method.importSemanticModel);
  const keep = useMutation(DataAgentService.method.importSemanticModel, {
    onSuccess: async () => {
      check.reset();
      await refresh();
    },
  });
  const read = async (chosen: readonly File[]) => {
    const next = await Promise.all(chosen.map(async (file) => ({ path: file.name, text: await file.text() })));
    setFiles(next);
    keep.reset();
    check.mutate({ name: agent.name, files: next, validateOnly: true });
  };
  const error = check.error ?? keep.error;
  const names = files.map(({ path }) => path).join(", ");
  return (
    <div className="stack">
      {!readOnly && (
        <FileDrop
          title={check.isPending ? `Reading ${names}…` : "Drop the files of a semantic model here"}
          hint="Open Semantic Interchange, dbt, Snowflake, Cube, LookML, or a model file of Frontdesk"
          types={FILE_TYPES}
          button="Choose files"
          several
          disabled={check.isPending || keep.isPending}
          onFiles={(chosen) => void read(chosen)}
        />
      )}
      {error && <Banner tone="error" error={toStatusError(error)} />}
      {check.data && (
        <section className="stack" aria-label="Import">
          <h2>
            {names} <span className="muted">{FORMATS[check.data.format] ?? check.data.format}</span>
          </h2>
          <Losses losses={check.data.losses} />
          <CodeBlock text={check.data.semanticModel} label="semantic model" />
          <div className="row wrap">
            <Button
              tone="primary"
              isDisabled={keep.isPending}
              onPress={() => keep.mutate({ name: agent.name, files: [...files] })}
            >
              {keep.isPending ? "Saving…" : agent.semanticModel ? "Replace the model" : "Keep this model"}
            </Button>
            <Button isDisabled={keep.isPending} onPress={() => check.reset()}>
              Do not keep it
            </Button>
          </div>
        </section>
      )}
      {!check.data && agent.semanticModel && (
        <section className="stack" aria-label="Model of this data agent">
          <CodeBlock text={agent.semanticModel} label="semantic model" />
          {!readOnly && <RemoveModel agent={agent} />}
        </section>
      )}
      {!check.data && !agent.semanticModel && (
        <p className="muted">
          This data agent has no semantic model of its own. With one, its metrics mean the same to everybody who asks.
        </p>
      )}
    </div>
  );
}

function RemoveModel({ agent }: Pick<SemanticModelProps, "agent">) {
  const [asking, ask] = useState(false);
  const refresh = useRefreshAgents();
  const remove = useMutation(DataAgentService.method.updateDataAgentSync, { onSuccess: refresh });
  return (
    <div>
      <Button onPress={() => ask(true)}>
        <Trash2 size={16} aria-hidden="true" /> Remove model
      </Button>
      <ConfirmDialog
        open={asking}
        name={resourceTitle(agent)}
        action="Remove model"
        error={remove.error ? toStatusError(remove.error) : undefined}
        running={remove.isPending}
        onConfirm={() => remove.mutate({ dataAgent: { name: agent.name }, updateMask: { paths: ["semantic_model"] } })}
        onClose={() => ask(false)}
      >
        Questions are then asked of the tables, or of a model of the configuration.
      </ConfirmDialog>
    </div>
  );
}

/** What the files have and the model cannot carry. */
function Losses({ losses }: { readonly losses: readonly Loss[] }) {
  if (losses.length === 0) return <Banner tone="info">Everything is carried.</Banner>;
  return (
    <>
      <Banner tone="warning">
        {losses.length === 1 ? "1 thing is" : `${losses.length} things are`} not carried. The rest can be kept.
      </Banner>
      <ul className="describe-losses">
        {losses.map(({ file, line, message }) => (
          <li key={`${file}:${line}:${message}`}>
            <code>
              {file}:{line}
            </code>{" "}
            {message}
          </li>
        ))}
      </ul>
    </>
  );
}
