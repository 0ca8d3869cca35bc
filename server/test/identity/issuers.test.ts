import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Caller } from "#base";
import type { Issuer } from "#identity";
import { Code, ConnectError } from "#status";
import { type AuthServer, bearer, LOCATION, startAuthServer } from "./auth-server.ts";
import { type Behaviour, type FakeIssuer, startFakeIssuer } from "./fake-issuer.ts";
import { seconds, sign } from "./sign.ts";

const APPS = `/v1beta/${LOCATION}/apps`;

let people: FakeIssuer;
let machines: FakeIssuer;
let server: AuthServer;

before(async () => {
  people = await startFakeIssuer("desk");
  machines = await startFakeIssuer("sts");
  server = await startAuthServer({ auth: { issuers: [issuerOf("okta", people), issuerOf("ci", machines)] } });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await Promise.all([people[Symbol.asyncDispose](), machines[Symbol.asyncDispose]()]);
});

function issuerOf(name: string, { issuer }: FakeIssuer): Issuer {
  if (name === "okta")
    return {
      name,
      issuer,
      audiences: ["desk"],
      kind: "user",
      project: "local",
      groupsClaim: "groups",
      domains: ["example.com"],
    };
  return { name, issuer, audiences: ["sts"], kind: "workload", project: "local", attributes: ["repository"] };
}

/** The caller of a token, as methods get it. */
function callerOf(token: string, on: AuthServer = server): Promise<Caller> {
  const headers = new Map(Object.entries(bearer(token)));
  return on.app.authentication.authenticator.authenticate({ headers, peer: { address: "203.0.113.9" }, isSafe: true });
}

const refusalOf = (token: string, on?: AuthServer) =>
  callerOf(token, on).then(() => assert.fail("the token was accepted"), ConnectError.from);

describe("the token of a person (AUTH-14)", () => {
  it("shows the verified e-mail address in lower case, groups and claims", async () => {
    const caller = await callerOf(
      await people.sign({
        email: "Ann@Example.com",
        email_verified: true,
        groups: ["staff@example.com", "Managers"],
        city: "Bern",
      }),
    );
    const pool = "//iam.googleapis.com/locations/global/workforcePools/okta";
    assert.deepEqual(
      [caller.kind, caller.principal, caller.groups, caller.credentialId, caller.claims.city],
      [
        "user",
        "user:ann@example.com",
        ["group:staff@example.com", `principalSet:${pool}/group/Managers`],
        "issuer:okta",
        "Bern",
      ],
    );
  });

  it("shows an address of which it does not say that it is verified where the operator says that the issuer assigns it (AUTH-29)", async () => {
    const issuer = { ...issuerOf("okta", people), assignsEmails: true };
    await using own = await startAuthServer({ auth: { issuers: [issuer] } });
    assert.equal(
      (await callerOf(await people.sign({ email: "ann@example.com" }), own)).principal,
      "user:ann@example.com",
    );
    const { rawMessage } = await refusalOf(await people.sign({ email: "ann@example.com", email_verified: false }), own);
    assert.match(rawMessage, /has not verified/);
  });

  it("without an address shows the subject at its issuer", async () => {
    const { principal } = await callerOf(await people.sign({}));
    assert.equal(principal, "principal://iam.googleapis.com/locations/global/workforcePools/okta/subject/subject-1");
  });

  const refused: Readonly<Record<string, readonly [claims: () => Promise<string>, words: RegExp]>> = {
    "an address that the issuer has not verified": [
      () => people.sign({ email: "ann@example.com", email_verified: false }),
      /has not verified/,
    ],
    "an address of which it does not say that it is verified (AUTH-29)": [
      () => people.sign({ email: "ann@example.com" }),
      /does not say whether the issuer 'okta' has verified .* 'assignsEmails'/,
    ],
    "an address that is verified by another word than true": [
      () => people.sign({ email: "ann@example.com", email_verified: "no" }),
      /has not verified/,
    ],
    "an address of a domain for which the issuer may not vouch": [
      () => people.sign({ email: "ann@other.example", email_verified: true }),
      /may not vouch for addresses of other.example/,
    ],
    "the address of a service account of this server": [
      () => people.sign({ email: "ci@local.frontdesk.local", email_verified: true }),
      /not one of a person/,
    ],
    "another audience": [() => people.sign({ aud: "another" }), /is for 'another', which is not this server/],
    "no audience": [() => people.sign({ aud: undefined }), /lacks the claim 'aud'/],
    "no subject": [() => people.sign({ sub: undefined }), /lacks the claim 'sub'/],
    "no end": [() => people.sign({ exp: undefined }), /lacks the claim 'exp'/],
    "an end in the past": [() => people.sign({ exp: seconds() - 61 }), /expired at/],
    "the name of another issuer on it (cross-issuer)": [
      () => people.sign({ iss: machines.issuer, aud: "sts" }),
      /no key|signature/,
    ],
    "a form that only the issuer can read (AUTH-25)": [
      async () => "opaque-0123",
      /not a JWT\. A token of an issuer has to be a signed JWT: many .* audience or a resource\.$/,
    ],
    "its content encrypted (AUTH-25)": [
      async () => "eyJlbmMiOiJBMjU2R0NNIn0..aXY.dGV4dA.dGFn",
      /and it is encrypted\. A token of/,
    ],
    "a key id that the issuer does not have": [() => people.sign({}, { kid: "forged" }), /has no key with its key id/],
  };
  for (const [name, [token, words]] of Object.entries(refused)) {
    it(`is refused with ${name}`, async () => {
      const { code, rawMessage } = await refusalOf(await token());
      assert.equal(code, Code.Unauthenticated);
      assert.match(rawMessage, words);
    });
  }
});

describe("the token of a workload", () => {
  it("shows its subject, its pool and its attributes, as Google names them", async () => {
    const { kind, principal, groups } = await callerOf(
      await machines.sign({ sub: "repo:shop", repository: "org/shop" }),
    );
    const pool = "//iam.googleapis.com/projects/local/locations/global/workloadIdentityPools/ci";
    assert.deepEqual(
      [kind, principal, groups],
      [
        "workload",
        `principal:${pool}/subject/repo:shop`,
        [`principalSet:${pool}/attribute.repository/org/shop`, `principalSet:${pool}/*`],
      ],
    );
  });
});

describe("the keys of an issuer (AUTH-13)", () => {
  const now = { value: Date.now() };
  let issuer: FakeIssuer;
  let own: AuthServer;
  beforeEach(async () => {
    issuer = await startFakeIssuer();
    now.value = Date.now();
  });
  const start = async (...more: FakeIssuer[]) => {
    const issuers = [issuer, ...more].map((each, at) => ({ ...issuerOf("okta", each), name: `issuer-${at}` }));
    own = await startAuthServer({ auth: { issuers }, clock: { now: () => now.value } });
    return {
      [Symbol.asyncDispose]: () =>
        Promise.all([own[Symbol.asyncDispose](), issuer[Symbol.asyncDispose]()]).then(() => {}),
    };
  };

  it("are read once for many tokens at a time, and again when a token has a new key id", async () => {
    await using _own = await start();
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, at) => issuer.sign({ sub: `s${at}` })));
    await Promise.all(tokens.map((token) => callerOf(token, own)));
    assert.equal(issuer.reads, 1);
    await issuer.turnKey();
    await callerOf(await issuer.sign({ sub: "turned" }), own);
    assert.equal(issuer.reads, 2);
  });

  it("are read once for all tokens with a new key that come at a time (AUTH-27)", async () => {
    await using _own = await start();
    await callerOf(await issuer.sign({}), own);
    await issuer.turnKey();
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, at) => issuer.sign({ sub: `t${at}` })));
    await Promise.all(tokens.map((token) => callerOf(token, own)));
    assert.equal(issuer.reads, 2);
  });

  it("are read for a new key id although the clock was set back by an hour since they were read", async () => {
    await using _own = await start();
    now.value += 3_600_000;
    await callerOf(await issuer.sign({ exp: seconds() + 36_000 }), own);
    await issuer.turnKey();
    now.value -= 3_600_000;
    await callerOf(await issuer.sign({ sub: "at once" }), own);
    assert.equal(issuer.reads, 2);
  });

  it("are not read again for each forged key id: three times at once, then every thirty seconds (AUTH-27)", async () => {
    await using _own = await start();
    await callerOf(await issuer.sign({}), own);
    const forge = async (count: number) => {
      for (let at = 0; at < count; at++) await refusalOf(await issuer.sign({}, { kid: `forged-${at}` }), own);
    };
    await forge(10);
    assert.equal(issuer.reads, 1 + 3);
    await issuer.turnKey();
    await refusalOf(await issuer.sign({ sub: "turned" }), own);
    now.value += 31_000;
    await callerOf(await issuer.sign({ sub: "turned" }), own);
    await forge(10);
    assert.equal(issuer.reads, 1 + 3 + 1);
  });

  it("are used for an hour while the issuer cannot be reached, and then its tokens are UNAVAILABLE", async () => {
    await using _own = await start();
    await callerOf(await issuer.sign({}), own);
    issuer.behaviour = "gone";
    now.value += 59 * 60_000;
    await callerOf(await issuer.sign({ sub: "still", exp: seconds() + 36_000 }), own);
    now.value += 60 * 60_000;
    const late = await issuer.sign({ sub: "late", exp: seconds() + 36_000 });
    const { code, rawMessage } = await refusalOf(late, own);
    assert.deepEqual(
      [code, rawMessage],
      [Code.Unavailable, "The keys of the issuer 'issuer-0' cannot be read at the moment. Try again."],
    );
    issuer.behaviour = "well";
    now.value += 11_000;
    await callerOf(late, own);
  });

  for (const behaviour of ["slow", "huge", "gone", "nonsense"] satisfies Behaviour[]) {
    it(`of one issuer that answers ${behaviour === "gone" ? "nothing" : `in a ${behaviour} way`} do not delay callers of another, nor of this server`, async () => {
      await using other = await startFakeIssuer();
      await using _own = await start(other);
      issuer.behaviour = behaviour;
      let isAnswered = false;
      const waiting = refusalOf(await issuer.sign({}), own).then(({ code }) => {
        isAnswered = true;
        return code;
      });
      const key = await own.createKey("ci");
      const token = await other.sign({ sub: "elsewhere" });
      await Promise.all([callerOf(token, own), own.call(APPS, bearer(await sign(key)))]);
      if (behaviour === "slow") assert.equal(isAnswered, false);
      issuer.hangUp();
      assert.equal(await waiting, Code.Unavailable);
    });
  }
});
