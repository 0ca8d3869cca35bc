import { clone, create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { type App, AppSchema } from "@frontdesk/protos/ces/app";
import { type AppSnapshot, AppSnapshotSchema } from "@frontdesk/protos/ces/app_version";
import { ExampleSchema } from "@frontdesk/protos/ces/example";
import { GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import type { ResourceRow } from "#storage";
import type { AppView, ResourceDefinition } from "./define-resource.ts";
import type { Resource } from "./resource.ts";

/** A resource of an app with its row; no row when it is not stored yet. */
export interface Entry {
  readonly definition: ResourceDefinition;
  readonly resource: Resource;
  readonly row?: ResourceRow;
}

/** All configuration of one app at one moment. Immutable, messages included. */
export class AppState implements AppView {
  /** App resource name. */
  readonly name: string;
  /** By resource name, the app itself included. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly #lists = new Map<DescMessage, readonly Resource[]>();
  readonly #byDisplayName = new Map<DescMessage, ReadonlyMap<string, Resource>>();

  constructor(name: string, entries: ReadonlyMap<string, Entry>) {
    this.name = name;
    this.entries = entries;
  }

  get app(): App | undefined {
    return this.entries.get(this.name)?.resource as App | undefined;
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  list<D extends DescMessage>(desc: D): readonly MessageShape<D>[] {
    let found = this.#lists.get(desc);
    if (!found) {
      const all = [...this.entries.values()].filter(({ definition }) => definition.desc === desc);
      found = all.map(({ resource }) => resource).sort((a, b) => (a.name < b.name ? -1 : 1));
      this.#lists.set(desc, found);
    }
    return found as unknown as readonly MessageShape<D>[];
  }

  find<D extends DescMessage>(desc: D, name: string): MessageShape<D> | undefined {
    const entry = this.entries.get(name);
    return entry?.definition.desc === desc ? (entry.resource as unknown as MessageShape<D>) : undefined;
  }

  findByDisplayName<D extends DescMessage>(desc: D, displayName: string): MessageShape<D> | undefined {
    let found = this.#byDisplayName.get(desc);
    if (!found) {
      const all = (this.list(desc) as unknown as readonly Resource[]).toReversed();
      found = new Map(all.map((resource) => [resource.displayName ?? "", resource]));
      this.#byDisplayName.set(desc, found);
    }
    return found.get(displayName) as unknown as MessageShape<D> | undefined;
  }

  /** A state with these entries added or replaced, and those that are undefined removed. */
  with(changes: ReadonlyMap<string, Entry | undefined>): AppState {
    const entries = new Map(this.entries);
    const changed = new Set<DescMessage | undefined>();
    for (const [name, entry] of changes) {
      const before = this.entries.get(name);
      if (before?.resource !== entry?.resource) changed.add(before?.definition.desc).add(entry?.definition.desc);
      if (entry) entries.set(name, entry);
      else entries.delete(name);
    }
    return this.#of(entries, changed);
  }

  /** The same state, whose entries are in this order. */
  inOrder(compare: (one: [string, Entry], other: [string, Entry]) => number): AppState {
    return this.#of(new Map([...this.entries].sort(compare)), new Set());
  }

  /** The lists of types that did not change are the same ones. */
  #of(entries: ReadonlyMap<string, Entry>, changed: ReadonlySet<DescMessage | undefined>): AppState {
    const next = new AppState(this.name, entries);
    for (const [desc, list] of this.#lists) if (!changed.has(desc)) next.#lists.set(desc, list);
    for (const [desc, named] of this.#byDisplayName) if (!changed.has(desc)) next.#byDisplayName.set(desc, named);
    return next;
  }
}

/** The app as a snapshot; a copy of the app's own message, the rest shared with the state. */
export function snapshotOf(view: AppView): AppSnapshot {
  const { app } = view;
  return create(AppSnapshotSchema, {
    app: app && clone(AppSchema, app),
    agents: [...view.list(AgentSchema)],
    tools: [...view.list(ToolSchema)],
    examples: [...view.list(ExampleSchema)],
    guardrails: [...view.list(GuardrailSchema)],
    toolsets: [...view.list(ToolsetSchema)],
  });
}
