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

  it("is refused without a piece of its password, when characters of it end the address", () => {
    for (const password of ["hid/den", "12/hidden", "p@hid/den", "12?hidden", "hidden#1", "p@hid#den", "1#hidden"])
      assert.throws(
        () => read({ FRONTDESK_DATABASE_URL: `postgres://desk:${password}@db:5432/desk` }),
        ({ message }: Error) =>
          /^FRONTDESK_DATABASE_URL has .*%2F.*FRONTDESK_DATABASE_PASSWORD as it is\.$/.test(message) &&
          !/hid|den/.test(message),
      );
    for (const url of [
      "postgres://desk:p@ss:%2F%zz@db:5432/desk",
      "postgres://desk:p@db/desk?sslmode=require&sslrootcert=/etc/a@b.pem",
      "postgresql://db/desk",
    ])
      assert.equal(read({ FRONTDESK_DATABASE_URL: url }).database?.url, url);
  });

  it("has the mode of TLS of PGSSLMODE where its address has none", () => {
    const modeOf = (url: string) => read({ FRONTDESK_DATABASE_URL: url, PGSSLMODE: "verify-full" }).database?.url;
    assert.equal(modeOf(URL), `${URL}?sslmode=verify-full`);
    assert.equal(modeOf(`${URL}?sslmode=require`), `${URL}?sslmode=require`);
    assert.equal(read({ FRONTDESK_DATABASE_URL: URL }).database?.url, URL);
  });
});
