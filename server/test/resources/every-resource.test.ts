import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  create,
  type DescMessage,
  type DescMethod,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { behaviorsOf, classifyMethod, FieldBehavior, type StandardMethod } from "#aip";
import { APP, CALL, LOCATION, openResources, type TestResources } from "./open-resources.ts";
import { statusErrorOf } from "./status-error.ts";

/** What each resource needs to be created at all; the rest of this file knows nothing of any type. */
const SAMPLES: Readonly<Record<string, JsonObject>> = {
  App: { displayName: "Sample" },
  Agent: { displayName: "Sample" },
  Tool: { clientFunction: { name: "sample" } },
  Toolset: { displayName: "Sample", mcpToolset: { serverAddress: "https://mcp.example.com/mcp" } },
  Guardrail: { displayName: "Sample", llmPolicy: { prompt: "Be kind.", policyScope: "USER_QUERY" } },
  Example: { displayName: "Sample" },
  Deployment: { displayName: "Sample", channelProfile: { channelType: "API" } },
  AppVersion: { displayName: "Sample" },
  Evaluation: { displayName: "Sample", golden: { turns: [{ steps: [{ userInput: { text: "Hi" } }] }] } },
  EvaluationDataset: { displayName: "Sample" },
  EvaluationExpectation: { displayName: "Sample", llmCriteria: { prompt: "Is it polite?" } },
  ScheduledEvaluationRun: {
    displayName: "Sample",
    request: { evaluationDataset: `${APP}/evaluationDatasets/nightly` },
    schedulingConfig: { frequency: "DAILY", startTime: "2026-06-01T00:00:00Z" },
  },
};

/** A field that an update may change without further ado. */
const CHANGES: Readonly<Record<string, JsonObject>> = {
  Tool: { timeout: "5s" },
  Deployment: { displayName: "Changed" },
  EvaluationExpectation: { tags: ["changed"] },
};

interface Methods {
  readonly create: DescMethod;
  readonly get: DescMethod;
  readonly list: DescMethod;
  readonly update?: DescMethod;
  readonly delete: DescMethod;
}

function methodsOf(resource: string): Methods {
  const found = [...AgentService.methods, ...EvaluationService.methods].filter(
    (method) => classifyMethod(method)?.resource.name === resource,
  );
  const byKind = Object.fromEntries(found.map((method) => [classifyMethod(method)?.kind, method]));
  return byKind as unknown as Methods;
}

function rolesOf<K extends StandardMethod["kind"]>(method: DescMethod, kind: K): Extract<StandardMethod, { kind: K }> {
  const roles = classifyMethod(method);
  assert.equal(roles?.kind, kind);
  return roles as Extract<StandardMethod, { kind: K }>;
}

function hasRequiredFields({ fields }: DescMessage): boolean {
  return fields.some((field) => behaviorsOf(field).has(FieldBehavior.REQUIRED));
}

for (const [resource, sample] of Object.entries(SAMPLES)) {
  describe(`the standard methods of ${resource}`, () => {
    const methods = methodsOf(resource);
    const roles = rolesOf(methods.create, "create");
    const parent = resource === "App" ? LOCATION : APP;
    let test: TestResources;

    async function call(method: DescMethod, request: JsonObject): Promise<JsonObject> {
      const answer: Message = await test.resources.standard.invoke(method, fromJson(method.input, request), CALL);
      const output = [roles.resource, method.output].find((desc) => desc.typeName === answer.$typeName);
      return output ? (toJson(output, answer) as JsonObject) : {};
    }

    const createNamed = (id: string, more: JsonObject = {}) =>
      call(methods.create, {
        parent,
        [roles.id?.jsonName ?? ""]: id,
        [roles.body.jsonName]: { ...sample, ...unique(id), ...more },
      });
    const unique = (id: string): JsonObject =>
      resource === "Tool" ? { clientFunction: { name: id } } : { displayName: id };
    const list = (request: JsonObject) => call(methods.list, { parent, ...request });
    const namesIn = (response: JsonObject) =>
      ((response[rolesOf(methods.list, "list").items.jsonName] as JsonValue[] | undefined) ?? []).map(
        (each) => (each as JsonObject).name as string,
      );

    before(async () => {
      test = await openResources();
      await test.call("createEvaluationDataset", {
        parent: APP,
        evaluationDatasetId: "nightly",
        evaluationDataset: { displayName: "Nightly" },
      });
    });

    after(() => test[Symbol.asyncDispose]());

    it("creates with the id of the request and returns what Get returns", async () => {
      const made = await createNamed("sample-1");
      assert.match(String(made.name), new RegExp(`^${parent}/[A-Za-z]+/sample-1$`));
      assert.equal(typeof made.createTime, "string");
      assert.match(String(made.etag), /^[\w-]{22}$/);
      assert.deepEqual(await call(methods.get, { name: made.name as string }), made);
    });

    it("generates an id when none is given", async () => {
      const made = await createNamed("", unique("without-id"));
      assert.match(String(made.name), /\/00000000-0000-4000-8000-\d{12}$/);
      await call(methods.delete, { name: made.name as string });
    });

    it("rejects an id that exists", async () => {
      const statusError = await statusErrorOf(createNamed("sample-1"));
      assert.equal(statusError.code, "AlreadyExists");
    });

    it("rejects an id of the wrong form", async () => {
      assert.deepEqual(await statusErrorOf(createNamed("no")), {
        code: "InvalidArgument",
        violations: {
          [roles.id?.name ?? ""]:
            "'no' is not a valid id: use 5 to 36 letters, digits, hyphens or underscores, starting with a letter or digit.",
        },
      });
    });

    it("rejects an invalid parent and a missing one", async () => {
      const body = { [roles.body.jsonName]: sample };
      assert.equal((await statusErrorOf(call(methods.create, { parent: "nowhere", ...body }))).code, "InvalidArgument");
      if (resource === "App") return;
      assert.deepEqual(await statusErrorOf(call(methods.create, { parent: `${LOCATION}/apps/missing`, ...body })), {
        code: "NotFound",
        message: `Resource '${LOCATION}/apps/missing' was not found.`,
      });
      assert.equal((await statusErrorOf(call(methods.list, { parent: `${LOCATION}/apps/missing` }))).code, "NotFound");
    });

    it("is NOT_FOUND for unknown names and INVALID_ARGUMENT for invalid ones", async () => {
      const missing = `${String((await createNamed("lost-one")).name)}-not`;
      assert.deepEqual(await statusErrorOf(call(methods.get, { name: missing })), {
        code: "NotFound",
        message: `Resource '${missing}' was not found.`,
      });
      assert.equal((await statusErrorOf(call(methods.delete, { name: missing }))).code, "NotFound");
      assert.equal((await statusErrorOf(call(methods.get, { name: "garden" }))).code, "InvalidArgument");
    });

    it("pages through a list without loss, and rejects a token of another request", async () => {
      for (const id of ["list-a", "list-b", "list-c"]) await createNamed(id);
      const all = namesIn(await list({ orderBy: "name" }));
      const paged: string[] = [];
      let pageToken = "";
      do {
        const page = await list({ orderBy: "name", pageSize: 2, pageToken });
        assert.ok(namesIn(page).length <= 2);
        paged.push(...namesIn(page));
        pageToken = (page.nextPageToken as string | undefined) ?? "";
      } while (pageToken);
      assert.deepEqual(paged, all);
      assert.deepEqual([...all].sort(), all);
      assert.deepEqual(namesIn(await list({ orderBy: "name desc" })), [...all].reverse());
      const { nextPageToken } = await list({ orderBy: "name", pageSize: 2 });
      for (const wrong of [
        { orderBy: "create_time", pageToken: nextPageToken as string },
        { orderBy: "name", pageToken: "bm9uc2Vuc2U" },
      ]) {
        const statusError = await statusErrorOf(list({ pageSize: 2, ...wrong }));
        assert.deepEqual(
          [statusError.code, "violations" in statusError && Object.keys(statusError.violations)],
          ["InvalidArgument", ["page_token"]],
        );
      }
      assert.equal((await statusErrorOf(list({ pageSize: -1 }))).code, "InvalidArgument");
      assert.equal((await statusErrorOf(list({ orderBy: "description" }))).code, "InvalidArgument");
    });

    it("lists by creation time in both directions", async () => {
      const oldest = namesIn(await list({ orderBy: "create_time asc" }));
      assert.deepEqual(namesIn(await list({ orderBy: "create_time desc" })), [...oldest].reverse());
      assert.equal(oldest.at(-1)?.endsWith("list-c"), true);
    });

    it("lists across parents with '-'", async () => {
      const everywhere = parent.replace(/[^/]+$/, "-");
      assert.deepEqual(
        namesIn(await call(methods.list, { parent: everywhere, orderBy: "name" })),
        namesIn(await list({ orderBy: "name" })),
      );
      assert.equal(
        (await statusErrorOf(call(methods.create, { parent: everywhere, [roles.body.jsonName]: sample }))).code,
        "InvalidArgument",
      );
    });

    if (rolesOf(methods.list, "list").filter) {
      it("filters a list, and pages through the matches", async () => {
        const first = await list({ filter: "name:list-", orderBy: "name", pageSize: 2 });
        const second = await list({
          filter: "name:list-",
          orderBy: "name",
          pageSize: 2,
          pageToken: first.nextPageToken as string,
        });
        assert.deepEqual(
          [namesIn(first), namesIn(second)].map((names) => names.map((name) => name.split("/").at(-1))),
          [["list-a", "list-b"], ["list-c"]],
        );
        assert.equal(second.nextPageToken, undefined);
        const composite = await list({ filter: "name:(list- AND NOT (list-b OR list-c))" });
        assert.deepEqual(
          namesIn(composite).map((name) => name.split("/").at(-1)),
          ["list-a"],
        );
        assert.equal((await statusErrorOf(list({ filter: "nonsense = 1" }))).code, "InvalidArgument");
      });
    }

    if (methods.update) {
      const method = methods.update;
      const { body } = rolesOf(method, "update");
      // Datasets have nothing but a display name to change, and no two may have the same.
      const changeOf = (id: string): JsonObject =>
        resource === "EvaluationDataset"
          ? { displayName: `${id} changed` }
          : (CHANGES[resource] ?? { description: "Changed" });
      const [changed = ""] = Object.keys(changeOf(""));
      const update = (message: JsonObject, updateMask?: string) =>
        call(method, { [body.jsonName]: message, ...(updateMask !== undefined && { updateMask }) });

      it("changes the fields in update_mask and no others", async () => {
        const before = await createNamed("masked");
        const change = changeOf("masked");
        const after = await update({ ...before, ...change, etag: "", name: before.name as string }, changed);
        assert.deepEqual(
          { ...after, etag: 0, updateTime: 0, [changed]: 0 },
          { ...before, etag: 0, updateTime: 0, [changed]: 0 },
        );
        assert.deepEqual(after[changed], change[changed]);
        assert.notEqual(after.etag, before.etag);
        assert.ok(String(after.updateTime) > String(before.updateTime));
        assert.deepEqual(await call(methods.get, { name: before.name as string }), after);
      });

      it("replaces populated fields without a mask", async () => {
        const before = await createNamed("unmasked");
        const change = changeOf("unmasked");
        const after = await update({ name: before.name as string, ...change });
        assert.deepEqual({ ...after, etag: 0, updateTime: 0 }, { ...before, ...change, etag: 0, updateTime: 0 });
      });

      it("replaces all fields for '*', which needs the required fields if there are any", async () => {
        const before = await createNamed("replaced");
        const change = changeOf("replaced");
        const after = await update({ ...sample, ...change, ...unique("replaced"), name: before.name as string }, "*");
        assert.deepEqual(
          { ...after, etag: 0, updateTime: 0 },
          { ...before, ...change, ...unique("replaced"), etag: 0, updateTime: 0 },
        );
        if (!hasRequiredFields(roles.resource)) return;
        assert.equal((await statusErrorOf(update({ name: before.name as string }, "*"))).code, "InvalidArgument");
      });

      it("writes nothing when nothing changes", async () => {
        const before = await createNamed("same-as-ever");
        assert.deepEqual(await update(before), before);
        assert.deepEqual(await update(before, "*"), before);
      });

      it("reports every wrong path of a mask", async () => {
        const before = await createNamed("mask-paths");
        const request = create(method.input, {
          [body.localName]: { name: before.name as string },
          updateMask: { paths: ["colour", "taste"] },
        });
        const error = await test.resources.standard.invoke(method, request).catch((thrown: Error) => thrown);
        assert.match(String(error), /'colour' is not a field path of .*'taste' is not a field path of/);
      });

      it("rejects a stale etag with ABORTED and overwrites without one", async () => {
        const before = await createNamed("contended");
        const change = changeOf("contended");
        const newer = await update({ ...before, ...change });
        assert.deepEqual(await statusErrorOf(update(before)), {
          code: "Aborted",
          message: `'${String(before.name)}' was changed since it was read; read it again and repeat the change.`,
        });
        assert.equal((await update({ ...before, etag: "" }, "*")).etag, before.etag);
        assert.notEqual(newer.etag, before.etag);
      });

      it("does not create a resource", async () => {
        const { name } = await createNamed("existing");
        assert.equal((await statusErrorOf(update({ ...sample, name: `${String(name)}-not` }))).code, "NotFound");
      });
    }

    it("deletes with the right etag only", async () => {
      const made = await createNamed("short-lived");
      const name = made.name as string;
      assert.equal((await statusErrorOf(call(methods.delete, { name, etag: "stale" }))).code, "Aborted");
      await call(methods.delete, { name, etag: made.etag as string });
      assert.equal((await statusErrorOf(call(methods.get, { name }))).code, "NotFound");
    });

    it("writes the change log", async () => {
      if (resource === "App") return;
      const made = await createNamed("logged");
      await call(methods.delete, { name: made.name as string });
      const { changelogs } = await test.call("listChangelogs", {
        parent: APP,
        filter: `resource_name:logged resource_type:${resource}`,
      });
      assert.deepEqual(
        changelogs.map(({ action, resource: name, resourceType, author, displayName }) => ({
          action,
          name,
          resourceType,
          author,
          displayName,
        })),
        ["Delete", "Create"].map((action) => ({
          action,
          name: made.name,
          resourceType: resource,
          author: "mia@example.com",
          displayName: "logged",
        })),
      );
    });
  });
}
