import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, it } from "node:test";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { openCommandLine } from "../command-line.ts";

const commands = openCommandLine();
/** Lists one table a page; a database goes away while the first one is read. */
const server = createServer(
  connectNodeAdapter({
    routes: ({ rpc }) =>
      rpc(DataChatService.method.listDataTables, ({ pageToken }) => {
        const value = { projectId: "acme", datasetId: "sales", tableId: pageToken === "" ? "orders" : "refunds" };
        return {
          dataTables: [{ reference: { case: "bigqueryTableReference", value } }],
          nextPageToken: pageToken === "" ? "2" : "",
          unreachableSources: [
            { source: "gone.db", message: "It cannot be reached." },
            ...(pageToken === "" ? [{ source: "acme.crm", message: "It was restarted." }] : []),
          ],
        };
      }),
  }),
);
before(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
after(async () => {
  await commands[Symbol.asyncDispose]();
  server.close();
});

it("frontdesk data tables tells once what did not answer on any page", async () => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  assert.deepEqual(await commands.run(["data", "tables", "--server", address]), {
    code: 0,
    stdout: "acme.sales.orders\nacme.sales.refunds\n",
    stderr: "gone.db: It cannot be reached.\nacme.crm: It was restarted.\n",
  });
});
