import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { accessState, reportRejectedToken } from "./access-token.ts";
import { credentialHeaders } from "./session.ts";

/** Shows who calls, and reports when the server rejects it, also in the middle of a stream. */
const withCredential: Interceptor = (next) => async (request) => {
  for (const [name, value] of Object.entries(await credentialHeaders())) request.header.set(name, value);
  const { token } = accessState();
  const refused = (error: unknown): never => {
    const { code, rawMessage } = ConnectError.from(error);
    if (code === Code.Unauthenticated) reportRejectedToken(token, rawMessage);
    throw error;
  };
  const response = await next(request).catch(refused);
  return response.stream ? { ...response, message: watched(response.message, refused) } : response;
};

async function* watched<Message>(
  messages: AsyncIterable<Message>,
  refused: (error: unknown) => never,
): AsyncGenerator<Message> {
  try {
    yield* messages;
  } catch (error) {
    refused(error);
  }
}

const options = { baseUrl: window.location.origin, interceptors: [withCredential] };

/** The API of the server that served this page: the same services that any client calls. */
export const transport = createConnectTransport(options);

/** The same in binary: for responses that contain messages of any type (operations), whose JSON cannot be read without a registry of all types. */
export const binaryTransport = createConnectTransport({ ...options, useBinaryFormat: true });
