import { create } from "@bufbuild/protobuf";
import {
  AgentService,
  ListChangelogsRequestSchema,
  type ListChangelogsResponse,
} from "@frontdesk/protos/ces/agent_service";
import { idOf } from "#aip";
import type { Resources, WriteTreeOptions } from "#resources";
import { aborted, invalidArgument } from "#status";

/**
 * What an import asks of the app that it writes, as RFC 9110 has it: `If-None-Match: *`, that there is none yet, and `If-Match: "<id>"`, that this is its newest
 * change. Of two that write an app at the same time, the second would else undo what the first did. Undefined: it asks nothing.
 */
export function importCondition(
  app: string,
  headers: ReadonlyMap<string, string>,
  { standard }: Pick<Resources, "standard">,
): WriteTreeOptions["mayWrite"] {
  const isNew = headers.get("if-none-match");
  const change = headers.get("if-match");
  if (isNew === undefined && change === undefined) return undefined;
  if (isNew !== undefined && isNew !== "*")
    throw invalidArgument({
      field: "If-None-Match",
      description: "An import takes '*' alone: there is no such app yet.",
    });
  return async (exists) => {
    if (isNew !== undefined && exists) throw refused(app, "exists already");
    if (change === undefined) return;
    const request = create(ListChangelogsRequestSchema, { parent: app, pageSize: 1, orderBy: "create_time desc" });
    const { changelogs } = exists
      ? ((await standard.invoke(AgentService.method.listChangelogs, request)) as ListChangelogsResponse)
      : { changelogs: [] };
    if (idOf(changelogs[0]?.name ?? "") !== change.replaceAll('"', ""))
      throw refused(app, "has changed since it was read");
  };
}

function refused(app: string, what: string) {
  return aborted(`'${app}' ${what}: somebody else wrote it meanwhile, and nothing was imported.`, {
    reason: "ETAG_MISMATCH",
    metadata: { name: app },
  });
}
