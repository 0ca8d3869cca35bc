import { type Egress, EgressError, isJsonObject } from "#base";
import { OutboundError } from "./contract.ts";

const ADDRESS = "https://secretmanager.googleapis.com/v1/";

/** Reads a version's payload from Google Secret Manager (AccessSecretVersion) with this server's own identity. */
export function secretManagerVersion(
  egress: Egress,
  accessToken: () => Promise<string>,
): (name: string) => Promise<string> {
  return async (name) => {
    const { status, body } = await access(egress, `${ADDRESS}${name}:access`, await accessToken(), name);
    if (status !== 200) throw new OutboundError("unauthorized", `Secret Manager answered ${status} for '${name}'.`);
    const answer: unknown = JSON.parse(new TextDecoder().decode(body));
    const payload = isJsonObject(answer) && isJsonObject(answer.payload) ? answer.payload.data : undefined;
    if (typeof payload === "string") return Buffer.from(payload, "base64").toString("utf8");
    throw new OutboundError("unauthorized", `Secret Manager has no payload for '${name}'.`);
  };
}

async function access(egress: Egress, url: string, token: string, name: string) {
  try {
    return await egress.fetch({
      method: "GET",
      url,
      headers: { authorization: `Bearer ${token}` },
      timeoutMs: 10_000,
      maxBytes: 256 * 1024,
      followRedirects: false,
    });
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw new OutboundError(
      "unauthorized",
      `Secret Manager could not be asked for '${name}': ${error.message}.`,
      error,
    );
  }
}
