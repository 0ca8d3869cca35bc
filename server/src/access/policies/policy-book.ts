import { create } from "@bufbuild/protobuf";
import { type Binding, type Policy, PolicySchema } from "@frontdesk/protos/google/iam/v1/policy";
import type { Clock, Ids } from "#base";
import type { ForeignWrite, ResourceRow, ResourceStore, ResourceWrite } from "#storage";
import { isWithin } from "../policy-scopes.ts";
import type { Roles } from "../roles/create-roles.ts";
import {
  ACCESS,
  DATA_AGENT_ACCESS,
  fromAccessRow,
  resourceOfAccessRow,
  type StoredPolicy,
  toAccessRow,
} from "./access-rows.ts";
import { type CompiledPolicy, compilePolicy } from "./compile-policy.ts";

/** The resource of the server's own policy, which holds everywhere. */
export const SERVER = "";

/** All policies of a server, in memory. */
export interface PolicyBook {
  /** Grows with each change of a policy. */
  readonly generation: number;
  /** The policy of a resource, ready to be asked; undefined where there is none. */
  compiled(resource: string): CompiledPolicy | undefined;
  /** The resources whose policies name a member, by its key. */
  resourcesOf(memberKey: string): Iterable<string>;
  /** The policy as it is stored; an empty one where there is none. */
  read(resource: string): StoredPolicy;
  /** The write that stores a policy, to be made in one transaction with others. `ifEtag` as of `ResourceWrite`. */
  toWrite(resource: string, policy: Policy, creator: string, ifEtag?: string): ResourceWrite;
  /**
   * The store to be used by all who write resources: policies that are written or deleted through it, also with their resource, are in the book as
   * soon as the write is durable.
   */
  readonly store: ResourceStore;
}

interface PolicyBookDeps {
  readonly store: ResourceStore;
  readonly roles: Roles;
  /** Bindings on the server that the operator configured. */
  readonly serverBindings: readonly Binding[];
  readonly clock: Clock;
  readonly ids: Pick<Ids, "uuid">;
  /** Told when what another server wrote could not be read. */
  readonly onFault: (error: unknown) => void;
}

/** Parents of policies, with the type of their rows: the server, projects, apps and data agents. */
const PLACES = [
  [SERVER, ACCESS],
  ["projects/-", ACCESS],
  ["projects/-/locations/-/apps/-", ACCESS],
  ["projects/-/locations/-/dataAgents/-", DATA_AGENT_ACCESS],
] as const;
const ROWS_AT_A_TIME = 500;

/** Reads all stored policies. Its own writes change them afterwards, and those of other servers of the database within a second (DB-7). */
export async function openPolicyBook(deps: PolicyBookDeps): Promise<PolicyBook> {
  const { store } = deps;
  const book = new Book(deps);
  store.onForeignWrite?.((write) => book.follow(write));
  await book.readAll();
  return book;
}

async function* rowsOf(store: ResourceStore, type: string, parent: string): AsyncGenerator<ResourceRow, void> {
  let after: readonly [string | number, string] | undefined;
  do {
    const query = { type, parent, orderBy: "name" as const, descending: false, limit: ROWS_AT_A_TIME };
    const page = await store.list(after ? { ...query, after } : query);
    yield* page.rows;
    after = page.last;
  } while (after);
}

class Book implements PolicyBook {
  readonly store: ResourceStore;
  generation = 0;
  readonly #deps: PolicyBookDeps;
  readonly #rows = new Map<string, ResourceRow>();
  readonly #compiled = new Map<string, CompiledPolicy>();
  readonly #resources = new Map<string, Set<string>>();
  #following: Promise<void> = Promise.resolve();

  constructor(deps: PolicyBookDeps) {
    this.#deps = deps;
    const { store } = deps;
    this.store = {
      ...store,
      write: async (writes) => {
        await store.write(writes);
        for (const one of writes) this.#observe(one);
      },
    };
    this.#compile(SERVER);
  }

  async readAll(): Promise<void> {
    for (const [parent, type] of PLACES) for await (const row of rowsOf(this.#deps.store, type, parent)) this.put(row);
  }

  /** Another server wrote: what it wrote is read, after what it wrote before. */
  follow(write: ForeignWrite | undefined): void {
    if (write?.kind === "resource" && resourceOfAccessRow(write.name) === undefined) return;
    const before = this.#following;
    this.#following = before.then(() => this.#readAgain(write)).catch(this.#deps.onFault);
  }

  async #readAgain(write: ForeignWrite | undefined): Promise<void> {
    if (write?.kind === "tree") this.#forgetTree(write.name);
    else if (write) {
      const row = await this.#deps.store.get(write.name);
      if (row) this.put(row);
      else this.#forget(resourceOfAccessRow(write.name));
    } else {
      const names = [...this.#rows.values()].map(({ name }) => name);
      const found = await this.#deps.store.getMany(names);
      for (const name of names) if (!found.has(name)) this.#forget(resourceOfAccessRow(name));
      await this.readAll();
    }
  }

  compiled(resource: string): CompiledPolicy | undefined {
    return this.#compiled.get(resource);
  }

  resourcesOf(memberKey: string): Iterable<string> {
    return this.#resources.get(memberKey) ?? [];
  }

  read(resource: string): StoredPolicy {
    const row = this.#rows.get(resource);
    return row ? fromAccessRow(row) : { policy: create(PolicySchema), creator: "", etag: "" };
  }

  toWrite(resource: string, policy: Policy, creator: string, ifEtag?: string): ResourceWrite {
    const { ids, clock } = this.#deps;
    const row = toAccessRow(resource, { policy, creator, etag: ids.uuid() }, clock.now());
    return ifEtag === undefined ? { kind: "put", row } : { kind: "put", row, ifEtag };
  }

  put(row: ResourceRow): void {
    const resource = resourceOfAccessRow(row.name);
    if (resource === undefined) return;
    this.#rows.set(resource, row);
    this.#compile(resource);
  }

  #observe(write: ResourceWrite): void {
    if (write.kind === "put") this.put(write.row);
    else if (write.kind === "replace") {
      if (this.#rows.has(resourceOfAccessRow(write.row.name) ?? "")) this.put(write.row);
    } else if (write.kind === "delete") this.#forget(resourceOfAccessRow(write.name));
    else this.#forgetTree(write.prefix.replace(/\/$/, ""));
  }

  #forgetTree(name: string): void {
    for (const resource of this.#rows.keys()) if (isWithin(resource, name)) this.#forget(resource);
  }

  #forget(resource: string | undefined): void {
    if (resource !== undefined && this.#rows.delete(resource)) this.#compile(resource);
  }

  /** Brings the index and the compiled policy of a resource up to date. */
  #compile(resource: string): void {
    this.generation += 1;
    for (const member of this.#compiled.get(resource)?.keys() ?? []) this.#unname(member, resource);
    this.#compiled.delete(resource);
    const bindings = [
      ...(resource === SERVER ? this.#deps.serverBindings : []),
      ...this.read(resource).policy.bindings,
    ];
    if (bindings.length === 0) return;
    const compiled = compilePolicy(create(PolicySchema, { bindings }), this.#deps.roles);
    this.#compiled.set(resource, compiled);
    for (const member of compiled.keys()) {
      const named = this.#resources.get(member);
      if (named) named.add(resource);
      else this.#resources.set(member, new Set([resource]));
    }
  }

  #unname(member: string, resource: string): void {
    const named = this.#resources.get(member);
    named?.delete(resource);
    if (named?.size === 0) this.#resources.delete(member);
  }
}
