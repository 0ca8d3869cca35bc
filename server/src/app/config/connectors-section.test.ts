import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ConnectorsSectionSchema, connectorsConfig } from "./connectors-section.ts";
import { RemoteAgentsSectionSchema } from "./remote-agents-section.ts";

const NAME = "projects/p/locations/us/connections/tickets";
const fault = (sentence: string) => new Error(sentence);

describe("the section connectors", () => {
  it("reads connections over plain HTTP, with defaults", () => {
    const section = ConnectorsSectionSchema.parse({
      http: [{ name: NAME, baseUrl: "https://tickets.example.com", actions: { ping: { path: "/ping" } } }],
    });
    assert.deepEqual(connectorsConfig(section, {}, fault), {
      http: new Map([
        [
          NAME,
          {
            baseUrl: "https://tickets.example.com",
            actions: {
              ping: { description: "", method: "POST", path: "/ping", input: { type: "object", properties: {} } },
            },
            entities: {},
          },
        ],
      ]),
    });
  });

  it("enables Integration Connectors only when it is present", async () => {
    assert.deepEqual(connectorsConfig(undefined, {}, fault), { http: new Map() });
    const section = ConnectorsSectionSchema.parse({ google: { projects: ["p"], accessTokenEnv: "TOKEN" } });
    const { google } = connectorsConfig(section, { TOKEN: "t" }, fault);
    assert.deepEqual([google?.projects, await google?.accessToken()], [["p"], "t"]);
  });

  it("names what is wrong with a name, a path and an authentication", () => {
    const { error } = ConnectorsSectionSchema.safeParse({
      http: [
        {
          name: "tickets",
          baseUrl: "ftp://x",
          authentication: { apiKey: {} },
          actions: { ping: { path: "ping" } },
        },
      ],
    });
    assert.deepEqual(
      error?.issues.map(({ path, message }) => [path.join("."), message.replace(/:.*/, "")]),
      [
        ["http.0.name", "connection"],
        ["http.0.baseUrl", "must be an http or https URL"],
        ["http.0.authentication", "is not an ApiAuthentication"],
        ["http.0.actions.ping.path", "must begin with /"],
      ],
    );
  });
});

describe("the section remoteAgents", () => {
  it("accepts origins only, and names the apps", () => {
    const authentication = { serviceAgentIdTokenAuthConfig: {} };
    const parse = (origin: string, apps: readonly string[] = ["*"]) =>
      RemoteAgentsSectionSchema.safeParse([{ origin, authentication, apps }]).success;
    assert.deepEqual(
      [parse("https://a.example.com"), parse("https://a.example.com/"), parse("https://a.example.com/x")],
      [true, true, false],
    );
    assert.equal(parse("https://a.example.com", []), false);
  });
});
