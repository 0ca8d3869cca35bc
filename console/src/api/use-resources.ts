import { type Query, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { lastChange, useLiveApp } from "./live-app.ts";
import { appOf } from "./resource-address.ts";
import type { Resource, ResourceKind } from "./resource-kind.ts";

/** Milliseconds until what could not be read is tried again. */
const TRY_AGAIN = 5_000;

/** What reading takes. */
type Readable<Kind extends Resource> = Pick<ResourceKind<Kind>, "list" | "get"> & { readonly collection: string };

/** Every resource of one kind below an app, kept up to date while it is on screen. Nothing is read below no app. */
export function useResources<Kind extends Resource>(kind: Readable<Kind>, app: string) {
  useLiveApp(app);
  return useQuery({
    ...live(app, ["resources", kind.collection, app], () => kind.list(app)),
    enabled: app !== "",
  });
}

/** One resource, kept up to date while it is on screen. */
export function useResource<Kind extends Resource>(kind: Readable<Kind>, name: string) {
  useLiveApp(appOf(name));
  return useQuery(resourceQuery(kind, name));
}

/** How one resource is read, for whoever reads it outside of a component. */
export function resourceQuery<Kind extends Resource>(kind: Readable<Kind>, name: string) {
  return live(appOf(name), ["resource", kind.collection, name], () => kind.get(name));
}

/** Reads something of an app, which then holds until the app's log of changes says otherwise. */
export function live<Found>(app: string, queryKey: readonly string[], read: () => Promise<Found>) {
  return queryOptions({
    queryKey,
    queryFn: async ({ client }) => {
      await client.ensureQueryData(lastChange(app));
      return read();
    },
    meta: { liveIn: app },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }: Query<Found, Error, Found, readonly string[]>) =>
      state.status === "error" ? TRY_AGAIN : false,
  });
}

/** Has everything that can change read again: a write may change what the server computes of other resources. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(() => queries.invalidateQueries({ predicate: ({ meta }) => !meta?.frozen }), [queries]);
}
