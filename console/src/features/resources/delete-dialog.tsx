import { parentApp, resourceTitle } from "../../api/resource-names.ts";
import type { Resource, ResourceType } from "../../api/resource-types.ts";
import { useRefresh } from "../../api/use-resources.ts";
import { useSubmission } from "../../api/use-submission.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Loading } from "../../components/loading.tsx";
import { isRestorable } from "../changelog/restorable.ts";
import { useReferrers } from "./use-referrers.ts";

interface DeleteDialogProps<Kind extends Resource> {
  readonly kind: Pick<ResourceType<Kind>, "singular" | "remove">;
  readonly resource: Kind;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Deletes a resource after its name was typed. Lists the resources that reference it. */
export function DeleteDialog<Kind extends Resource>({ kind, resource, onDeleted, onClose }: DeleteDialogProps<Kind>) {
  const refresh = useRefresh();
  const { referrers, isPending } = useReferrers(resource.name, resource.displayName);
  const { submit, running, error } = useSubmission(async () => {
    await kind.remove(resource, true);
    onDeleted();
    void refresh();
  });
  const isApp = parentApp(resource.name) === resource.name;
  return (
    <ConfirmDialog
      open
      name={resourceTitle(resource)}
      action={`Delete ${kind.singular}`}
      error={error}
      running={running}
      onConfirm={submit}
      onClose={onClose}
    >
      {isApp && (
        <p>This also deletes its agents, tools, guardrails, examples, versions, deployments and conversations.</p>
      )}
      {isPending && <Loading>Checking references…</Loading>}
      {referrers.length === 0 && !isPending && !isApp && <p>No other resource references it.</p>}
      {referrers.length > 0 && (
        <>
          <p>These resources lose their reference to it:</p>
          <ul>
            {referrers.map(({ name, kind: word, title }) => (
              <li key={name}>
                {word} {title}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="muted">
        {isRestorable(resource.name)
          ? "To get it back, restore it in the Changelog."
          : "You can't undo this. To get it back, restore a version of the app that contains it."}
      </p>
    </ConfirmDialog>
  );
}
