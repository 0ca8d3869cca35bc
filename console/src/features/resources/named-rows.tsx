import { type ReactNode, useEffect } from "react";
import { Button } from "../../components/button.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";

/** How a list is read on, as an infinite query tells it. */
interface Paging {
  readonly isError: boolean;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

interface NamedRowsProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** The name of a row, which leads to its page. */
  readonly link: (row: Row) => ReactNode;
  /** The columns behind the name. */
  readonly columns: readonly TableColumn<Row>[];
  readonly list: Paging;
}

/** Resources by their names, page after page. */
export function NamedRows<Row extends { readonly name: string }>(props: NamedRowsProps<Row>) {
  const { label, rows, link, columns, list } = props;
  return (
    <div className="stack">
      <Table
        label={label}
        rows={rows}
        keyOf={({ name }) => name}
        columns={[{ id: "name", heading: "Name", cell: link }, ...columns]}
      />
      <ShowMore list={list} />
    </div>
  );
}

/** Reads the next page of a list; nothing on the last one. */
export function ShowMore({ list }: { readonly list: Paging }) {
  if (!list.hasNextPage) return null;
  return (
    <div>
      {/* Disabled meanwhile, it would lose the focus. */}
      <Button onPress={() => list.isFetchingNextPage || void list.fetchNextPage()}>
        {list.isFetchingNextPage ? "Loading…" : "Show more"}
      </Button>
    </div>
  );
}

/** Reads a list to its end, page after page, so that all of it can be searched. A page that cannot be read ends it, with **Show more**. */
export function useAllRead({ hasNextPage, isFetchingNextPage, isError, fetchNextPage }: Paging): void {
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
}

/** Reads all data agents or files of the server, a hundred at a time. */
export const ALL_PAGES = {
  request: { parent: "projects/-/locations/-", pageSize: 100, pageToken: "" },
  options: {
    pageParamKey: "pageToken",
    getNextPageParam: ({ nextPageToken }: { readonly nextPageToken: string }) => nextPageToken || undefined,
  },
} as const;
