import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bucketConfig } from "./bucket-section.ts";

const fault = (sentence: string) => new Error(sentence);
const KEYS = { FRONTDESK_S3_ACCESS_KEY: "id", FRONTDESK_S3_SECRET_KEY: "hidden" };

describe("the settings of a bucket", () => {
  it("are none without a name, and Amazon's store without an endpoint", () => {
    assert.equal(bucketConfig(undefined, KEYS, fault), undefined);
    const found = bucketConfig({ bucket: "b", region: "eu-west-1", prefix: "desk" }, KEYS, fault);
    assert.deepEqual(found, {
      ...{ bucket: "b", region: "eu-west-1", prefix: "desk/", endpoint: "https://s3.eu-west-1.amazonaws.com" },
      ...{ accessKeyId: "id", secretAccessKey: "hidden" },
    });
  });

  it("come from the environment before the file, and keys from the variables that the file names", () => {
    const environment = { FRONTDESK_S3_BUCKET: "c", FRONTDESK_S3_ENDPOINT: "http://minio:9000/", ID: "i", KEY: "k" };
    const section = { bucket: "b", accessKeyEnv: "ID", secretKeyEnv: "KEY" };
    const { bucket, endpoint, accessKeyId, secretAccessKey } = bucketConfig(section, environment, fault) ?? {};
    assert.deepEqual([bucket, endpoint, accessKeyId, secretAccessKey], ["c", "http://minio:9000", "i", "k"]);
  });

  it("are refused without keys, and with an address that is none", () => {
    assert.throws(() => bucketConfig({ bucket: "b" }, {}, fault), /but FRONTDESK_S3_ACCESS_KEY is not set/);
    for (const endpoint of ["minio:9000", "https://host/path", "https://user:word@host", "ftp://host"])
      assert.throws(
        () => bucketConfig({ bucket: "b", endpoint }, KEYS, fault),
        /FRONTDESK_S3_ENDPOINT is no address of a store/,
      );
  });
});
