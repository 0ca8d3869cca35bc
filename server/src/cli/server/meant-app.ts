import { anyUnpack } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import type { AgentService } from "@frontdesk/protos/ces/agent_service";
import { ResourceInfoSchema } from "@frontdesk/protos/google/rpc/error_details";
import type { Status } from "@frontdesk/protos/google/rpc/status";
import { idOf } from "#aip";
import { Code, ConnectError } from "#status";
import { didYouMean } from "../command.ts";
import { allPages } from "./all-pages.ts";

const APP = /^(projects\/[^/]+\/locations)\/([^/]+)\/apps\/([^/]+)/;

/**
 * Where a refusal names an app, or something in an app, that was not found: that there is no such app, and which one is probably meant. Undefined for any
 * other refusal, where the app is there, and for who may not list apps.
 */
export async function meantApp(
  error: ConnectError | Status,
  apps: () => Client<typeof AgentService>,
): Promise<string | undefined> {
  if (error.code !== Code.NotFound) return undefined;
  const missing = missingIn(error);
  const [app, locations, location, id = ""] = APP.exec(missing) ?? [];
  if (app === undefined) return undefined;
  const client = apps();
  const text = error instanceof ConnectError ? error.rawMessage : error.message;
  const known = await allPages(async (pageToken) => {
    const page = await client.listApps({ parent: `${locations}/-`, pageSize: 1_000, pageToken });
    return { items: page.apps, nextPageToken: page.nextPageToken };
  }).catch(() => undefined);
  if (!known || known.some(({ name }) => name === app)) return undefined;
  const what = missing === app ? "" : ` There is no app '${id}'.`;
  return `${text}${what}${whichOf(known, id, `${locations}/${location}`)}`;
}

/** The name of what was not found; "" where the refusal has none. */
function missingIn(error: ConnectError | Status): string {
  const info =
    error instanceof ConnectError
      ? error.findDetails(ResourceInfoSchema)[0]
      : error.details.map((detail) => anyUnpack(detail, ResourceInfoSchema)).find((found) => found !== undefined);
  return info?.resourceName ?? "";
}

/** Which of the apps is meant by what is no id of one in the place, as the rest of a text. */
function whichOf(
  apps: readonly { readonly name: string; readonly displayName: string }[],
  id: string,
  place: string,
): string {
  const here = apps.filter(({ name }) => name.startsWith(`${place}/`));
  const same = here.filter(({ displayName }) => displayName === id).map(({ name }) => idOf(name));
  if (same.length > 0) return ` '${id}' is the display name of ${same.join(" and ")}: name that.`;
  const elsewhere = apps.filter(({ name }) => idOf(name) === id).map(({ name }) => name);
  if (elsewhere.length > 0) return ` Did you mean ${elsewhere.join(" or ")}?`;
  return didYouMean(
    id,
    here.map(({ name }) => idOf(name)),
  );
}
