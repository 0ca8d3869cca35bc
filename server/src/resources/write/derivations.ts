import type { DescMessage } from "@bufbuild/protobuf";
import type { App } from "@frontdesk/protos/ces/app";
import { createPauses, mapWithPauses } from "#base";
import type { AppState, Entry } from "../app-state.ts";
import type { AppView } from "../define-resource.ts";
import type { PythonChecks } from "../python/python-checks.ts";
import { referencedTypes } from "../references.ts";
import type { Resource } from "../resource.ts";

/** A question to a state, and what it answered: the same objects as long as nothing in them changed. */
interface Read {
  readonly kind: "app" | "list" | "find" | "named" | "has";
  /** Absent for `app` and `has`. */
  readonly desc: DescMessage | undefined;
  readonly name: string;
  readonly answer: unknown;
}

/**
 * The output-only fields that resources derive from others of their app. What a derivation read is kept with the message that it gave, so that a change costs
 * what it changes: where a state still answers the same, the fields are still right.
 */
export class Derivations {
  readonly #python: PythonChecks;
  /** By messages whose fields are derived: what they were derived from. */
  readonly #reads = new WeakMap<Resource, readonly Read[]>();

  constructor(python: PythonChecks) {
    this.#python = python;
  }

  /** The state with the fields recomputed that depend on what changed. Entries without a difference stay the same objects. */
  async derive(state: AppState, changed: ReadonlySet<string>, types: ReadonlySet<string>): Promise<AppState> {
    const pause = createPauses();
    const due: Entry[] = [];
    for (const entry of state.entries.values()) {
      if (this.#isDue(entry, state, changed, types)) due.push(entry);
      const paused = pause();
      if (paused) await paused;
    }
    return state.with(new Map(await mapWithPauses(due, (entry) => this.#deriveOne(entry, state))));
  }

  #isDue(
    { definition: { desc, rules }, resource }: Entry,
    state: AppState,
    changed: ReadonlySet<string>,
    types: ReadonlySet<string>,
  ): boolean {
    if (!rules.deriveFromState) return false;
    const isAffected =
      changed.has(resource.name) || rules.derivesFrom !== "references" || !types.isDisjointFrom(referencedTypes(desc));
    return isAffected && !this.#reads.get(resource)?.every((read) => answerOf(state, read) === read.answer);
  }

  async #deriveOne(entry: Entry, state: AppState): Promise<readonly [string, Entry]> {
    const { rules } = entry.definition;
    const { view, reads } = recorded(state);
    const { checks, isLasting } = this.#python.watched();
    const resource = (await rules.deriveFromState?.(entry.resource, view, checks)) ?? entry.resource;
    if (isLasting()) this.#reads.set(resource, [...reads.values()]);
    return [entry.resource.name, resource === entry.resource ? entry : { ...entry, resource }];
  }
}

/** A view that keeps its answers, each question once. */
function recorded(state: AppView): { readonly view: AppView; readonly reads: ReadonlyMap<string, Read> } {
  const reads = new Map<string, Read>();
  const keep = <T>(kind: Read["kind"], desc: DescMessage | undefined, name: string): T => {
    const answer = answerOf(state, { kind, desc, name });
    reads.set(`${kind} ${desc?.typeName} ${name}`, { kind, desc, name, answer });
    return answer as T;
  };
  const view: AppView = {
    name: state.name,
    get app(): App | undefined {
      return keep("app", undefined, "");
    },
    list: (desc) => keep("list", desc, ""),
    find: (desc, name) => keep("find", desc, name),
    findByDisplayName: (desc, name) => keep("named", desc, name),
    has: (name) => keep("has", undefined, name),
  };
  return { view, reads };
}

function answerOf(state: AppView, { kind, desc, name }: Omit<Read, "answer">): unknown {
  if (!desc) return kind === "app" ? state.app : state.has(name);
  if (kind === "list") return state.list(desc);
  return kind === "find" ? state.find(desc, name) : state.findByDisplayName(desc, name);
}
