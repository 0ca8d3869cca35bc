import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Resource, ResourceKind } from "./resource-kind.ts";

/** Milliseconds after which lists and open resources are read again, so that others' work shows by itself. */
const FRESH = 5_000;

/** What reading takes. */
type Readable<Kind extends Resource> = Pick<ResourceKind<Kind>, "list" | "get"> & { readonly collection: string };

/** Every resource of one kind below `parent`, kept up to date while it is on screen. Nothing is read below no parent. */
export function useResources<Kind extends Resource>(kind: Readable<Kind>, parent: string) {
  return useQuery({
    queryKey: ["resources", kind.collection, parent],
    queryFn: () => kind.list(parent),
    refetchInterval: FRESH,
    enabled: parent !== "",
  });
}

/** One resource, kept up to date while it is on screen. */
export function useResource<Kind extends Resource>(kind: Readable<Kind>, name: string) {
  return useQuery(resourceQuery(kind, name));
}

/** How one resource is read, for whoever reads it outside of a component. */
export function resourceQuery<Kind extends Resource>(kind: Readable<Kind>, name: string) {
  return queryOptions({
    queryKey: ["resource", kind.collection, name],
    queryFn: () => kind.get(name),
    refetchInterval: FRESH,
  });
}

/** Has everything that is on screen read again: a write may change what the server computes of other resources. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(() => queries.invalidateQueries(), [queries]);
}
