import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import type { ListConversationsRequest, UpdateAppRequest } from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { Conversation_Source } from "@frontdesk/protos/ces/conversation";
import type { RunSessionRequest } from "@frontdesk/protos/ces/session_service";
import { OperationSchema } from "@frontdesk/protos/google/longrunning/operations";
import { notFound } from "#status";
import { startWireServer } from "./wire-server.ts";

const APP = "projects/p/locations/us/apps/a";

interface ErrorAnswer {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly status: string;
    readonly details?: readonly { readonly fieldViolations?: readonly { field?: string; description: string }[] }[];
  };
}

async function json<T>(url: string, init?: RequestInit): Promise<{ status: number; body: T }> {
  const response = await fetch(url, init);
  return { status: response.status, body: (await response.json()) as T };
}

function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  };
}

describe("REST paths", () => {
  it("reach the method of their revision, with the name from the path", async () => {
    const seen: string[] = [];
    await using server = await startWireServer({
      agents: {
        getApp: async ({ name }, { revision }) => {
          seen.push(revision);
          return { name };
        },
      },
    });
    for (const revision of ["v1", "v1beta"])
      assert.deepEqual((await json(`${server.url}/${revision}/${APP}`)).body, { name: APP });
    assert.deepEqual(seen, ["v1", "v1beta"]);
  });

  it("split off known custom verbs only, so ids may have an escaped colon", async () => {
    await using server = await startWireServer({
      agents: {
        getApp: async ({ name }) => ({ name }),
        exportApp: async ({ name }) => ({ name: `export of ${name}` }),
      },
    });
    assert.deepEqual((await json(`${server.url}/v1/projects/p/locations/us/apps/a%3AexportApp`)).body, {
      name: "projects/p/locations/us/apps/a:exportApp",
    });
    assert.deepEqual((await json(`${server.url}/v1/projects/p/locations/us/apps/a:unknown`)).body, {
      name: "projects/p/locations/us/apps/a:unknown",
    });
    assert.deepEqual((await json(`${server.url}/v1/${APP}:exportApp`, post({ exportFormat: "JSON" }))).body, {
      name: `export of ${APP}`,
    });
  });

  it("keep an escaped slash in an id escaped, so that it cannot become a separator", async () => {
    await using server = await startWireServer({ agents: { getApp: async ({ name }) => ({ name }) } });
    assert.deepEqual((await json(`${server.url}/v1/projects/p/locations/us/apps/a%2Fagents%2Fb%20c`)).body, {
      name: "projects/p/locations/us/apps/a%2Fagents%2Fb c",
    });
  });

  it("distinguish two custom verbs of one resource", async () => {
    await using server = await startWireServer({
      sessions: {
        runSession: async () => ({ outputs: [{ outputType: { case: "text", value: "unary" } }] }),
        streamRunSession: async function* () {
          yield { outputs: [{ outputType: { case: "text" as const, value: "stream" } }] };
        },
      },
    });
    const body = { inputs: [{ text: "hi" }] };
    assert.deepEqual((await json(`${server.url}/v1/${APP}/sessions/s:runSession`, post(body))).body, {
      outputs: [{ text: "unary" }],
    });
    assert.deepEqual((await json(`${server.url}/v1/${APP}/sessions/s:streamRunSession`, post(body))).body, [
      { outputs: [{ text: "stream" }] },
    ]);
  });

  it("respond 404 and 405 with Google's error body", async () => {
    await using server = await startWireServer();
    assert.deepEqual(await json(`${server.url}/v2/nothing`), {
      status: 404,
      body: { error: { code: 404, message: "There is no method at GET /v2/nothing.", status: "NOT_FOUND" } },
    });
    const wrong = await fetch(`${server.url}/v1/${APP}`, { method: "PUT" });
    assert.deepEqual([wrong.status, wrong.headers.get("allow")], [405, "GET, PATCH, DELETE, HEAD, OPTIONS"]);
    assert.equal(((await wrong.json()) as ErrorAnswer).error.code, 405);
  });

  it("respond 400 to a malformed escape", async () => {
    await using server = await startWireServer();
    const { status, body } = await json<ErrorAnswer>(`${server.url}/v1/projects/p/locations/us/apps/%zz`);
    assert.deepEqual([status, body.error.status], [400, "INVALID_ARGUMENT"]);
  });

  it("reach operations under every revision, with Any typed for it, and not WaitOperation", async () => {
    const operation = {
      name: `${APP}/operations/o`,
      done: true,
      result: { case: "response", value: anyPack(AppSchema, create(AppSchema, { name: "a" })) },
    } as const;
    await using server = await startWireServer({
      operations: { getOperation: async () => operation, waitOperation: async () => operation },
    });
    for (const revision of ["v1", "v1beta"]) {
      const { body } = await json<{ response: object }>(
        `${server.url}/${revision}/projects/p/locations/us/operations/o`,
      );
      assert.deepEqual(body.response, { "@type": `type.googleapis.com/google.cloud.ces.${revision}.App`, name: "a" });
    }
    assert.equal((await fetch(`${server.url}/v1/projects/p/locations/us/operations/o:wait`, post({}))).status, 405);
  });

  it("drop fields that only v1beta has from v1 responses", async () => {
    const app: MessageInitShape<typeof AppSchema> = {
      name: APP,
      evaluationPersonas: [{ name: "p", displayName: "Impatient" }],
    };
    await using server = await startWireServer({ agents: { getApp: async () => app } });
    assert.deepEqual((await json(`${server.url}/v1/${APP}`)).body, { name: APP });
    assert.deepEqual((await json(`${server.url}/v1beta/${APP}`)).body, {
      name: APP,
      evaluationPersonas: [{ name: "p", displayName: "Impatient" }],
    });
  });
});

describe("REST bodies", () => {
  it("join body, query and path to one request, in which the path has precedence", async () => {
    const seen: UpdateAppRequest[] = [];
    await using server = await startWireServer({
      agents: {
        updateApp: async (request) => {
          seen.push(request);
          return { name: request.app?.name ?? "" };
        },
      },
    });
    const body = { name: "projects/x/locations/y/apps/z", displayName: "Shop" };
    const url = `${server.url}/v1beta/${APP}?updateMask=displayName,languageSettings.defaultLanguageCode`;
    assert.equal((await json(url, { ...post(body), method: "PATCH" })).status, 200);
    assert.deepEqual(
      seen.map(({ app, updateMask }) => [app?.name, app?.displayName, updateMask?.paths]),
      [[APP, "Shop", ["display_name", "language_settings.default_language_code"]]],
    );
  });

  it("set nested fields from the path whichever way the body spells them", async () => {
    const seen: (string | undefined)[] = [];
    await using server = await startWireServer({
      sessions: {
        runSession: async ({ config }: RunSessionRequest) => {
          seen.push(config?.session, config?.entryAgent);
          return {};
        },
      },
    });
    const body = { config: { session: "other", entry_agent: "e" }, inputs: [{ text: "hi" }] };
    assert.equal((await json(`${server.url}/v1/${APP}/sessions/s:runSession`, post(body))).status, 200);
    assert.deepEqual(seen, [`${APP}/sessions/s`, "e"]);
  });

  it('treat an absent body, "" and null as an empty message', async () => {
    await using server = await startWireServer({ operations: { cancelOperation: async () => ({}) } });
    for (const body of ["", '""', "null", "{}"]) {
      assert.deepEqual(await json(`${server.url}/v1beta/projects/p/locations/us/operations/o:cancel`, post(body)), {
        status: 200,
        body: {},
      });
    }
  });

  it("ignore unknown fields, which newer clients send", async () => {
    await using server = await startWireServer({ sessions: { runSession: async () => ({}) } });
    const body = { inputs: [{ text: "hi", brandNew: 1 }], futureField: {} };
    assert.equal((await json(`${server.url}/v1/${APP}/sessions/s:runSession`, post(body))).status, 200);
  });

  it("reject unknown fields with Google's message when the server is strict", async () => {
    await using server = await startWireServer({ strict: true, sessions: { runSession: async () => ({}) } });
    const body = { inputs: [{ text: "hi", brandNew: 1 }], futureField: {} };
    const answer = await json<ErrorAnswer>(`${server.url}/v1/${APP}/sessions/s:runSession`, post(body));
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body.error.details?.[0]?.fieldViolations, [
      {
        field: "inputs[0]",
        description: "Invalid JSON payload received. Unknown name \"brandNew\" at 'inputs[0]': Cannot find field.",
      },
      { description: 'Invalid JSON payload received. Unknown name "futureField": Cannot find field.' },
    ]);
  });

  it("reject all invalid values at once, unknown enum names included", async () => {
    await using server = await startWireServer({ sessions: { runSession: async () => ({}) } });
    const body = {
      config: { inputAudioConfig: { audioEncoding: "NOPE", sampleRateHertz: "many" } },
      inputs: "hi",
      unknown: 1,
    };
    const { status, body: answer } = await json<ErrorAnswer>(
      `${server.url}/v1beta/${APP}/sessions/s:runSession`,
      post(body),
    );
    assert.equal(status, 400);
    assert.deepEqual(answer.error.details?.[0]?.fieldViolations, [
      {
        field: "config.input_audio_config.audio_encoding",
        description:
          "Invalid value at 'config.input_audio_config.audio_encoding' (type.googleapis.com/google.cloud.ces.v1beta.AudioEncoding), \"NOPE\"",
      },
      {
        field: "config.input_audio_config.sample_rate_hertz",
        description: "Invalid value at 'config.input_audio_config.sample_rate_hertz' (TYPE_INT32), \"many\"",
      },
      {
        field: "inputs",
        description: "Invalid value at 'inputs' (type.googleapis.com/google.cloud.ces.v1beta.SessionInput), \"hi\"",
      },
    ]);
  });

  it("reject two members of one oneof", async () => {
    await using server = await startWireServer({ sessions: { runSession: async () => ({}) } });
    const { status, body } = await json<ErrorAnswer>(
      `${server.url}/v1/${APP}/sessions/s:runSession`,
      post({ inputs: [{ text: "a", dtmf: "1" }] }),
    );
    assert.equal(status, 400);
    assert.match(body.error.message, /oneof/);
  });

  it("accept enums by name and by number", async () => {
    const seen: number[] = [];
    await using server = await startWireServer({
      agents: {
        exportApp: async ({ exportFormat }) => {
          seen.push(exportFormat);
          return {};
        },
      },
    });
    for (const exportFormat of ["JSON", 1])
      assert.equal((await json(`${server.url}/v1/${APP}:exportApp`, post({ exportFormat }))).status, 200);
    assert.deepEqual(seen, [1, 1]);
  });
});

describe("REST queries", () => {
  const list = async (query: string) => {
    const seen: ListConversationsRequest[] = [];
    await using server = await startWireServer({
      agents: {
        listConversations: async (request) => {
          seen.push(request);
          return {};
        },
      },
    });
    const answer = await json<ErrorAnswer>(`${server.url}/v1beta/${APP}/conversations${query}`);
    return { seen: seen[0], ...answer };
  };

  it("bind scalars, repeated fields and enums by name or number, in either spelling", async () => {
    const { seen } = await list("?pageSize=7&page_token=t%20t&sources=LIVE&sources=2");
    assert.deepEqual(
      [seen?.parent, seen?.pageSize, seen?.pageToken, seen?.sources],
      [APP, 7, "t t", [Conversation_Source.LIVE, Conversation_Source.SIMULATOR]],
    );
  });

  it("reject unknown names with Google's messages, all at once", async () => {
    const { status, body } = await list("?nope=1&pageSize=1&filter.x=2");
    assert.equal(status, 400);
    assert.deepEqual(
      body.error.details?.[0]?.fieldViolations?.map(({ description }) => description),
      [
        "Invalid JSON payload received. Unknown name \"nope\": Cannot bind query parameter. Field 'nope' could not be found in request message.",
        "Invalid JSON payload received. Unknown name \"filter.x\": Cannot bind query parameter. Field 'x' could not be found in request message.",
      ],
    );
  });

  it("reject an unknown enum name, which a lenient decoder would drop silently", async () => {
    const { status, body } = await list("?source=NOPE");
    assert.deepEqual(
      [status, body.error.message],
      [
        400,
        "source: Invalid value at 'source' (type.googleapis.com/google.cloud.ces.v1beta.Conversation.Source), \"NOPE\"",
      ],
    );
  });

  it("ignore system parameters, and all that begin with $", async () => {
    const system =
      "alt=json&$alt=json&key=k&access_token=t&fields=&prettyPrint=false&quotaUser=q&uploadType=u&upload_protocol=p&callback=c&$.xgafv=2&$future=1";
    const { status, seen } = await list(`?pageSize=3&${system}`);
    assert.deepEqual([status, seen?.pageSize], [200, 3]);
  });

  it("reject an unsupported format", async () => {
    assert.equal((await list("?alt=proto")).status, 400);
  });
});

describe("REST responses", () => {
  const conversation = { name: "c", source: Conversation_Source.LIVE, turns: [{ messages: [{ role: "user" }] }, {}] };
  const agents = { getConversation: async () => conversation };
  const path = `/v1beta/${APP}/conversations/c`;

  it("have enums as numbers when gax requests it", async () => {
    await using server = await startWireServer({ agents });
    const { body } = await json<{ source: unknown }>(`${server.url}${path}?$alt=json%3Benum-encoding=int`);
    assert.equal(body.source, 1);
    assert.equal((await json<{ source: unknown }>(`${server.url}${path}`)).body.source, "LIVE");
  });

  it("have the selected fields only, by parameter or header", async () => {
    await using server = await startWireServer({ agents });
    const part = { source: "LIVE", turns: [{ messages: [{ role: "user" }] }, {}] };
    assert.deepEqual((await json(`${server.url}${path}?fields=source,turns(messages/role)`)).body, part);
    assert.deepEqual(
      (await json(`${server.url}${path}`, { headers: { "x-goog-fieldmask": "source,turns.messages.role" } })).body,
      part,
    );
    assert.equal((await json(`${server.url}${path}?fields=turns(`)).status, 400);
  });

  it("are indented on request", async () => {
    await using server = await startWireServer({ agents: { getApp: async () => ({ name: "a" }) } });
    assert.equal(await (await fetch(`${server.url}/v1/${APP}?prettyPrint=true`)).text(), '{\n  "name": "a"\n}');
  });

  it("show errors with code, status and details", async () => {
    await using server = await startWireServer({
      agents: { getApp: async ({ name }) => Promise.reject(notFound(name, "ces.googleapis.com/App")) },
    });
    assert.deepEqual(await json(`${server.url}/v1/${APP}`), {
      status: 404,
      body: {
        error: {
          code: 404,
          message: `Resource '${APP}' was not found.`,
          status: "NOT_FOUND",
          details: [
            {
              "@type": "type.googleapis.com/google.rpc.ResourceInfo",
              resourceType: "ces.googleapis.com/App",
              resourceName: APP,
            },
          ],
        },
      },
    });
  });

  it("hide the cause of an internal error", async () => {
    await using server = await startWireServer({
      agents: { getApp: async () => Promise.reject(new Error("secret path")) },
    });
    const { status, body } = await json<ErrorAnswer>(`${server.url}/v1/${APP}`);
    assert.deepEqual([status, body.error.message], [500, "Internal error. The server's log has the details."]);
    assert.deepEqual(
      server.lines.map(({ code }) => code),
      ["INTERNAL"],
    );
  });

  it("follow X-HTTP-Method-Override, with a form as the query of a GET that is too long", async () => {
    const seen: string[] = [];
    await using server = await startWireServer({
      agents: {
        listApps: async ({ filter }) => {
          seen.push(filter);
          return {};
        },
        deleteApp: async ({ name }) => ({ name }),
      },
    });
    const form = {
      method: "POST",
      body: "filter=a%20b",
      headers: { "x-http-method-override": "GET", "content-type": "application/x-www-form-urlencoded" },
    };
    assert.equal((await json(`${server.url}/v1/projects/p/locations/us/apps`, form)).status, 200);
    assert.deepEqual(seen, ["a b"]);
    const removed = await json(`${server.url}/v1/${APP}`, {
      method: "POST",
      headers: { "x-http-method-override": "DELETE" },
    });
    assert.deepEqual(removed.body, { name: APP });
  });

  it("to HEAD have headers and no body, and to OPTIONS the allowed methods", async () => {
    await using server = await startWireServer({ agents: { getApp: async () => ({ name: "a" }) } });
    const head = await fetch(`${server.url}/v1/${APP}`, { method: "HEAD" });
    assert.deepEqual([head.status, head.headers.get("content-length"), await head.text()], [200, "12", ""]);
    const options = await fetch(`${server.url}/v1/${APP}`, { method: "OPTIONS" });
    assert.deepEqual([options.status, options.headers.get("allow")], [204, "GET, PATCH, DELETE, HEAD, OPTIONS"]);
  });

  it("arrive before the deadline of X-Server-Timeout, or are DEADLINE_EXCEEDED", async () => {
    await using server = await startWireServer({ agents: { getApp: () => new Promise<never>(() => {}) } });
    const { status, body } = await json<ErrorAnswer>(`${server.url}/v1/${APP}`, {
      headers: { "x-server-timeout": "0.01" },
    });
    assert.deepEqual([status, body.error.status], [504, "DEADLINE_EXCEEDED"]);
  });

  it("have one line in the log, also without a method", async () => {
    await using server = await startWireServer({ agents: { getApp: async () => ({}) } });
    await fetch(`${server.url}/v1/${APP}`);
    await fetch(`${server.url}/v1/${APP}?nope=secret`);
    await fetch(`${server.url}/nothing`);
    assert.deepEqual(
      server.lines.map(({ method, code }) => [method, code]),
      [
        ["google.cloud.ces.v1.AgentService.GetApp", "OK"],
        [`GET /v1/${APP}`, "INVALID_ARGUMENT"],
        ["GET /nothing", "NOT_FOUND"],
      ],
    );
  });
});

describe("an operation returned to v1", () => {
  it("has v1 types in its own response too", async () => {
    const operation = create(OperationSchema, {
      name: "o",
      done: true,
      result: { case: "response", value: anyPack(AppSchema, create(AppSchema, { name: "a" })) },
    });
    await using server = await startWireServer({ agents: { createApp: async () => operation } });
    const { body } = await json(
      `${server.url}/v1/projects/p/locations/us/apps?appId=shop`,
      post({ displayName: "Shop" }),
    );
    assert.deepEqual(body, {
      name: "o",
      done: true,
      response: { "@type": "type.googleapis.com/google.cloud.ces.v1.App", name: "a" },
    });
  });
});
