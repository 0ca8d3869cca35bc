import { create } from "@bufbuild/protobuf";
import { RunEvaluationRequestSchema, ScheduledEvaluationRunSchema } from "@frontdesk/protos/ces/evaluation";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { scheduledEvaluationRuns } from "../../api/evaluation-resources.ts";
import { pagePath } from "../../api/resource-names.ts";
import { MessageForm } from "../../features/message-form/message-form.tsx";
import { EditPage } from "../../features/resources/edit-page.tsx";
import { ResourceLoader } from "../../features/resources/resource-loader.tsx";
import { useAppName } from "./use-app-name.ts";

/** One schedule: when it runs, and what. */
export function ScheduledEvaluationRunRoute() {
  const navigate = useNavigate();
  const app = useAppName();
  const { schedule = "" } = useParams({ strict: false });
  return (
    <ResourceLoader kind={scheduledEvaluationRuns} name={`${app}/scheduledEvaluationRuns/${schedule}`}>
      {(editor) => (
        <EditPage
          kind={scheduledEvaluationRuns}
          editor={editor}
          actions={
            editor.server.lastCompletedRun && (
              <Link className="button" to={pagePath(editor.server.lastCompletedRun)}>
                Last run
              </Link>
            )
          }
          tabs={[
            {
              id: "schedule",
              label: "Schedule",
              content: (
                <MessageForm
                  desc={ScheduledEvaluationRunSchema}
                  value={editor.value}
                  onChange={editor.set}
                  except={["request"]}
                />
              ),
            },
            {
              id: "request",
              label: "Run",
              content: (
                <MessageForm
                  desc={RunEvaluationRequestSchema}
                  value={editor.value.request ?? create(RunEvaluationRequestSchema, { app })}
                  onChange={(request) => editor.set({ ...editor.value, request })}
                  path="request"
                  except={["app", "scheduled_evaluation_run"]}
                />
              ),
            },
          ]}
          onDeleted={() => void navigate({ to: `${pagePath(app)}/scheduledEvaluationRuns`, ignoreBlocker: true })}
        />
      )}
    </ResourceLoader>
  );
}
