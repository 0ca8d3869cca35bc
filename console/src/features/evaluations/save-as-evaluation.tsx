import { FlaskConical } from "lucide-react";
import { useMay } from "../../api/permissions.ts";
import { parentApp } from "../../api/resource-names.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { useSaveAsEvaluation } from "./use-save-as-evaluation.ts";

/** Makes a golden from a stored conversation and opens it. */
export function SaveAsEvaluation({ conversation }: { readonly conversation: string }) {
  const may = useMay(parentApp(conversation));
  const { save, saving, error } = useSaveAsEvaluation(conversation);
  if (!may("ces.evaluations.create")) return null;
  return (
    <>
      {error && <Banner tone="error" error={error} />}
      <Button onPress={() => void save()} isDisabled={saving}>
        <FlaskConical size={16} aria-hidden="true" /> {saving ? "Saving…" : "Save as evaluation"}
      </Button>
    </>
  );
}
