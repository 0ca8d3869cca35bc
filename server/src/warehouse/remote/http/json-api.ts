import { isJsonObject, type JsonObject } from "#base";
import { QueryError } from "../../contract.ts";
import { createHttpClient, type HttpAddress, type HttpCall } from "./http-client.ts";

/** A call to an API of JSON; the path is behind the origin. */
interface JsonCall {
  readonly method: HttpCall["method"];
  readonly path: string;
  readonly body?: JsonObject;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** An answer of any HTTP status, whose body is an object. */
export interface JsonAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

/** Calls an API of JSON through the gate for outbound requests. */
interface JsonApi {
  /** Rejects with `QueryError` where no object of JSON comes back, or with the reason of the signal. */
  call(call: JsonCall): Promise<JsonAnswer>;
  close(): Promise<void>;
}

const JSON_HEADERS = { accept: "application/json", "content-type": "application/json", "user-agent": "frontdesk" };

/** `address` and `headers` are read for each call; the headers name the caller. */
export function createJsonApi(
  engine: string,
  address: () => HttpAddress,
  headers: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>,
): JsonApi {
  const http = createHttpClient(engine, address());
  return {
    async call({ path, body, ...call }) {
      const { status, text } = await http.text({
        ...call,
        url: `${address().origin}${path}`,
        headers: { ...JSON_HEADERS, ...(await headers()) },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status, body: objectOf(engine, status, text) };
    },
    close: () => http.close(),
  };
}

function objectOf(engine: string, status: number, text: string): JsonObject {
  if (text === "") return {};
  try {
    const body: unknown = JSON.parse(text);
    if (isJsonObject(body)) return body;
  } catch {
    // A proxy or a wrong address answers with a page.
  }
  throw new QueryError(
    "failed",
    `${engine} answered with status ${status} and no object of JSON; is the address right?`,
  );
}
