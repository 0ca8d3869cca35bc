import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import type { Access } from "#access";
import { contextsOfAgent, type DataContext, type OwnData } from "#analytics";
import type { CallContext } from "#rpc";
import { ifFound } from "#status";

interface OwnDataDeps {
  readonly ownData: OwnData;
  readonly access: Access;
}

/** Refuses contexts that name what the caller may not read, in the same words whether it exists or not (CA-45). */
export async function requireReadable(
  contexts: readonly DataContext[],
  location: string,
  call: CallContext,
  { ownData, access }: OwnDataDeps,
): Promise<void> {
  const named = contexts.flatMap((context) => ownData.named(context, location));
  const kinds = new Map(named.map(({ name, kind }) => [name, kind]));
  for (const [name, kind] of kinds) {
    const owner = await kind.ownerOf(name);
    await requireOwned(name, { permission: `${kind.permission}.get`, owner }, call, access);
  }
}

/** The same for the contexts of an agent that is created or changed. */
export function requireReadableAgent(
  agent: DataAgent | undefined,
  location: string,
  call: CallContext,
  deps: OwnDataDeps,
): Promise<void> {
  return requireReadable(agent ? contextsOfAgent(agent) : [], location, call, deps);
}

/**
 * Whether what somebody brought is still the caller's: a role has to let the caller bring such things there (IAM-25). Without it a role that was taken away
 * would have given something for ever. `permission`: one of the kind's.
 */
export function isOwn(
  name: string,
  { permission, owner }: { readonly permission: string; readonly owner: string | undefined },
  call: CallContext,
  access: Pick<Access, "may">,
): ReturnType<Access["may"]> {
  const { principal } = call.caller;
  if (principal === "" || owner !== principal) return false;
  return access.may(call, permission.replace(/\w+$/, "create"), name);
}

/** Whoever brought something may do everything with it; others need the permission. */
async function requireOwned(
  name: string,
  { permission, owner }: { readonly permission: string; readonly owner: string | undefined },
  call: CallContext,
  access: Access,
): Promise<void> {
  if (!(await isOwn(name, { permission, owner }, call, access))) await access.require(call, permission, name);
}

/** What the caller brought, or a role gives it. PERMISSION_DENIED otherwise, whether it exists or not. */
export async function ownedItem<Item>(
  name: string,
  {
    permission,
    find,
    ownerOf,
  }: { readonly permission: string; readonly find: () => Promise<Item>; readonly ownerOf: (item: Item) => string },
  call: CallContext,
  access: Access,
): Promise<Item> {
  const found = await ifFound(find());
  await requireOwned(name, { permission, owner: found && ownerOf(found) }, call, access);
  return found ?? find();
}

/** Whether the caller is shown what somebody brought; undefined: all of it. */
export function shownOwned(permission: string, location: string, call: CallContext, access: Access) {
  const shown = access.shown(call, permission, location);
  return (
    shown &&
    (async (name: string, owner: string) => (await isOwn(name, { permission, owner }, call, access)) || shown(name))
  );
}

/** Those of the agents that the caller may see. */
export async function shownAgents(
  agents: readonly string[],
  location: string,
  call: CallContext,
  access: Access,
): Promise<string[]> {
  const shown = shownAgent(location, call, access);
  const decisions = await Promise.all(agents.map(shown));
  return agents.filter((_, at) => decisions[at]);
}

/** Whether the caller may see an agent. */
export function shownAgent(location: string, call: CallContext, access: Access) {
  const shown = access.shown(call, "geminidataanalytics.dataAgents.get", location);
  return async (agent: string) => shown?.(agent) ?? true;
}
