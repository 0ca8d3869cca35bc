import type { MessageInitShape } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import type { AgentSchema } from "@frontdesk/protos/ces/agent";
import {
  AgentService,
  CreateAgentRequestSchema,
  CreateAppRequestSchema,
  UpdateAppRequestSchema,
} from "@frontdesk/protos/ces/agent_service";
import type { AppSchema } from "@frontdesk/protos/ces/app";
import type { TestServer } from "#testing";

const PARENT = "projects/test/locations/us";

/** Stores an app whose root is the one given agent; answers the app's name. */
export async function appOfOneAgent(
  server: TestServer,
  appId: string,
  agent: MessageInitShape<typeof AgentSchema>,
  app: MessageInitShape<typeof AppSchema> = {},
): Promise<string> {
  const { standard } = server.app.resources;
  const name = `${PARENT}/apps/${appId}`;
  await standard.invoke(
    AgentService.method.createApp,
    create(CreateAppRequestSchema, { parent: PARENT, appId, app: { ...app, displayName: appId } as never }),
  );
  await standard.invoke(
    AgentService.method.createAgent,
    create(CreateAgentRequestSchema, {
      parent: name,
      agentId: "root-agent",
      agent: { ...agent, displayName: "Root" } as never,
    }),
  );
  await standard.invoke(
    AgentService.method.updateApp,
    create(UpdateAppRequestSchema, {
      app: { name, rootAgent: `${name}/agents/root-agent` },
      updateMask: { paths: ["root_agent"] },
    }),
  );
  return name;
}

/** An answer of RunSession over REST: its status and its JSON. */
export interface RunAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
  readonly json: any;
}

/** Says something to an app over REST. */
export async function say(
  server: { readonly address: string },
  app: string,
  session: string,
  text: string,
): Promise<RunAnswer> {
  const response = await fetch(`${server.address}/v1beta/${app}/sessions/${session}:runSession`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ config: {}, inputs: [{ text }] }),
  });
  return { status: response.status, json: await response.json() };
}
