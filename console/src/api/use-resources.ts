import { type Query, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { latestChangeQuery, useAppChanges } from "./app-changes.ts";
import { parentApp } from "./resource-names.ts";
import type { Resource, ResourceType } from "./resource-types.ts";

/** Milliseconds until what could not be read is tried again. */
const RETRY_INTERVAL_MS = 5_000;

/** What reading takes. */
type Readable<Kind extends Resource> = Pick<ResourceType<Kind>, "list" | "get"> & { readonly collection: string };

/** Every resource of one kind below an app, refreshed while it is on screen. Without an app nothing is read. */
export function useResources<Kind extends Resource>(kind: Readable<Kind>, app: string) {
  useAppChanges(app);
  return useQuery({
    ...appQuery(app, ["resources", kind.collection, app], () => kind.list(app)),
    enabled: app !== "",
  });
}

/** One resource, refreshed while it is on screen. */
export function useResource<Kind extends Resource>(kind: Readable<Kind>, name: string) {
  useAppChanges(parentApp(name));
  return useQuery(resourceQuery(kind, name));
}

/** The query of one resource, for use outside of components. */
export function resourceQuery<Kind extends Resource>(kind: Readable<Kind>, name: string) {
  return appQuery(parentApp(name), ["resource", kind.collection, name], () => kind.get(name));
}

/** A query of data of an app. It stays fresh until the changelog of the app has a new entry. */
export function appQuery<Found>(app: string, queryKey: readonly string[], read: () => Promise<Found>) {
  return queryOptions({
    queryKey,
    queryFn: async ({ client }) => {
      await client.ensureQueryData(latestChangeQuery(app));
      return read();
    },
    meta: { refreshWithApp: app },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }: Query<Found, Error, Found, readonly string[]>) =>
      state.status === "error" ? RETRY_INTERVAL_MS : false,
  });
}

/** Has everything that can change read again: a write may change what the server computes of other resources. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(() => queries.invalidateQueries({ predicate: ({ meta }) => !meta?.immutable }), [queries]);
}
