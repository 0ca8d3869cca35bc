import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { pagePath, resourceId } from "../../api/resource-names.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";

/** Makes a golden from a conversation. */
export interface SaveAsEvaluationAction {
  readonly save: () => Promise<void>;
  readonly saving: boolean;
  readonly error: StatusError | undefined;
}

/** Makes a golden from a stored conversation and opens it beside the conversation. Its code loads when it is used. */
export function useSaveAsEvaluation(conversation: string): SaveAsEvaluationAction {
  const navigate = useNavigate();
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<StatusError>();
  const save = async () => {
    setSaving(true);
    setError(undefined);
    try {
      const { generateEvaluation } = await import("./generate-evaluation.ts");
      const { name } = await generateEvaluation(conversation);
      void navigate({ to: pagePath(name), search: { conversation: resourceId(conversation) } });
    } catch (error) {
      setError(toStatusError(error));
      setSaving(false);
    }
  };
  return { save, saving, error };
}
