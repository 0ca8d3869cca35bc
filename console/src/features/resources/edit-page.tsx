import { Trash2 } from "lucide-react";
import { type ReactNode, useCallback, useState } from "react";
import { permissionOf, useIsLocked, useKnownMay } from "../../api/permissions.ts";
import { parentApp, resourceTitle } from "../../api/resource-names.ts";
import type { Resource, ResourceType } from "../../api/resource-types.ts";
import { Banner } from "../../components/banner.tsx";
import { IconButton } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { ReadOnly } from "../../components/read-only.tsx";
import { type TabItem, Tabs } from "../../components/tabs.tsx";
import { ConflictDialog } from "../editing/conflict-dialog.tsx";
import { SaveBar } from "../editing/save-bar.tsx";
import { UnsavedChangesDialog } from "../editing/unsaved-changes-dialog.tsx";
import type { ResourceEditor } from "../editing/use-resource-editor.ts";
import { fieldLabelInSentence } from "../message-form/field-labels.ts";
import { FormProvider } from "../message-form/form-context.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { LockedNotice } from "./locked-notice.tsx";
import { ResourceJsonEditor, type TypedJson } from "./resource-json-editor.tsx";
import { ResourceMenu } from "./resource-menu.tsx";
import { useReferences } from "./use-references.ts";
import { useTab } from "./use-tab.ts";
import { isNamedByOthers, UsedBy } from "./used-by.tsx";
import "../../styles/edit/edit-page.css";

const NONE: ReadonlySet<string> = new Set();

interface EditPageProps<Kind extends Resource> {
  readonly kind: ResourceType<Kind>;
  readonly editor: ResourceEditor<Kind>;
  /** Views of the resource; the JSON of all of it comes last by itself. */
  readonly tabs: readonly TabItem[];
  /** Buttons next to the title. */
  readonly actions?: ReactNode;
  /** Shown above the tabs. */
  readonly notes?: ReactNode;
  /** Shown above what uses the resource. */
  readonly uses?: ReactNode;
  /** Called when the resource was deleted. Absent: this page does not offer to delete it. */
  readonly onDeleted?: () => void;
  /** Whether the page has the switch that unlocks the app. Default false. */
  readonly unlocks?: boolean;
  /** Another word for the page than the resource's title. */
  readonly title?: string;
}

/** The page of a resource that is edited: views, the bar that saves, what may come between, and the end of it. */
export function EditPage<Kind extends Resource>({
  kind,
  editor,
  tabs,
  actions,
  notes,
  uses,
  onDeleted,
  title,
  unlocks = false,
}: EditPageProps<Kind>) {
  const [tab, setTab] = useTab(tabs[0]?.id ?? "json");
  const [deleting, setDeleting] = useState(false);
  const resourcesOf = useReferences(editor.server.name);
  const [typed, setTyped] = useState<TypedJson>();
  const [unreadable, onUnreadable] = useUnreadableFields(typed?.problem !== undefined);
  const { held, leave, release } = useHeldTabs(unreadable.length > 0, setTab);
  // Fields that hold a text begin anew.
  const [round, setRound] = useState(0);
  const onDiscard = () => {
    setTyped(undefined);
    release();
    setRound(round + 1);
  };
  const json = {
    id: "json",
    label: "JSON",
    content: <ResourceJsonEditor kind={kind} editor={editor} typed={typed} onType={setTyped} />,
  };
  const known = useKnownMay(parentApp(editor.server.name));
  const may = (verb: "update" | "delete") => known?.(permissionOf(kind.collection, verb)) ?? false;
  // Until it is known who may what, nothing is refused.
  const mayNotChange = known !== undefined && !may("update");
  const refuses = useIsLocked(editor.server.name) && !unlocks;
  const { name, displayName } = editor.server;
  const usedBy = <UsedBy {...{ name, displayName }}>{uses}</UsedBy>;
  const more = isNamedByOthers(name) ? [{ id: "uses", label: "Used by", content: usedBy }] : [];
  const views = [...tabs, ...more, json];
  const shown = views.some(({ id }) => id === tab) ? tab : (views[0]?.id ?? "json");
  return (
    <FormProvider value={{ errors: editor.errors, resourcesOf, onUnreadable }}>
      <Page
        title={title ?? resourceTitle(editor.server)}
        actions={
          <>
            {actions}
            <ResourceMenu name={name} />
            {onDeleted && may("delete") && !refuses && (
              <IconButton label={`Delete ${kind.singular}`} onPress={() => setDeleting(true)}>
                <Trash2 size={17} aria-hidden="true" />
              </IconButton>
            )}
          </>
        }
      >
        <div className="edit-page">
          {notes}
          {mayNotChange && <Banner tone="info">You may look at this {kind.singular}, and not change it.</Banner>}
          {!mayNotChange && <LockedNotice name={editor.server.name} unlocks={unlocks} />}
          <ReadOnly value={mayNotChange || refuses}>
            <Tabs
              key={round}
              label={`Views of the ${kind.singular}`}
              items={views}
              selected={shown}
              held={held}
              onSelect={(next) => leave(shown, next)}
            />
          </ReadOnly>
        </div>
      </Page>
      {!(mayNotChange || refuses) && <SaveBar editor={editor} unreadable={unreadable} onDiscard={onDiscard} />}
      <ConflictDialog desc={kind.schema} editor={editor} />
      <UnsavedChangesDialog editor={editor} unreadable={unreadable} />
      {deleting && onDeleted && (
        <DeleteDialog kind={kind} resource={editor.server} onDeleted={onDeleted} onClose={() => setDeleting(false)} />
      )}
    </FormProvider>
  );
}

/** The tabs that were left while a text was no value of its field: they keep it. `leave` goes from one tab to another. */
function useHeldTabs(isUnreadable: boolean, show: (tab: string) => void) {
  const [held, setHeld] = useState<ReadonlySet<string>>(NONE);
  return {
    held: isUnreadable ? held : NONE,
    leave: (tab: string, next: string) => {
      setHeld(isUnreadable ? new Set([...held, tab]) : NONE);
      show(next);
    },
    release: () => setHeld(NONE),
  };
}

/** The fields whose text is no value, as sentences name them, and how they are reported. */
function useUnreadableFields(isJson: boolean): readonly [readonly string[], (path: string, is: boolean) => void] {
  const [paths, setPaths] = useState<readonly string[]>([]);
  const report = useCallback(
    (path: string, is: boolean) => setPaths((now) => (is ? [...now, path] : now.filter((other) => other !== path))),
    [],
  );
  const names = paths.map((path) => fieldLabelInSentence(path.slice(path.lastIndexOf(".") + 1)));
  return [isJson ? [...names, "JSON"] : names, report];
}
