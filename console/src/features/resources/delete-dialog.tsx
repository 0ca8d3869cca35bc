import { useState } from "react";
import { type Refusal, toRefusal } from "../../api/refusal.ts";
import { appOf, titleOf } from "../../api/resource-address.ts";
import type { Resource, ResourceKind } from "../../api/resource-kind.ts";
import { useRefresh } from "../../api/use-resources.ts";
import { Busy } from "../../components/busy.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useReferrers } from "./use-referrers.ts";

interface DeleteDialogProps<Kind extends Resource> {
  readonly kind: Pick<ResourceKind<Kind>, "singular" | "remove">;
  readonly resource: Kind;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Deletes a resource after its name was typed, and says who refers to it. */
export function DeleteDialog<Kind extends Resource>({ kind, resource, onDeleted, onClose }: DeleteDialogProps<Kind>) {
  const [refusal, setRefusal] = useState<Refusal>();
  const [running, setRunning] = useState(false);
  const refresh = useRefresh();
  const referrers = useReferrers(resource.name);
  const remove = async () => {
    setRunning(true);
    try {
      await kind.remove(resource, true);
      onDeleted();
      void refresh();
    } catch (error) {
      setRefusal(toRefusal(error));
      setRunning(false);
    }
  };
  const isApp = appOf(resource.name) === resource.name;
  return (
    <ConfirmDialog
      open
      name={titleOf(resource)}
      action={`Delete ${kind.singular}`}
      refusal={refusal}
      running={running}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      {isApp && <p>Its agents, tools, guardrails, examples, versions, deployments and conversations go with it.</p>}
      {!referrers && <Busy>Looking who refers to it</Busy>}
      {referrers?.length === 0 && !isApp && <p>Nothing else of the app refers to it.</p>}
      {referrers && referrers.length > 0 && (
        <>
          <p>These lose their reference to it:</p>
          <ul>
            {referrers.map(({ name, kind: word, title }) => (
              <li key={name}>
                {word} {title}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="muted">This cannot be undone. A version of the app that holds it can be restored.</p>
    </ConfirmDialog>
  );
}
