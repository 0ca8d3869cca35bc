import { useNavigate } from "@tanstack/react-router";
import { useMay } from "../../api/permissions.ts";
import { DateField, SelectField } from "../../components/field.tsx";
import { TypedField } from "../../components/typed-field.tsx";
import { type AuditSearch, RANGES, type RangeName, WHOLE_SERVER } from "./audit-search.ts";
import "../../styles/conversations.css";

interface AuditFilterProps {
  readonly search: AuditSearch;
  /** The project that is shown. */
  readonly parent: string;
  readonly projects: readonly string[];
}

/** Asks which entries are shown: of whom, of which method, about what, when. The answer is in the address. */
export function AuditFilter({ search, parent, projects }: AuditFilterProps) {
  const navigate = useNavigate();
  const mayReadAll = useMay(WHOLE_SERVER)("audit.auditEntries.list");
  const places = [
    ...new Set([...projects, parent]),
    ...(mayReadAll && parent !== WHOLE_SERVER ? [WHOLE_SERVER] : []),
  ].map((value) => ({ value, label: value === WHOLE_SERVER ? "Whole server" : value }));
  const set = (change: AuditSearch) =>
    void navigate({ to: ".", search: { ...search, ...change } as never, replace: true });
  return (
    <search className="filter-fields">
      <TypedField
        label="Resource"
        placeholder="…/apps/desk, with all below it"
        value={search.resource ?? ""}
        onChange={(resource) => set({ resource: resource.trim() || undefined })}
      />
      <TypedField
        label="Caller"
        placeholder="user:ann@example.com"
        value={search.principal ?? ""}
        onChange={(principal) => set({ principal: principal.trim() || undefined })}
      />
      <TypedField
        label="Method"
        placeholder="DeleteApp"
        value={search.method ?? ""}
        onChange={(method) => set({ method: method.trim() || undefined })}
      />
      <SelectField
        label="Time range"
        value={search.range ?? "week"}
        choices={Object.entries(RANGES).map(([value, { label }]) => ({ value: value as RangeName, label }))}
        onChange={(range) => set({ range })}
      />
      {search.range === "days" && (
        <>
          <DateField label="From" value={search.from ?? ""} onChange={(from) => set({ from: from || undefined })} />
          <DateField label="To" value={search.to ?? ""} onChange={(to) => set({ to: to || undefined })} />
        </>
      )}
      {places.length > 1 && (
        <SelectField
          label="Project"
          value={parent}
          choices={places}
          // A resource of another project is not in this one.
          onChange={(project) => set({ project, resource: undefined })}
        />
      )}
    </search>
  );
}
