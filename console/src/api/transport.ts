import { createConnectTransport } from "@connectrpc/connect-web";

/** The API of the server that served this page: the same services that any client calls. */
export const transport = createConnectTransport({ baseUrl: window.location.origin });
