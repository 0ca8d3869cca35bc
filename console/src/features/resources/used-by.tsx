import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { pagePath, parentApp } from "../../api/resource-names.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { type Referrer, useReferrers } from "./use-referrers.ts";

/** Collections whose resources others name. */
const NAMED = /\/(?:agents|tools|toolsets|guardrails|versions)\/[^/]+$/;

/** Whether other resources can name this one. */
export function isNamedByOthers(name: string): boolean {
  return NAMED.test(name);
}

interface UsedByProps {
  readonly name: string;
  readonly displayName: string;
  /** Shown above them. */
  readonly children?: ReactNode;
}

/** The resources that name this one, each with its page. */
export function UsedBy({ name, displayName, children }: UsedByProps) {
  const { referrers, isPending } = useReferrers(name, displayName);
  return (
    <div className="stack">
      {children}
      {referrers.length === 0 && !isPending && (
        <EmptyState title="Not used">Nothing in this app names it, as it was saved last.</EmptyState>
      )}
      {referrers.length > 0 && (
        <Table label="Used by" rows={referrers} keyOf={({ name: other }) => other} columns={COLUMNS} />
      )}
      {isPending && <Loading>Looking for what uses it…</Loading>}
    </div>
  );
}

const COLUMNS: readonly TableColumn<Referrer>[] = [
  { id: "name", heading: "Name", cell: ({ name, title }) => <Link to={pageOf(name)}>{title}</Link> },
  { id: "kind", heading: "Kind", cell: ({ kind }) => kind },
  { id: "as", heading: "Names it in", cell: ({ isText }) => (isText ? "Instruction or code" : "A field") },
];

function pageOf(name: string): string {
  return name === parentApp(name) ? `${pagePath(name)}/settings` : pagePath(name);
}
