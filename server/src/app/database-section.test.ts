import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { storageConfig } from "./database-section.ts";

const URL = "postgres://desk:hidden@db:5432/desk";
const read = (environment: NodeJS.ProcessEnv) => storageConfig({}, environment, (sentence) => new Error(sentence));

describe("the database of the environment", () => {
  it("is refused with the name of its variable, and without its password, when its mode of TLS is none or misspelled", () => {
    const refused = (environment: NodeJS.ProcessEnv, sentence: RegExp) =>
      assert.throws(
        () => read(environment),
        (error: Error) => sentence.test(error.message) && !/hidden/.test(error.message),
      );
    const FRONTDESK_DATABASE_URL = `${URL}?sslmode=enforce`;
    refused({ FRONTDESK_DATABASE_URL }, /^FRONTDESK_DATABASE_URL has sslmode=enforce, which is no mode: use .*\.$/);
    refused(
      { FRONTDESK_DATABASE_URL: `${URL}?sslmod=require` },
      /^FRONTDESK_DATABASE_URL has the option 'sslmod', which nothing reads: write 'sslmode', or take it out\.$/,
    );
    refused(
      { FRONTDESK_DATABASE_URL: URL, FRONTDESK_DATABASE_READ_URL: `${URL}?sslmode=prefer` },
      /^FRONTDESK_DATABASE_READ_URL has sslmode=prefer, which would go on without encryption/,
    );
    refused(
      { FRONTDESK_DATABASE_URL: URL, PGSSLMODE: "prefer" },
      /^FRONTDESK_DATABASE_URL, by PGSSLMODE, has sslmode=prefer/,
    );
  });

  it("has the mode of TLS of PGSSLMODE where its address has none", () => {
    const modeOf = (url: string) => read({ FRONTDESK_DATABASE_URL: url, PGSSLMODE: "verify-full" }).database?.url;
    assert.equal(modeOf(URL), `${URL}?sslmode=verify-full`);
    assert.equal(modeOf(`${URL}?sslmode=require`), `${URL}?sslmode=require`);
    assert.equal(read({ FRONTDESK_DATABASE_URL: URL }).database?.url, URL);
  });
});
