import { type Caller, definedFields, type Peer } from "#base";
import type { QuotaScope, QuotaSubject } from "./contract.ts";

const APP = /^projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+/;
const PROJECT = /^projects\/[^/]+/;

/** Who uses the resource of this name, e.g. a session; "" for none. */
export function subjectOf(sender: { readonly caller: Caller; readonly peer: Peer }, resource: string): QuotaSubject {
  const [app] = APP.exec(resource) ?? [];
  const [project] = PROJECT.exec(resource) ?? [];
  return {
    caller: sender.caller,
    peer: sender.peer,
    ...definedFields({ app, project }),
  };
}

/** Whose use is counted together, as refusals name it; undefined when the subject has nothing of this scope. */
export function keyOf({ caller, peer, app, project }: QuotaSubject, scope: QuotaScope): string | undefined {
  if (scope === "app") return app;
  if (scope === "project") return project;
  return caller.principal || `address:${peer.address}`;
}
