import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type AuthServer, LOCATION, startAuthServer } from "./auth-server.ts";
import { type Browser, createBrowser } from "./browser.ts";
import { type OidcIssuer, startSignInIssuer } from "./oidc-issuer.ts";

const APPS = `/v1beta/${LOCATION}/apps`;

interface Session {
  readonly authentication: string;
  readonly signIn?: object;
  readonly person?: { readonly kind: string; readonly principal: string };
  readonly expireTime?: string;
  readonly csrfToken?: string;
}

const sessionOf = async (browser: Browser, { address }: AuthServer): Promise<Session> =>
  (await (await browser.send(`${address}/auth/session`)).json()) as Session;

/** A request that changes something, as a page sends it. */
const post = (browser: Browser, { address }: AuthServer, csrfToken?: string): Promise<Response> =>
  browser.send(`${address}${APPS}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(csrfToken !== undefined && { "x-frontdesk-csrf": csrfToken }) },
    body: JSON.stringify({ displayName: "" }),
  });

describe("a one-time link (AUTH-21)", () => {
  let server: AuthServer;
  before(async () => {
    server = await startAuthServer();
  });
  after(() => server[Symbol.asyncDispose]());

  const printedLink = (text: string) => /http:\S+\/auth\/login\?link=\S+/.exec(text)?.[0] ?? "";

  it("is printed at a start that people watch, and at no other; it signs in the operator, and works once", async () => {
    const watched = await server.banner(true);
    const unwatched = await server.banner(false);
    assert.equal(printedLink(unwatched), "");
    assert.match(unwatched, /note {4}frontdesk auth link makes a link/);
    const link = printedLink(watched);
    const browser = createBrowser();
    const response = await browser.send(`${link}&return=/console/apps`);
    assert.deepEqual([response.status, response.headers.get("location")], [302, "/console/apps"]);
    assert.equal((await browser.send(server.address + APPS)).status, 200);
    const { person, csrfToken } = await sessionOf(browser, server);
    assert.deepEqual(person, { kind: "operator", principal: "" });
    assert.match(csrfToken ?? "", /^[\w-]{43}$/);
    const again = await createBrowser().send(link);
    assert.equal(again.headers.get("location"), "/console/sign-in?fault=expired&return=%2F");
    assert.deepEqual(again.headers.getSetCookie(), []);
  });

  it("is made for a person by the operator only", async () => {
    const init = { method: "POST", body: JSON.stringify({ principal: "user:Ann@example.com" }) };
    const { url } = (await (await server.call("/auth/links", server.operator, init)).json()) as { url: string };
    const browser = createBrowser();
    await browser.send(url);
    assert.deepEqual((await sessionOf(browser, server)).person, { kind: "user", principal: "user:ann@example.com" });
    const { csrfToken = "" } = await sessionOf(browser, server);
    const refused = await browser.send(`${server.address}/auth/links`, {
      method: "POST",
      headers: { "x-frontdesk-csrf": csrfToken },
    });
    assert.equal(refused.status, 403);
    assert.equal((await server.call("/auth/links", {}, { method: "POST" })).status, 403);
    const wrong = { method: "POST", body: '{"principal": "serviceAccount:ci@local.frontdesk.local"}' };
    assert.equal((await server.call("/auth/links", server.operator, wrong)).status, 400);
  });

  it("leads to pages of this server only (AUTH-32)", async () => {
    for (const evil of [
      "/.//evil.example",
      "/console/..//evil.example",
      "/%2e//evil.example",
      "/.\\\\evil.example",
      "https://evil.example/",
      "//evil.example",
      "/\\evil.example",
      "javascript:alert(1)",
      "\t//evil.example",
    ]) {
      const { url } = (await (await server.call("/auth/links", server.operator, { method: "POST" })).json()) as {
        url: string;
      };
      const response = await createBrowser().send(`${url}&return=${encodeURIComponent(evil)}`);
      assert.equal(response.headers.get("location"), "/", evil);
    }
  });
});

describe("a session (AUTH-17)", () => {
  const now = { value: Date.now() };
  let server: AuthServer;
  let browser: Browser;
  before(async () => {
    server = await startAuthServer({ clock: { now: () => now.value } });
    browser = createBrowser();
    await browser.send(/http:\S+\/auth\/login\?link=\S+/.exec(await server.banner(true))?.[0] ?? "");
  });
  after(() => server[Symbol.asyncDispose]());

  it("is a cookie that scripts cannot read and other sites cannot use", () => {
    const cookie = browser.cookie(server.address, "frontdesk_session") ?? "";
    assert.match(cookie, /; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/);
  });

  it("needs its token for requests that may change something, over every protocol", async () => {
    const { csrfToken = "" } = await sessionOf(browser, server);
    const statuses = [
      (await post(browser, server)).status,
      (await post(browser, server, `${csrfToken.slice(0, -1)}${csrfToken.endsWith("A") ? "B" : "A"}`)).status,
      (await post(browser, server, csrfToken)).status,
    ];
    // The last one is refused for what is in it, and not for who sends it.
    assert.deepEqual(statuses, [403, 403, 400]);
    const rpc = `${server.address}/google.cloud.ces.v1beta.AgentService/ListApps`;
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: `{"parent": "${LOCATION}"}` };
    assert.equal((await browser.send(rpc, init)).status, 403);
    const withToken = { ...init, headers: { ...init.headers, "x-frontdesk-csrf": csrfToken } };
    assert.equal((await browser.send(rpc, withToken)).status, 200);
  });

  it("says who is signed in, and nothing to anybody else", async () => {
    const signedOut = await sessionOf(createBrowser(), server);
    assert.deepEqual(signedOut, { authentication: "required", signIn: { link: true } });
  });

  it("ends when it is over, and the cookie is refused from then on", async () => {
    now.value += 3_601_000;
    const response = await browser.send(server.address + APPS);
    const { error } = (await response.json()) as { error: { details: { reason: string }[] } };
    assert.deepEqual([response.status, error.details[0]?.reason], [401, "SESSION_EXPIRED"]);
    assert.equal((await sessionOf(browser, server)).person, undefined);
    now.value -= 3_601_000;
  });

  it("ends when the person signs out: the cookie, though somebody copied it, opens nothing", async () => {
    const cookie = (browser.cookie(server.address, "frontdesk_session") ?? "").split(";", 1)[0] ?? "";
    const { csrfToken = "" } = await sessionOf(browser, server);
    assert.equal((await server.call(APPS, { cookie })).status, 200);
    await browser.send(`${server.address}/auth/logout`, { method: "POST" });
    assert.equal((await server.call(APPS, { cookie })).status, 200, "without its token nobody is signed out");
    await server.call("/auth/logout", { cookie, "x-frontdesk-csrf": csrfToken }, { method: "POST" });
    assert.equal((await server.call(APPS, { cookie })).status, 401);
  });
});

describe("signing in at an issuer (AUTH-20)", () => {
  let oidc: OidcIssuer;
  let server: AuthServer;
  before(async () => {
    oidc = await startSignInIssuer((id) => ({ email: `${id}@Example.com`, email_verified: id !== "mallory" }));
    server = await startAuthServer({
      auth: {
        issuers: [
          {
            name: "login",
            issuer: oidc.issuer,
            audiences: [],
            kind: "user",
            project: "local",
            domains: ["example.com"],
          },
        ],
        console: { issuer: "login", clientId: "console", clientSecret: "secret", scopes: [] },
      },
    });
  });
  after(() => Promise.all([server[Symbol.asyncDispose](), oidc[Symbol.asyncDispose]()]));

  /** Signs in with the forms of the issuer; answers where the browser ends. */
  async function signIn(browser: Browser, login: string, back = "/console/apps"): Promise<Response> {
    const page = await browser.open(`${server.address}/auth/login?return=${encodeURIComponent(back)}`);
    const consent = await browser.submit(page, { login, password: "any" });
    return browser.submit(consent, {});
  }

  it("opens a session for the person, with the name that the issuer knows", async () => {
    const browser = createBrowser();
    const page = await signIn(browser, "ann");
    assert.equal(page.url, `${server.address}/console/apps`);
    const { person, signIn: by } = await sessionOf(browser, server);
    assert.deepEqual(
      [person, by],
      [
        { kind: "user", principal: "user:ann@example.com", name: "Ann A.", email: "ann@Example.com" },
        { issuer: "login", url: "/auth/login" },
      ],
    );
    assert.equal((await browser.send(server.address + APPS)).status, 200);
  });

  it("refuses a person for whom the issuer may not vouch", async () => {
    const page = await signIn(createBrowser(), "mallory");
    assert.equal(page.url, `${server.address}/console/sign-in?fault=refused&return=%2F`);
  });

  it("refuses an answer that another browser asked for, and one that comes twice", async () => {
    const browser = createBrowser();
    const begun = await browser.send(`${server.address}/auth/login`);
    const { searchParams } = new URL(begun.headers.get("location") ?? "");
    assert.deepEqual([searchParams.get("code_challenge_method"), searchParams.get("response_type")], ["S256", "code"]);
    const forged = `${server.address}/auth/callback?code=stolen&state=${searchParams.get("state")}`;
    const elsewhere = await createBrowser().send(forged);
    assert.match(elsewhere.headers.get("location") ?? "", /fault=expired/);
    const otherState = await browser.send(`${server.address}/auth/callback?code=stolen&state=other`);
    assert.match(otherState.headers.get("location") ?? "", /fault=failed/);
    const spent = await browser.send(forged);
    assert.match(spent.headers.get("location") ?? "", /fault=expired/);
    assert.equal(browser.cookie(server.address, "frontdesk_session"), undefined);
  });

  it("says that the person was turned away", async () => {
    const browser = createBrowser();
    const begun = await browser.send(`${server.address}/auth/login`);
    const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state");
    const denied = await browser.send(
      `${server.address}/auth/callback?error=access_denied&state=${state}&iss=${encodeURIComponent(oidc.issuer)}`,
    );
    assert.match(denied.headers.get("location") ?? "", /fault=denied/);
  });

  it("sends a browser that came by another name to the address that the issuer knows", async () => {
    const port = new URL(server.address).port;
    const response = await createBrowser().send(`http://localhost:${port}/auth/login?return=/console/apps`);
    assert.equal(response.headers.get("location"), `${server.address}/auth/login?return=/console/apps`);
  });
});

describe("the audit log of sign-ins", () => {
  it("says who signed in and out, by what, from where, and which sign-ins failed", async () => {
    await using server = await startAuthServer();
    const browser = createBrowser();
    const init = { method: "POST", body: JSON.stringify({ principal: "user:ann@example.com" }) };
    const { url } = (await (await server.call("/auth/links", server.operator, init)).json()) as { url: string };
    await browser.send(url);
    await createBrowser().send(url);
    const { csrfToken = "" } = await sessionOf(browser, server);
    await browser.send(`${server.address}/auth/logout`, {
      method: "POST",
      headers: { "x-frontdesk-csrf": csrfToken },
    });
    const answer = await server.call("/v1beta/projects/-/auditEntries", server.operator);
    const { auditEntries } = (await answer.json()) as { auditEntries: Readonly<Record<string, string>>[] };
    assert.deepEqual(
      auditEntries.map(({ method = "", principal = "", outcome, reason = "", address }) =>
        [method.slice(method.lastIndexOf(".") + 1), principal, outcome, reason, address].join(" "),
      ),
      [
        "SignOut user:ann@example.com OK  127.0.0.1",
        "SignIn  UNAUTHENTICATED expired 127.0.0.1",
        "SignIn user:ann@example.com OK  127.0.0.1",
        "MakeSignInLink  OK  127.0.0.1",
      ],
    );
  });
});
