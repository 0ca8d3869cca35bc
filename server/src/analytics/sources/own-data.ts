import { type DataContext, datasetsOf } from "./agents-reading.ts";

/** Data that people brought, of one kind: a resource whose id is the dataset of its tables. */
export interface OwnDataKind {
  /** What a location calls the resource that has a dataset; undefined where the dataset is of another kind. */
  nameOf(location: string, dataset: string): string | undefined;
  /** Permissions for those of others: `….get` and so on. */
  readonly permission: string;
  /** Who brought it; undefined where it is unknown. */
  ownerOf(name: string): Promise<string | undefined>;
  /** Makes it ready to be read; false where it is unknown. */
  ready(name: string): Promise<boolean>;
  /** What to do about a table of one that is unknown. */
  unknown(table: string): Error;
}

/** A resource that a context names, whether it exists or not. */
interface NamedData {
  readonly name: string;
  readonly kind: OwnDataKind;
}

/** What people brought: files and databases. */
export interface OwnData {
  /** What of a location a context names. FAILED_PRECONDITION for a table that says to be of another project. */
  named(context: DataContext, location: string): readonly NamedData[];
  /** Makes ready what a context names. FAILED_PRECONDITION for tables that the location has not. */
  ready(context: DataContext, location: string): Promise<void>;
}

/** Finds the datasets of a context among kinds of data that people brought. */
export function createOwnData(kinds: readonly OwnDataKind[]): OwnData {
  return {
    named: (context, location) => [...found(kinds, context, location).values()],
    async ready(context, location) {
      for (const { name, kind, table } of found(kinds, context, location).values())
        if (!(await kind.ready(name))) throw kind.unknown(table);
    },
  };
}

/** By name, each with a table of it. */
function found(kinds: readonly OwnDataKind[], context: DataContext, location: string) {
  const named = new Map<string, NamedData & { readonly table: string }>();
  const [, project] = location.split("/");
  for (const { projectId, datasetId, tableId } of datasetsOf(context)) {
    const table = [projectId, datasetId, tableId].filter(Boolean).join(".");
    for (const kind of kinds) {
      const name = kind.nameOf(location, datasetId);
      if (name === undefined) continue;
      if (project !== projectId) throw kind.unknown(table);
      named.set(name, { name, kind, table });
    }
  }
  return named;
}
