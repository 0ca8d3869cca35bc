import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { v1alpha, v1beta } from "@google-cloud/geminidataanalytics";
import * as grpc from "@grpc/grpc-js";
import type { TestServer } from "#testing";
import { DATABASE_REFERENCE, LOCATION, ORDERS_REFERENCE, startDataServer } from "../analytics/data-server.ts";

let server: TestServer;
before(async () => {
  server = await startDataServer();
});
after(() => server[Symbol.asyncDispose]());

/** The revisions that the published client has, which share their types but for a few fields. */
const REVISIONS = { v1beta, v1alpha: v1alpha as unknown as typeof v1beta };
const TRANSPORTS = ["grpc", "rest"] as const;

/** What the vendor's documentation says to set for another endpoint, and somebody without credentials. */
function optionsFor(transport: (typeof TRANSPORTS)[number]) {
  const { hostname, port } = new URL(server.address);
  const headers = async () => new Headers();
  const client = { getRequestHeaders: headers, fetch: (url: string, init: RequestInit) => fetch(url, init) };
  const auth = { ...client, getClient: async () => client, getUniverseDomain: async () => "googleapis.com" };
  const wire =
    transport === "grpc" ? { sslCreds: grpc.credentials.createInsecure() } : { fallback: true, protocol: "http" };
  // The client declares the class of its own authentication library; it calls what is here.
  return { apiEndpoint: hostname, port: Number(port), auth: auth as never, ...wire };
}

for (const revision of ["v1beta", "v1alpha"] as const) {
  for (const transport of TRANSPORTS) {
    describe(`the official Node client of ${revision} over ${transport}`, () => {
      const id = `orders-${revision}-${transport}`;
      const name = `${LOCATION}/dataAgents/${id}`;
      let agents: InstanceType<typeof v1beta.DataAgentServiceClient>;
      let chat: InstanceType<typeof v1beta.DataChatServiceClient>;
      before(() => {
        agents = new REVISIONS[revision].DataAgentServiceClient(optionsFor(transport));
        chat = new REVISIONS[revision].DataChatServiceClient(optionsFor(transport));
      });
      after(async () => {
        await Promise.all([agents.close(), chat.close()]);
      });

      it("creates an agent in an operation and reads it back", async () => {
        const publishedContext = { systemInstruction: "Be brief.", datasourceReferences: ORDERS_REFERENCE };
        const dataAgent = { displayName: "Orders", dataAnalyticsAgent: { publishedContext } };
        const [operation] = await agents.createDataAgent({ parent: LOCATION, dataAgentId: id, dataAgent });
        const [created] = await operation.promise();
        assert.deepEqual([created.name, created.displayName], [name, "Orders"]);
        const again = await agents.checkCreateDataAgentProgress(operation.name ?? "");
        assert.deepEqual([again.done, (again.result as { readonly name?: string } | undefined)?.name], [true, name]);
        const [read] = await agents.getDataAgent({ name });
        assert.equal(read.dataAnalyticsAgent?.publishedContext?.systemInstruction, "Be brief.");
      });

      it("updates with a mask, in an operation and at once", async () => {
        const [operation] = await agents.updateDataAgent({
          dataAgent: { name, description: "Asks orders" },
          updateMask: { paths: ["description"] },
        });
        const [updated] = await operation.promise();
        assert.deepEqual([updated.displayName, updated.description], ["Orders", "Asks orders"]);
        const [synced] = await agents.updateDataAgentSync({
          dataAgent: {
            name,
            displayName: "All orders",
            dataAnalyticsAgent: { publishedContext: { systemInstruction: "!" } },
          },
          updateMask: { paths: ["display_name", "data_analytics_agent.published_context.system_instruction"] },
        });
        const contexts = synced.dataAnalyticsAgent;
        assert.deepEqual(
          [synced.displayName, synced.description, contexts?.publishedContext?.systemInstruction],
          ["All orders", "Asks orders", "!"],
        );
        assert.equal(contexts?.publishedContext?.datasourceReferences?.bq?.tableReferences?.length, 1);
        assert.equal(contexts?.lastPublishedContext?.systemInstruction, "Be brief.");
      });

      it("lists page after page, and those that the caller can reach", async () => {
        const others = [1, 2, 3].map((at) => `${revision}-${transport}-page-${at}`);
        for (const dataAgentId of others) {
          await agents.createDataAgentSync({ parent: LOCATION, dataAgentId, dataAgent: { labels: { page: id } } });
        }
        const filter = `labels.page = "${id}"`;
        const paged = await Array.fromAsync(agents.listDataAgentsAsync({ parent: LOCATION, pageSize: 2, filter }));
        assert.deepEqual(
          paged.map((agent) => agent.name?.split("/").at(-1)),
          others,
        );
        const [reached] = await agents.listAccessibleDataAgents({
          parent: LOCATION,
          filter,
          creatorFilter: "CREATOR_ONLY",
        });
        assert.equal(reached.length, 3);
      });

      it("stores policies", async () => {
        const binding = { role: "roles/geminidataanalytics.dataAgentUser", members: ["user:ana@example.com"] };
        const [set] = await agents.setIamPolicy({ resource: name, policy: { bindings: [binding] } } as never);
        const [read] = await agents.getIamPolicy({ resource: name } as never);
        assert.deepEqual(read, set);
        assert.deepEqual(
          read.bindings?.map(({ role, members }) => ({ role, members })),
          [binding],
        );
      });

      it("asks in a stored conversation", async () => {
        const [conversation] = await chat.createConversation({ parent: LOCATION, conversation: { agents: [name] } });
        const conversationReference = { conversation: conversation.name, dataAgentContext: { dataAgent: name } };
        const ask = async (text: string) => {
          const request = { parent: LOCATION, messages: [{ userMessage: { text } }], conversationReference };
          return (await Array.fromAsync(chat.chat(request as never))) as Sent[];
        };
        const sent = [...(await ask("total amount by region")), ...(await ask("how many orders are there?"))];
        assert.ok(sent.length > 15);
        assert.match(finalText(sent), /\b6\b/);
        const [kept] = await chat.listMessages({ parent: conversation.name ?? "", pageSize: 100 });
        assert.deepEqual(
          kept
            .map(({ messageId }) => messageId)
            .filter((messageId) => sent.some((each) => each.messageId === messageId)),
          sent.map(({ messageId }) => messageId).reverse(),
        );
        const questions = kept.flatMap(({ message }) => message?.userMessage?.text ?? []);
        assert.deepEqual(questions, ["how many orders are there?", "total amount by region"]);
        const [listed] = await chat.listConversations({ parent: LOCATION, filter: `agents:"${name}"` });
        assert.deepEqual(
          listed.map((each) => each.name),
          [conversation.name],
        );
        await chat.deleteConversation({ name: conversation.name ?? "" });
        await assert.rejects(chat.getConversation({ name: conversation.name ?? "" }), { code: 5 });
      });

      it("asks without an agent, and once without a conversation", async () => {
        const [response] = await chat.queryData({
          parent: LOCATION,
          prompt: "how many orders are there?",
          context: { datasourceReferences: DATABASE_REFERENCE },
          generationOptions: { generateQueryResult: true },
        } as never);
        assert.deepEqual(
          response.queryResult?.rows?.map(({ values }) => values?.map(({ value }) => value)),
          [["6"]],
        );
        const request = {
          parent: LOCATION,
          messages: [{ userMessage: { text: "how many orders are there?" } }],
          inlineContext: { datasourceReferences: ORDERS_REFERENCE },
        };
        assert.match(finalText((await Array.fromAsync(chat.chat(request as never))) as Sent[]), /\b6\b/);
      });

      it("reads locations", async () => {
        const locations = await Array.fromAsync(chat.listLocationsAsync({ name: "projects/p" } as never));
        assert.ok(locations.some((location) => location.locationId === "global"));
        const [location] = (await chat.getLocation({ name: "projects/p/locations/us" })) as unknown as readonly [
          { readonly name?: string },
        ];
        assert.equal(location?.name, "projects/p/locations/us");
      });

      it("deletes in an operation, and gets the reason when it asks again", async () => {
        const [operation] = await agents.deleteDataAgent({ name });
        await operation.promise();
        const [deleted] = await agents.getDataAgent({ name });
        assert.ok(deleted.deleteTime && deleted.purgeTime);
        const request = {
          parent: LOCATION,
          messages: [{ userMessage: { text: "?" } }],
          dataAgentContext: { dataAgent: name },
        };
        await assert.rejects(Array.fromAsync(chat.chat(request as never)), /was deleted/);
        await assert.rejects(agents.createDataAgentSync({ parent: LOCATION, dataAgentId: id, dataAgent: {} }), {
          code: 6,
        });
      });
    });
  }
}

/** A streamed message, as far as it is looked at. */
interface Sent {
  readonly messageId?: string;
  readonly systemMessage?: { readonly text?: { readonly parts: readonly string[]; readonly textType: string } };
}

function finalText(messages: readonly Sent[]): string {
  const texts = messages.flatMap(({ systemMessage }) => systemMessage?.text ?? []);
  return texts
    .filter(({ textType }) => textType === "FINAL_RESPONSE")
    .flatMap(({ parts }) => parts)
    .join("");
}
