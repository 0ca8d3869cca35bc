import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { isUnauthenticated, isUnavailable, toStatusError } from "../api/status-error.ts";
import { Banner } from "./banner.tsx";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { FindField, useFoundRows } from "./find-rows.tsx";
import { Loading } from "./loading.tsx";
import { Page } from "./page.tsx";

/** A list as a query returns it. */
export interface ListQuery<Row> {
  readonly data?: readonly Row[] | undefined;
  readonly isPending: boolean;
  readonly error: Error | null;
}

interface ListPageProps<Row> {
  readonly title: string;
  readonly list: ListQuery<Row>;
  /** What is loading, in the plural: "agents". */
  readonly rows: string;
  /** Shown when the list is empty. Absent: `children` renders an empty list, too. */
  readonly empty?: { readonly title: string; readonly text: string };
  /** The primary action. An empty list offers it in its empty state, every other list beside the title. */
  readonly create?: { readonly label: string; readonly onPress: () => void } | undefined;
  /** Further actions beside the title. */
  readonly actions?: ReactNode;
  /** Said above everything else: why nothing can be created, for instance. */
  readonly notice?: ReactNode;
  /** Search and filter fields above the list. */
  readonly filter?: ReactNode;
  /** The text of a row that is searched by words; absent: the list is not searched. Must be a stable function. */
  readonly find?: ((row: Row) => string) | undefined;
  /** Draws the rows. */
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** The page of a list: heading, actions, filter, and the rows or why there are none (loading, error, empty). */
export function ListPage<Row>({
  title,
  list,
  rows,
  empty,
  create,
  actions,
  notice,
  filter,
  find,
  children,
}: ListPageProps<Row>) {
  const { data, isPending } = list;
  const error = list.error ? toStatusError(list.error) : undefined;
  const found = useFoundRows(data, find);
  const isEmpty = data?.length === 0 && empty !== undefined;
  const button = create && (
    <Button tone="primary" onPress={create.onPress}>
      <Plus size={16} aria-hidden="true" /> {create.label}
    </Button>
  );
  return (
    <Page
      title={title}
      actions={
        <>
          {actions}
          {!isEmpty && button}
        </>
      }
    >
      <div className="stack">
        {notice}
        {filter}
        {/* A rejected token and a stopped server are reported by the notices at the top of every page. */}
        {error && !isUnauthenticated(error) && !isUnavailable(error) && <Banner tone="error" error={error} />}
        {isPending && <Loading>{`Loading ${rows}…`}</Loading>}
        {isEmpty && (
          <EmptyState title={empty.title} action={button}>
            {empty.text}
          </EmptyState>
        )}
        {data && !isEmpty && found.offered && (
          <FindField subject={rows} find={found.find} found={found.rows?.length ?? 0} all={data.length} />
        )}
        {found.rows && !isEmpty && children(found.rows)}
      </div>
    </Page>
  );
}
