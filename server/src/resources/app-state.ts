import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { App } from "@frontdesk/protos/ces/app";
import type { ResourceRow } from "#storage";
import type { ResourceDefinition } from "./define-resource.ts";
import type { Resource } from "./resource.ts";

/** A resource of an app, with the row it came from; no row when it is not stored yet. */
export interface Entry {
  readonly definition: ResourceDefinition;
  readonly resource: Resource;
  readonly row?: ResourceRow;
}

/** All configuration of one app at one moment. Immutable, messages included. */
export class AppState {
  /** App resource name. */
  readonly name: string;
  /** By resource name, the app itself included. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly #lists = new Map<DescMessage, readonly Resource[]>();

  constructor(name: string, entries: ReadonlyMap<string, Entry>) {
    this.name = name;
    this.entries = entries;
  }

  /** The app's own message; undefined before it is created. */
  get app(): App | undefined {
    return this.entries.get(this.name)?.resource as App | undefined;
  }

  /** All resources of a type, by name. */
  list<D extends DescMessage>(desc: D): readonly MessageShape<D>[] {
    let found = this.#lists.get(desc);
    if (!found) {
      const all = [...this.entries.values()].filter(({ definition }) => definition.desc === desc);
      found = all.map(({ resource }) => resource).sort((a, b) => (a.name < b.name ? -1 : 1));
      this.#lists.set(desc, found);
    }
    return found as unknown as readonly MessageShape<D>[];
  }

  /** The resource of a name when it is of this type. */
  find<D extends DescMessage>(desc: D, name: string): MessageShape<D> | undefined {
    const entry = this.entries.get(name);
    return entry?.definition.desc === desc ? (entry.resource as unknown as MessageShape<D>) : undefined;
  }

  /** The state with resources put in or, where undefined, taken out. */
  with(changes: ReadonlyMap<string, Entry | undefined>): AppState {
    const entries = new Map(this.entries);
    for (const [name, entry] of changes) {
      if (entry) entries.set(name, entry);
      else entries.delete(name);
    }
    return new AppState(this.name, entries);
  }
}
