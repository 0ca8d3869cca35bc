import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import type { RegisteredMethod } from "#rpc";
import type { TestServer } from "#testing";
import { callAs, setRoles, startAccessServer } from "./access-server.ts";

const ACME = "projects/acme/locations/us";
const GLOBEX = "projects/globex/locations/us";
/** Requests that each project may make; they come back so slowly that none does while the test runs. */
const LIMIT = 20;

let server: TestServer;
before(async () => {
  const perProject = { measure: "requests", per: "project", limit: LIMIT, burst: LIMIT, everyMs: 86_400_000 } as const;
  server = await startAccessServer(["ann", "gus"], {
    config: { quotas: { rules: [perProject], prices: {}, turnsAtOnce: 10 } },
  });
  await setRoles(server, "projects/acme", { "roles/owner": ["ann"] });
  await setRoles(server, "projects/globex", { "roles/owner": ["gus"] });
});
after(() => server[Symbol.asyncDispose]());

describe("what a call is about", () => {
  it("is named by the field that its rights are decided on, and by no other (IAM-19)", () => {
    const { access, registry } = server.app;
    const wrong: string[] = [];
    let tried = 0;
    for (const method of registry.methods) {
      const own = namingPaths(method);
      for (const path of stringPaths(method.internalMethod.input)) {
        if (own.some((each) => each.join() === path.join())) continue;
        const request = messageWith(method, [...own.map((each) => [each, OWN] as const), [path, FOREIGN]]);
        const named = access.resourceOf(method.internalMethod, request);
        tried += 1;
        if (named.startsWith(FOREIGN)) wrong.push(`${method.path} ${path.join(".")}`);
      }
    }
    assert.deepEqual(wrong, []);
    assert.ok(tried > 1_000, `${tried} fields`);
  });

  it("is in the audit log, whatever else the request names", async () => {
    await callAs(server, "gus", "PATCH", `${GLOBEX}/dataAgents/no-agent?requestId=${ACME}/dataAgents/hers`, {
      displayName: "Renamed",
    });
    const { json } = await callAs(server, "root", "GET", "projects/-/auditEntries?principal=user:gus@example.com");
    assert.equal(json.auditEntries[0].resource, `${GLOBEX}/dataAgents/no-agent`);
  });
});

describe("what a project may use", () => {
  /** Calls by who has no right in the project acme. The last two name it where it decides nothing. */
  const foreign: Readonly<Record<string, () => Promise<unknown>>> = {
    "a chat token, asked for without a credential": () =>
      callAs(server, "", "POST", `${ACME}/apps/the-app/sessions/a-session:generateChatToken`, {
        deployment: `${ACME}/apps/the-app/deployments/web`,
      }),
    "settings of a widget, as its page reads them": () =>
      fetch(`${server.address}/v1beta/${ACME}/apps/the-app/deployments/web?${WIDGET_FIELDS}`, {
        headers: { origin: "https://page.example" },
      }).then((response) => response.text()),
    "one's own permissions": () =>
      callAs(server, "gus", "POST", `${ACME}/apps/the-app:testIamPermissions`, { permissions: ["ces.apps.get"] }),
    "a file whose owner decides": () => callAs(server, "gus", "GET", `${ACME}/dataFiles/upload_0123456789abcdef`),
    "the locations": () => callAs(server, "gus", "GET", "projects/acme/locations"),
    "a refused call": () => callAs(server, "gus", "GET", `${ACME}/apps/the-app`),
    "a request id with its name": () =>
      callAs(server, "gus", "PATCH", `${GLOBEX}/dataAgents/no-agent?requestId=${ACME}/x`, { displayName: "x" }),
    "a question that says to be asked there": () =>
      callAs(server, "gus", "POST", `${ACME}:chat`, {
        dataAgentContext: { dataAgent: `${GLOBEX}/dataAgents/no-agent` },
        messages: [{ userMessage: { text: "revenue" } }],
      }),
  };
  for (const [what, call] of Object.entries(foreign)) {
    it(`is not used up by those who may use nothing of it: ${what} (IAM-20)`, async () => {
      for (let sent = 0; sent <= LIMIT; sent++) await call();
      assert.equal((await callAs(server, "ann", "GET", `${ACME}/apps`)).status, 200);
    });
  }

  it("is used up by its own callers", async () => {
    const statuses: number[] = [];
    for (let sent = 0; sent <= LIMIT; sent++)
      statuses.push((await callAs(server, "ann", "GET", `${ACME}/dataFiles/upload_0123456789abcdef`)).status);
    assert.equal(statuses.at(-1), 429);
  });
});

const WIDGET_FIELDS = "fields=channelProfile.webWidgetConfig(webWidgetTitle,theme)";
const OWN = `${GLOBEX}/apps/own-app/x/own`;
const FOREIGN = `${ACME}/apps/foreign`;

type FieldPath = readonly string[];

/** Paths of the text fields of a message, also of messages in messages. */
function stringPaths(type: DescMessage, depth = 3): readonly FieldPath[] {
  if (depth === 0) return [];
  return type.fields.flatMap((field) => {
    if (isText(field)) return [[field.name]];
    if (field.fieldKind !== "message") return [];
    return stringPaths(field.message, depth - 1).map((path) => [field.name, ...path]);
  });
}

const TEXT = 9;
const isText = (field: DescField) => field.fieldKind === "scalar" && field.scalar === TEXT;

/** The fields that name what the call is about, one of several kinds of request among them. */
function namingPaths(method: RegisteredMethod): readonly FieldPath[] {
  const { access } = server.app;
  return stringPaths(method.internalMethod.input).filter(
    (path) => access.resourceOf(method.internalMethod, messageWith(method, [[path, OWN]])) !== "",
  );
}

function messageWith({ internalMethod }: RegisteredMethod, values: readonly (readonly [FieldPath, string])[]): Message {
  const message = reflect(internalMethod.input, create(internalMethod.input));
  for (const [path, value] of values) setText(message, path, value);
  return message.message;
}

function setText(message: ReflectMessage, [name, ...rest]: FieldPath, value: string): void {
  const field = message.desc.fields.find((one) => one.name === name);
  assert.ok(field);
  if (field.fieldKind !== "message") {
    message.set(field, value);
    return;
  }
  if (!message.isSet(field)) message.set(field, reflect(field.message, create(field.message)));
  setText(message.get(field), rest, value);
}
