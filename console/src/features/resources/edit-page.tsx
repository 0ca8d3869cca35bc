import { Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { titleOf } from "../../api/resource-address.ts";
import type { Resource, ResourceKind } from "../../api/resource-kind.ts";
import { IconButton } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { type TabItem, Tabs } from "../../components/tabs.tsx";
import { ConflictDialog } from "../draft/conflict-dialog.tsx";
import { LeaveDialog } from "../draft/leave-dialog.tsx";
import { SaveBar } from "../draft/save-bar.tsx";
import type { Draft } from "../draft/use-draft.ts";
import { FormProvider } from "../message-form/form-context.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { JsonView } from "./json-view.tsx";
import { useReferences } from "./use-references.ts";
import { useTab } from "./use-tab.ts";
import "../../styles/edit/edit-page.css";

interface EditPageProps<Kind extends Resource> {
  readonly kind: ResourceKind<Kind>;
  readonly draft: Draft<Kind>;
  /** Views of the resource; the JSON of all of it comes last by itself. */
  readonly tabs: readonly TabItem[];
  /** Deeds beside the title. */
  readonly actions?: ReactNode;
  /** What stands above the views. */
  readonly notes?: ReactNode;
  /** Called when the resource is gone. Absent: this page is not the place to delete it. */
  readonly onDeleted?: () => void;
  /** Another word for the page than the resource's title. */
  readonly title?: string;
}

/** The page of a resource that is edited: views, the bar that saves, what may come between, and the end of it. */
export function EditPage<Kind extends Resource>({
  kind,
  draft,
  tabs,
  actions,
  notes,
  onDeleted,
  title,
}: EditPageProps<Kind>) {
  const [tab, setTab] = useTab(tabs[0]?.id ?? "json");
  const [deleting, setDeleting] = useState(false);
  const resourcesOf = useReferences(draft.server.name);
  const json = { id: "json", label: "JSON", content: <JsonView kind={kind} draft={draft} /> };
  const views = [...tabs, json];
  return (
    <FormProvider value={{ errors: draft.errors, resourcesOf }}>
      <Page
        title={title ?? titleOf(draft.server)}
        actions={
          <>
            {actions}
            {onDeleted && (
              <IconButton label={`Delete this ${kind.singular}`} onPress={() => setDeleting(true)}>
                <Trash2 size={17} aria-hidden="true" />
              </IconButton>
            )}
          </>
        }
      >
        <div className="edit-page">
          {notes}
          <Tabs
            label={`Views of the ${kind.singular}`}
            items={views}
            selected={views.some(({ id }) => id === tab) ? tab : (views[0]?.id ?? "json")}
            onSelect={setTab}
          />
        </div>
      </Page>
      <SaveBar draft={draft} />
      <ConflictDialog desc={kind.schema} draft={draft} />
      <LeaveDialog draft={draft} />
      {deleting && onDeleted && (
        <DeleteDialog kind={kind} resource={draft.server} onDeleted={onDeleted} onClose={() => setDeleting(false)} />
      )}
    </FormProvider>
  );
}
