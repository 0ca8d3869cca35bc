import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import type { TestServer } from "#testing";
import { callRest, LOCATION, ORDERS_REFERENCE, startDataServer } from "./data-server.ts";

let server: TestServer;
before(async () => {
  server = await startDataServer();
});
after(() => server[Symbol.asyncDispose]());

const AGENTS = `${LOCATION}/dataAgents`;
const context = (systemInstruction: string) => ({ systemInstruction, datasourceReferences: ORDERS_REFERENCE });

/** Makes an agent at once and answers its name. */
async function madeAgent(body: object = {}, id = `agent-${randomUUID().slice(0, 8)}`): Promise<string> {
  const { status, json } = await callRest(server, "POST", `/v1beta/${AGENTS}:createSync?dataAgentId=${id}`, body);
  assert.equal(status, 200, JSON.stringify(json));
  return json.name;
}

const patch = (name: string, mask: string, body: object) =>
  callRest(server, "PATCH", `/v1beta/${name}:updateSync${mask && `?updateMask=${mask}`}`, body);

for (const revision of ["v1", "v1beta", "v1alpha"]) {
  describe(`the paths of data agents under /${revision}`, () => {
    const at = (path: string) => `/${revision}/${path}`;

    it("create, get, list, update and delete in operations whose types are of this revision", async () => {
      const id = `life-${revision}`;
      const type = `type.googleapis.com/google.cloud.geminidataanalytics.${revision}`;
      const made = await callRest(server, "POST", at(`${AGENTS}?data_agent_id=${id}`), { display_name: "A" });
      assert.deepEqual([made.status, made.json.done, made.json.response["@type"]], [200, true, `${type}.DataAgent`]);
      const { createTime, endTime, ...metadata } = made.json.metadata;
      assert.ok(Date.parse(createTime) <= Date.parse(endTime));
      const name = `${AGENTS}/${id}`;
      assert.deepEqual(metadata, {
        "@type": `${type}.OperationMetadata`,
        target: name,
        verb: "create",
        apiVersion: revision,
      });
      const polled = await callRest(server, "GET", at(made.json.name));
      assert.deepEqual(polled.json, made.json);
      const updated = await callRest(server, "PATCH", at(`${name}?updateMask=description`), { description: "d" });
      assert.deepEqual([updated.json.metadata.verb, updated.json.response.description], ["update", "d"]);
      const listed = await callRest(server, "GET", at(`${AGENTS}?filter=${encodeURIComponent('description = "d"')}`));
      assert.deepEqual(
        listed.json.dataAgents.map((agent: { name: string }) => agent.name),
        [name],
      );
      for (const verb of ["listAccessible", "listaccessible"]) {
        const reachable = await callRest(server, "GET", at(`${AGENTS}:${verb}?creatorFilter=2&pageSize=1000`));
        assert.ok(reachable.json.dataAgents.some((agent: { name: string }) => agent.name === name));
      }
      const deleted = await callRest(server, "DELETE", at(name));
      assert.deepEqual([deleted.json.done, deleted.json.metadata.verb], [true, "delete"]);
      assert.equal(deleted.json.response["@type"], "type.googleapis.com/google.protobuf.Empty");
      const operations = await callRest(server, "GET", at(`${LOCATION}/operations?pageSize=100`));
      assert.ok(operations.json.operations.some((each: { name: string }) => each.name === deleted.json.name));
      assert.equal((await callRest(server, "DELETE", at(deleted.json.name))).status, 200);
    });

    it("do the same at once, keep a policy by POST, and show locations", async () => {
      const made = await callRest(server, "POST", at(`${AGENTS}:createSync?dataAgentId=sync-${revision}`), {});
      const { name } = made.json;
      const updated = await callRest(server, "PATCH", at(`${name}:updateSync?update_mask=display_name`), {
        displayName: "S",
      });
      assert.equal(updated.json.displayName, "S");
      const bindings = [{ role: "roles/geminidataanalytics.dataAgentUser", members: ["user:ana@example.com"] }];
      const set = await callRest(server, "POST", at(`${name}:setIamPolicy`), { policy: { bindings } });
      assert.deepEqual(
        [set.json.bindings, (await callRest(server, "POST", at(`${name}:getIamPolicy`), {})).json],
        [bindings, set.json],
      );
      const stale = { policy: { bindings, etag: Buffer.from("old").toString("base64") } };
      assert.equal((await callRest(server, "POST", at(`${name}:setIamPolicy`), stale)).json.error.status, "ABORTED");
      assert.deepEqual(await callRest(server, "DELETE", at(`${name}:deleteSync`)), { status: 200, json: {} });
      assert.equal((await callRest(server, "GET", at("projects/p/locations/global"))).json.locationId, "global");
      assert.ok((await callRest(server, "GET", at("projects/p/locations"))).json.locations.length > 1);
    });
  });
}

describe("a data agent", () => {
  it("gets an id when the client names none, and takes ids as the vendor's samples write them", async () => {
    const { json } = await callRest(server, "POST", `/v1beta/${AGENTS}:createSync`, {});
    assert.match(json.name, /\/dataAgents\/agent_[0-9a-f-]{36}$/);
    assert.equal(await madeAgent({}, "data_agent_1"), `${AGENTS}/data_agent_1`);
    for (const id of ["a".repeat(64), "a b", "%C3%BC"]) {
      const refused = await callRest(server, "POST", `/v1beta/${AGENTS}:createSync?dataAgentId=${id}`, {});
      assert.deepEqual(
        [refused.status, refused.json.error.details[0].fieldViolations[0].field],
        [400, "data_agent_id"],
      );
    }
  });

  it("is rejected whole, with every violation at once", async () => {
    const bq = {
      ...ORDERS_REFERENCE.bq,
      propertyGraphReferences: [{ projectId: "p", datasetId: "d", propertyGraphId: "g" }],
    };
    const options = { datasource: { bigQueryMaxBilledBytes: "0" } };
    const { json } = await callRest(server, "POST", `/v1beta/${AGENTS}:createSync?dataAgentId=faulty`, {
      displayName: "x".repeat(257),
      description: "x".repeat(1025),
      kmsKey: "projects/p/locations/us/keyRings/r/cryptoKeys/k",
      dataAnalyticsAgent: { publishedContext: { datasourceReferences: { bq }, options } },
    });
    const fields = json.error.details[0].fieldViolations.map(({ field }: { field: string }) => field);
    const at = "data_agent.data_analytics_agent.published_context";
    assert.deepEqual(fields, [
      "data_agent.display_name",
      "data_agent.description",
      "data_agent.kms_key",
      `${at}.datasource_references.bq.property_graph_references`,
      `${at}.options.datasource.big_query_max_billed_bytes`,
    ]);
    assert.equal((await callRest(server, "GET", `/v1beta/${AGENTS}/faulty`)).status, 404);
  });

  it("is not made larger by updates than one message can hold (WIRE-23)", async () => {
    const terms = (count: number) => ({
      glossaryTerms: Array.from({ length: count }, (_, at) => ({ displayName: `t${at}`, description: "d" })),
    });
    const of = (key: string) => ({ dataAnalyticsAgent: { [key]: { ...context("be short"), ...terms(10_000) } } });
    const name = await madeAgent(of("stagingContext"));
    const changed = await patch(name, "dataAnalyticsAgent.publishedContext", of("publishedContext"));
    assert.equal(changed.status, 400);
    assert.match(JSON.stringify(changed.json.error.details), /"field":"data_agent".*more than 50000 values/);
    assert.equal((await patch(name, "displayName", { displayName: "Still there" })).status, 200);
  });

  it("changes what the mask names, in either spelling, also to nothing", async () => {
    const name = await madeAgent({ displayName: "A", description: "d", labels: { team: "x" } });
    const { json } = await patch(name, "description,labels", { displayName: "not this" });
    assert.deepEqual([json.displayName, json.description, json.labels], ["A", undefined, undefined]);
    const camel = await patch(name, "dataAnalyticsAgent.stagingContext,displayName", {
      displayName: "B",
      dataAnalyticsAgent: { stagingContext: context("s") },
    });
    assert.deepEqual(
      [camel.json.displayName, camel.json.dataAnalyticsAgent.stagingContext.systemInstruction],
      ["B", "s"],
    );
    const unknown = await patch(name, "no_such_field", {});
    assert.deepEqual([unknown.status, unknown.json.error.details[0].fieldViolations[0].field], [400, "update_mask"]);
  });

  it("without a mask changes what is there, and with * everything", async () => {
    const name = await madeAgent({
      displayName: "A",
      description: "d",
      dataAnalyticsAgent: { publishedContext: context("1") },
    });
    const some = await patch(name, "", { description: "e", displayName: "" });
    assert.deepEqual([some.json.displayName, some.json.description], ["A", "e"]);
    assert.equal(some.json.dataAnalyticsAgent.publishedContext.systemInstruction, "1");
    const all = await patch(name, "*", { displayName: "Z" });
    const { createTime, updateTime, etag, ...rest } = all.json;
    assert.deepEqual(rest, { name, displayName: "Z" });
    assert.notEqual(etag, some.json.etag);
    assert.ok(Date.parse(createTime) <= Date.parse(updateTime));
  });

  it("is not overwritten by an update that names an older etag (CA-41)", async () => {
    const name = await madeAgent({ displayName: "A" });
    const { etag } = (await callRest(server, "GET", `/v1beta/${name}`)).json;
    const first = await patch(name, "display_name", { displayName: "B", etag });
    const second = await patch(name, "display_name", { displayName: "C", etag });
    assert.deepEqual([first.status, second.status, second.json.error.status], [200, 409, "ABORTED"]);
    const now = await callRest(server, "GET", `/v1beta/${name}`);
    assert.deepEqual([now.json.displayName, now.json.etag], ["B", first.json.etag]);
    assert.equal((await patch(name, "display_name", { displayName: "D" })).json.displayName, "D");
  });

  it("has the previous published context as last published one, which clients cannot set", async () => {
    const name = await madeAgent({
      dataAnalyticsAgent: { publishedContext: context("1"), lastPublishedContext: context("mine") },
    });
    const publish = (text: string) =>
      patch(name, "data_analytics_agent.published_context", {
        dataAnalyticsAgent: { publishedContext: context(text) },
      });
    const contexts = async (answer: ReturnType<typeof publish>) => {
      const { publishedContext, lastPublishedContext } = (await answer).json.dataAnalyticsAgent;
      return [publishedContext?.systemInstruction, lastPublishedContext?.systemInstruction];
    };
    assert.deepEqual(await contexts(publish("1")), ["1", undefined]);
    assert.deepEqual(await contexts(publish("2")), ["2", "1"]);
    assert.deepEqual(await contexts(publish("2")), ["2", "1"]);
    const body = { dataAnalyticsAgent: { publishedContext: context("3"), lastPublishedContext: context("mine") } };
    assert.deepEqual(await contexts(patch(name, "data_analytics_agent", body)), ["3", "2"]);
    assert.deepEqual(await contexts(patch(name, "data_analytics_agent.last_published_context", body)), ["3", "2"]);
  });

  it("is deleted softly: still read, listed only when asked for, not changed, its id not free for thirty days", async () => {
    const name = await madeAgent({ displayName: "Going" });
    const id = name.split("/").at(-1);
    await callRest(server, "DELETE", `/v1beta/${name}:deleteSync`);
    const { json } = await callRest(server, "GET", `/v1beta/${name}`);
    assert.equal(json.displayName, "Going");
    assert.equal(Date.parse(json.purgeTime) - Date.parse(json.deleteTime), 30 * 86_400_000);
    const listed = async (query: string) =>
      (await callRest(server, "GET", `/v1beta/${AGENTS}?pageSize=100${query}`)).json.dataAgents.some(
        (agent: { name: string }) => agent.name === name,
      );
    assert.deepEqual([await listed(""), await listed("&showDeleted=true")], [false, true]);
    const again = await callRest(server, "POST", `/v1beta/${AGENTS}?dataAgentId=${id}`, {});
    assert.deepEqual([again.status, again.json.error.status], [409, "ALREADY_EXISTS"]);
    for (const refused of [
      await patch(name, "", { description: "x" }),
      await callRest(server, "DELETE", `/v1beta/${name}`),
    ]) {
      assert.deepEqual([refused.status, refused.json.error.details[0].reason], [400, "DATA_AGENT_DELETED"]);
    }
  });

  it("is made once however often a request with one id comes", async () => {
    const requestId = randomUUID();
    const create = (body: object, id: string = requestId) =>
      callRest(server, "POST", `/v1beta/${AGENTS}:createSync?requestId=${id}`, body);
    const [first, second] = await Promise.all([create({ displayName: "Once" }), create({ displayName: "Once" })]);
    const third = await create({ displayName: "Once" });
    assert.deepEqual([second.json, third.json], [first.json, first.json]);
    const other = await create({ displayName: "Twice" });
    assert.deepEqual([other.status, other.json.error.details[0].fieldViolations[0].field], [400, "request_id"]);
    for (const id of ["00000000-0000-0000-0000-000000000000", "once"]) {
      const refused = await create({}, id);
      assert.deepEqual([refused.status, refused.json.error.details[0].fieldViolations[0].field], [400, "request_id"]);
    }
  });

  it("is listed by what the request orders, with tokens that belong to it", async () => {
    for (const displayName of ["b", "c", "a"]) await madeAgent({ displayName, labels: { order: "yes" } });
    const list = (query: string) =>
      callRest(
        server,
        "GET",
        `/v1beta/${AGENTS}?filter=${encodeURIComponent('labels.order = "yes"')}&pageSize=2${query}`,
      );
    const names = (page: { json: { dataAgents: readonly { displayName: string }[] } }) =>
      page.json.dataAgents.map(({ displayName }) => displayName);
    const first = await list("&orderBy=display_name%20desc");
    const second = await list(`&orderBy=display_name%20desc&pageToken=${first.json.nextPageToken}`);
    assert.deepEqual([names(first), names(second), second.json.nextPageToken], [["c", "b"], ["a"], undefined]);
    const foreign = await list(`&pageToken=${first.json.nextPageToken}`);
    assert.equal(foreign.json.error.details[0].fieldViolations[0].field, "page_token");
    assert.equal((await callRest(server, "GET", "/v1beta/projects/-/locations/-/dataAgents?pageSize=1")).status, 200);
  });
});

describe("the board of an agent (CA-41)", () => {
  const pins = (...questions: readonly string[]) => questions.map((question) => ({ question, sqlQuery: "SELECT 1" }));

  it("is kept in its order, and nothing else of the agent changes", async () => {
    const name = await madeAgent({ displayName: "Sales", pinnedQuestions: pins("a") });
    const { status, json } = await patch(name, "pinnedQuestions", { pinnedQuestions: pins("b", "a") });
    assert.deepEqual([status, json.displayName, json.pinnedQuestions], [200, "Sales", pins("b", "a")]);
    assert.equal((await patch(name, "pinnedQuestions", {})).json.pinnedQuestions, undefined);
  });

  it("is refused with more than fifty questions, one without a statement, and one twice", async () => {
    const name = await madeAgent();
    for (const [pinnedQuestions, field] of [
      [pins(...Array.from({ length: 51 }, (_, at) => `q${at}`)), "data_agent.pinned_questions"],
      [[{ question: "a" }], "data_agent.pinned_questions[0]"],
      [pins("a", "a"), "data_agent.pinned_questions[1].question"],
    ] as const) {
      const { status, json } = await patch(name, "pinnedQuestions", { pinnedQuestions });
      assert.equal(status, 400, field);
      assert.match(JSON.stringify(json), new RegExp(RegExp.escape(field)));
    }
  });
});
