import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isHostOf, requireGrant } from "./grants.ts";

const KEY = "projects/local/secrets/desk-key/versions/latest";
const APP = "projects/local/locations/us/apps/desk";
const ELSEWHERE = "projects/other/locations/us/apps/desk";
const URLS = ["https://api.example.com/v1"];

const ALL = { credentials: ["*"], apps: ["*"], hosts: ["*"] };
const isGranted = (
  grant: Partial<typeof ALL>,
  use: { app?: string; urls?: readonly string[]; credential?: string },
) => {
  const { app = APP, urls = URLS, credential = KEY } = use;
  try {
    requireGrant(credential, { app, urls }, [{ ...ALL, ...grant }]);
    return true;
  } catch (error) {
    assert.match((error as Error).message, /is not granted to the app .*outbound\.grants/);
    return false;
  }
};

describe("a grant of the operator (TOOL-43)", () => {
  it("names an app by its resource name, and by its id alone in the project `local`", () => {
    const grants = [APP, "desk", "other", "d*k", "Desk", ELSEWHERE];
    assert.deepEqual(
      grants.map((app) => isGranted({ apps: [app] }, {})),
      [true, true, false, true, false, false],
    );
    assert.deepEqual(
      grants.map((app) => isGranted({ apps: [app] }, { app: ELSEWHERE })),
      [false, false, false, false, false, true],
    );
  });

  it("names a secret by its name with or without the version, or by its id, and case counts", () => {
    const granted = [KEY, "projects/local/secrets/desk-key", "desk-key", "desk-*", "*-key"];
    const refused = ["desk", "Desk-Key", "desk-key/versions/latest", "projects/other/secrets/desk-key", "desk-*-key"];
    for (const name of granted) assert.equal(isGranted({ credentials: [name] }, {}), true, name);
    for (const name of refused) assert.equal(isGranted({ credentials: [name] }, {}), false, name);
  });

  it("must hold for every host, whose case does not count", () => {
    const both = ["https://api.example.com/v1", "https://elsewhere.example.org/"];
    assert.equal(isGranted({ hosts: ["API.example.com"] }, {}), true);
    assert.equal(isGranted({ hosts: ["api.example.com"] }, { urls: both }), false);
    assert.equal(isGranted({ hosts: ["*.example.*"] }, { urls: both }), true);
  });

  it("must match in all its parts", () => {
    const grants = [
      { ...ALL, apps: ["other"] },
      { ...ALL, hosts: ["elsewhere.example.org"] },
    ];
    assert.throws(() => requireGrant(KEY, { app: APP, urls: URLS }, grants), /is not granted/);
    assert.throws(() => requireGrant(KEY, { app: APP, urls: URLS }, []), /is not granted/);
  });
});

describe("isHostOf", () => {
  it("compares a port that is named, the usual one of the scheme included", () => {
    const cases = [
      ["api.example.com:443", "https://api.example.com/", true],
      ["api.example.com:80", "http://api.example.com/", true],
      ["api.example.com:443", "http://api.example.com/", false],
      ["api.example.com:8443", "https://api.example.com:8443/", true],
      ["api.example.com", "https://api.example.com:8443/", true],
      ["example.com", "https://api.example.com/", false],
    ] as const;
    for (const [host, url, expected] of cases) assert.equal(isHostOf([host], new URL(url)), expected, `${host} ${url}`);
  });
});
