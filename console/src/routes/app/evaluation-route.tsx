import { type Evaluation, EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useState } from "react";
import { evaluations } from "../../api/evaluation-resources.ts";
import { useMay } from "../../api/permissions.ts";
import { pagePath } from "../../api/resource-names.ts";
import { toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Loading } from "../../components/loading.tsx";
import type { ResourceEditor } from "../../features/editing/use-resource-editor.ts";
import { ConversationPane } from "../../features/evaluations/conversation-pane.tsx";
import { useEvaluationResults } from "../../features/evaluations/evaluation-queries.ts";
import { GoldenEditor } from "../../features/evaluations/golden-editor/golden-editor.tsx";
import { PersonalDataNotice } from "../../features/evaluations/personal-data.tsx";
import { ResultTable } from "../../features/evaluations/result-table.tsx";
import { RunDialog } from "../../features/evaluations/run-dialog.tsx";
import { MessageForm } from "../../features/message-form/message-form.tsx";
import { EditPage } from "../../features/resources/edit-page.tsx";
import { ResourceLoader } from "../../features/resources/resource-loader.tsx";
import { useAppName } from "./use-app-name.ts";
import "../../styles/evaluations.css";

/** One evaluation: what it expects beside a conversation, its settings, its results. */
export function EvaluationRoute() {
  const app = useAppName();
  const { evaluation = "" } = useParams({ strict: false });
  return (
    <ResourceLoader kind={evaluations} name={`${app}/evaluations/${evaluation}`}>
      {(editor) => <EvaluationPage app={app} editor={editor} />}
    </ResourceLoader>
  );
}

interface EvaluationPageProps {
  readonly app: string;
  readonly editor: ResourceEditor<Evaluation>;
}

function EvaluationPage({ app, editor }: EvaluationPageProps) {
  const navigate = useNavigate();
  const [running, setRunning] = useState(false);
  const may = useMay(app);
  const { server, value, set } = editor;
  return (
    <>
      <EditPage
        kind={evaluations}
        editor={editor}
        actions={
          may("ces.apps.runEvaluation") && (
            <Button onPress={() => setRunning(true)}>
              <Play size={16} aria-hidden="true" /> Run
            </Button>
          )
        }
        tabs={[
          {
            id: "conversation",
            label: server.inputs.case === "scenario" ? "Scenario" : "Golden",
            content: (
              <div className="stack">
                <PersonalDataNotice evaluation={value} />
                <div className="evaluation-panes">
                  <Inputs value={value} onChange={set} />
                  <ConversationPane app={app} />
                </div>
              </div>
            ),
          },
          {
            id: "settings",
            label: "Settings",
            content: <MessageForm desc={EvaluationSchema} value={value} onChange={set} except={["inputs"]} />,
          },
          { id: "results", label: "Results", content: <Results evaluation={server.name} /> },
        ]}
        onDeleted={() => void navigate({ to: `${pagePath(app)}/evaluations`, ignoreBlocker: true })}
      />
      {running && <RunDialog app={app} evaluations={[server.name]} onClose={() => setRunning(false)} />}
    </>
  );
}

interface InputsProps {
  readonly value: Evaluation;
  readonly onChange: (next: Evaluation) => void;
}

/** What the evaluation does and expects. */
function Inputs({ value, onChange }: InputsProps) {
  const { inputs } = value;
  if (inputs.case === "golden")
    return (
      <GoldenEditor
        golden={inputs.value}
        onChange={(golden) => onChange({ ...value, inputs: { case: "golden", value: golden } })}
      />
    );
  return <MessageForm desc={EvaluationSchema} value={value} onChange={onChange} only={["inputs"]} />;
}

function Results({ evaluation }: { readonly evaluation: string }) {
  const { data, error } = useEvaluationResults(evaluation);
  if (error) return <Banner tone="error" error={toStatusError(error)} />;
  if (!data) return <Loading>Loading results…</Loading>;
  if (data.length === 0)
    return <EmptyState title="No results yet">Run the evaluation to see its results here.</EmptyState>;
  return <ResultTable results={data} />;
}
