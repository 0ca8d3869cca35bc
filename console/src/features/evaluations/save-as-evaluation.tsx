import { EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { useNavigate } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { evaluationService } from "../../api/evaluation-service.ts";
import { waitForOperation } from "../../api/operations.ts";
import { pagePath, resourceId } from "../../api/resource-names.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";

/** Makes a golden from a stored conversation and opens it beside the conversation. */
export function SaveAsEvaluation({ conversation }: { readonly conversation: string }) {
  const navigate = useNavigate();
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<StatusError>();
  const save = async () => {
    setSaving(true);
    setError(undefined);
    try {
      const { name } = await waitForOperation(
        await evaluationService.generateEvaluation({ conversation }),
        EvaluationSchema,
      );
      void navigate({ to: pagePath(name), search: { conversation: resourceId(conversation) } });
    } catch (error) {
      setError(toStatusError(error));
      setSaving(false);
    }
  };
  return (
    <>
      {error && <Banner tone="error" error={error} />}
      <Button onPress={() => void save()} isDisabled={saving}>
        <FlaskConical size={16} aria-hidden="true" /> {saving ? "Saving…" : "Save as evaluation"}
      </Button>
    </>
  );
}
