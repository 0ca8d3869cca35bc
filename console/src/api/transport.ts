import { createConnectTransport } from "@connectrpc/connect-web";

/** The API of the server that served this page: the same services that any client calls. */
export const transport = createConnectTransport({ baseUrl: window.location.origin });

/** The same in binary: for answers that hold messages of any type (operations), which JSON cannot be read without a list of all types. */
export const binaryTransport = createConnectTransport({ baseUrl: window.location.origin, useBinaryFormat: true });
