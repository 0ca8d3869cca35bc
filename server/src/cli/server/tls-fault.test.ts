import assert from "node:assert/strict";
import { it } from "node:test";
import { Code, ConnectError } from "#status";
import { tlsFaultText } from "./tls-fault.ts";

it("a certificate that is not trusted is told with what to set, and other errors are not", () => {
  const cause = Object.assign(new Error("self-signed certificate; if …"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  const error = ConnectError.from(cause, Code.Unknown);
  assert.equal(
    tlsFaultText(error, "https://desk"),
    "the certificate of https://desk is not trusted (self-signed certificate). Name the file of its authority in NODE_EXTRA_CA_CERTS.",
  );
  assert.equal(tlsFaultText(new ConnectError("app: is missing", Code.InvalidArgument), "https://desk"), undefined);
});
