import { useNavigate } from "@tanstack/react-router";
import { useSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { SelectField } from "../../components/field.tsx";
import { TypedField } from "../../components/typed-field.tsx";
import { fieldLabel } from "../message-form/field-labels.ts";
import { ACTIONS, type ChangelogSearch, KINDS } from "./changelog-search.ts";
import "../../styles/conversations.css";

/** Asks which changes are shown: of what, which, and by whom where people are known. The answer is in the address. */
export function ChangelogFilter({ search }: { readonly search: ChangelogSearch }) {
  const navigate = useNavigate();
  const isSignedIn = useSession().authentication === "required";
  const set = (change: ChangelogSearch) =>
    void navigate({ to: ".", search: { ...search, ...change } as never, replace: true });
  return (
    <>
      {search.resource && (
        <p className="row wrap">
          <span>
            Changes of <code>{search.resource}</code>
          </span>
          <Button small onPress={() => set({ resource: undefined })}>
            Show changes of all
          </Button>
        </p>
      )}
      <search className="filter-fields">
        <TypedField
          label="Name of the resource"
          value={search.name ?? ""}
          onChange={(name) => set({ name: name || undefined })}
        />
        {isSignedIn && (
          <TypedField
            label="Changed by"
            value={search.author ?? ""}
            onChange={(author) => set({ author: author || undefined })}
          />
        )}
        <SelectField
          label="Kind"
          value={search.kind ?? ""}
          choices={[{ value: "", label: "Any" }, ...KINDS.map((value) => ({ value, label: fieldLabel(value) }))]}
          onChange={(kind) => set({ kind: kind || undefined })}
        />
        <SelectField
          label="Action"
          value={search.action ?? ""}
          choices={[{ value: "", label: "Any" }, ...ACTIONS.map((value) => ({ value, label: value }))]}
          onChange={(action) => set({ action: action || undefined })}
        />
      </search>
    </>
  );
}
