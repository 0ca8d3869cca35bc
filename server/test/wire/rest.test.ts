import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import type { ListConversationsRequest, UpdateAppRequest } from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { Conversation_Source } from "@frontdesk/protos/ces/conversation";
import type { RunSessionRequest } from "@frontdesk/protos/ces/session_service";
import { APP, type ErrorAnswer, json, post } from "./rest-requests.ts";
import { startWireServer } from "./wire-server.ts";

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

  it("respond 404 to a custom verb that no method has, and 405 where an id has an escaped colon", async () => {
    await using server = await startWireServer();
    for (const path of [`${APP}:nope`, `${APP}/sessions/s:runsession`, "projects/p/locations/us/operations/o:wait"]) {
      const { status, body } = await json<ErrorAnswer>(`${server.url}/v1/${path}`, post({}));
      assert.deepEqual([status, body.error.message], [404, `There is no method at POST /v1/${path}.`]);
    }
    assert.equal((await fetch(`${server.url}/v1/${APP}%3Anope`, post({}))).status, 405);
    assert.equal((await fetch(`${server.url}/v1/${APP}:exportApp`)).status, 405);
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
    assert.equal((await fetch(`${server.url}/v1/projects/p/locations/us/operations/o:wait`, post({}))).status, 404);
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
          "Invalid value at 'config.input_audio_config.audio_encoding' (type.googleapis.com/google.cloud.ces.v1beta.AudioEncoding), \"NOPE\"; must be one of LINEAR16, MULAW, ALAW",
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

  it("reject wrong entries of maps and lists by their keys and positions", async () => {
    await using server = await startWireServer({ agents: { createApp: async () => ({}) } });
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, at === 777 ? [] : "fine"]));
    const app = { metadata: { a: 1, b: "x", "c d": true, ...many }, guardrails: ["one", 2, "three", null] };
    const { status, body } = await json<ErrorAnswer>(`${server.url}/v1beta/projects/p/locations/us/apps`, post(app));
    assert.equal(status, 400);
    assert.deepEqual(body.error.details?.[0]?.fieldViolations, [
      { field: "app.metadata[a]", description: "Invalid value at 'app.metadata[a]' (TYPE_STRING), 1" },
      { field: "app.metadata[c d]", description: "Invalid value at 'app.metadata[c d]' (TYPE_STRING), true" },
      { field: "app.metadata[k777]", description: "Invalid value at 'app.metadata[k777]' (TYPE_STRING), […]" },
      { field: "app.guardrails[1]", description: "Invalid value at 'app.guardrails[1]' (TYPE_STRING), 2" },
      { field: "app.guardrails[3]", description: "Invalid value at 'app.guardrails[3]' (TYPE_STRING), null" },
    ]);
  });

  it("reject times on days and in hours that do not exist, and take those of leap years", async () => {
    const seen: unknown[] = [];
    await using server = await startWireServer({
      agents: {
        createApp: async ({ app }) => {
          seen.push(app?.createTime?.seconds);
          return {};
        },
      },
    });
    const create = (createTime: string) =>
      json<ErrorAnswer>(`${server.url}/v1beta/projects/p/locations/us/apps`, post({ createTime }));
    for (const time of [
      "2027-02-30T00:00:00Z",
      "2027-02-29T00:00:00+01:00",
      "2027-04-31T10:00:00Z",
      "2027-01-01T24:00:00Z",
    ]) {
      const { status, body } = await create(time);
      assert.equal(status, 400, time);
      assert.deepEqual(
        body.error.details?.[0]?.fieldViolations?.map(({ field }) => field),
        ["app.create_time"],
      );
    }
    assert.equal((await create("2028-02-29T23:59:59.5Z")).status, 200);
    assert.deepEqual(seen, [BigInt(Date.UTC(2028, 1, 29, 23, 59, 59) / 1_000)]);
  });

  it("reject two members of one oneof", async () => {
    await using server = await startWireServer({ sessions: { runSession: async () => ({}) } });
    const { status, body } = await json<ErrorAnswer>(
      `${server.url}/v1/${APP}/sessions/s:runSession`,
      post({ inputs: [{ text: "a", dtmf: "1" }] }),
    );
    assert.equal(status, 400);
    assert.match(body.error.message, /send one of 'text' and 'dtmf'/);
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

  it("reject a second value of a field that has one, in either spelling", async () => {
    for (const [query, field] of [
      ["?filter=a&filter=b", "filter"],
      ["?pageSize=1&page_size=3", "page_size"],
      ["?pageToken=t&pageToken=t", "page_token"],
    ] as const) {
      const { status, body } = await list(query);
      assert.equal(status, 400);
      assert.equal(body.error.details?.[0]?.fieldViolations?.[0]?.field, field);
    }
    const { seen } = await list("?sources=LIVE&pageSize=1&sources=SIMULATOR");
    assert.deepEqual(seen?.sources, [Conversation_Source.LIVE, Conversation_Source.SIMULATOR]);
  });

  it("reject an unknown enum name, which a lenient decoder would drop silently", async () => {
    const { status, body } = await list("?source=NOPE");
    assert.deepEqual(
      [status, body.error.message],
      [
        400,
        "source: Invalid value at 'source' (type.googleapis.com/google.cloud.ces.v1beta.Conversation.Source), \"NOPE\"; must be one of LIVE, SIMULATOR, EVAL, AGENT_TOOL",
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
