import type { Changelog } from "@frontdesk/protos/ces/changelog";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { permissionOf, useIsLocked, useMay } from "../../api/permissions.ts";
import { pagePath, parentApp, resourceId } from "../../api/resource-names.ts";
import { agents, apps } from "../../api/resource-types.ts";
import { postRest } from "../../api/rest.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { useRefresh } from "../../api/use-resources.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { collectionOf, ID_PARAMETERS, isRestorable } from "./restorable.ts";

/** The button that makes a deleted resource anew as it was, for who may. */
export function RestoreDeleted({ entry }: { readonly entry: Changelog }) {
  const { resource } = entry;
  const may = useMay(parentApp(resource));
  const isLocked = useIsLocked(resource);
  const refresh = useRefresh();
  const [state, setState] = useState<"deleted" | "restoring" | "restored">("deleted");
  const [error, setError] = useState<StatusError>();
  const restore = async () => {
    setState("restoring");
    setError(undefined);
    let isThere = false;
    try {
      await recreate(entry);
      isThere = true;
      await giveBack(entry);
    } catch (error) {
      setError(toStatusError(error));
    }
    setState(isThere ? "restored" : "deleted");
    void refresh();
  };
  if (entry.action !== "Delete" || !entry.originalResource || !isRestorable(resource)) return null;
  if (isLocked || !may(permissionOf(collectionOf(resource), "create"))) return null;
  return (
    <>
      {state === "restored" ? (
        <Banner tone="info">
          <p>
            Restored. <Link to={pagePath(resource)}>Open {entry.displayName || resourceId(resource)}</Link>
          </p>
        </Banner>
      ) : (
        <div>
          <Button isDisabled={state === "restoring"} onPress={() => void restore()}>
            {state === "restoring" ? "Restoring…" : "Restore"}
          </Button>
        </div>
      )}
      {error && <Banner tone="error" error={error} />}
    </>
  );
}

/** Makes the resource anew with its id, so that what still names it finds it. */
async function recreate({ resource, originalResource }: Changelog): Promise<void> {
  const collection = collectionOf(resource);
  const query = new URLSearchParams({ [ID_PARAMETERS[collection] ?? ""]: resourceId(resource) });
  await postRest(`${parentApp(resource)}/${collection}?${query}`, originalResource ?? {});
}

/** Lists it again where its deletion took it out of a list: the log has the resources that were changed with it. */
async function giveBack({ resource, dependentResources }: Changelog): Promise<void> {
  const collection = collectionOf(resource);
  for (const { name } of dependentResources) {
    if (typeof name !== "string") continue;
    if (name === parentApp(name) && collection === "guardrails") {
      const app = await apps.get(name);
      if (!app.guardrails.includes(resource))
        await apps.update({ ...app, guardrails: [...app.guardrails, resource] }, ["guardrails"]);
    }
    if (collectionOf(name) !== "agents") continue;
    const agent = await agents.get(name);
    if (collection === "tools" && !agent.tools.includes(resource))
      await agents.update({ ...agent, tools: [...agent.tools, resource] }, ["tools"]);
    if (collection === "guardrails" && !agent.guardrails.includes(resource))
      await agents.update({ ...agent, guardrails: [...agent.guardrails, resource] }, ["guardrails"]);
    if (collection === "agents" && !agent.childAgents.includes(resource))
      await agents.update({ ...agent, childAgents: [...agent.childAgents, resource] }, ["child_agents"]);
  }
}
