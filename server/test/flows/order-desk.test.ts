import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ExportAppRequest_ExportFormat, ExportAppRequestSchema } from "@frontdesk/protos/ces/agent_service";
import { unpackToFolder } from "#resources";
import { startTestServer, type TestServer } from "#testing";

const APP = "projects/local/locations/us/apps/order-desk";

const EXAMPLE = join(import.meta.dirname, "..", "..", "..", "examples", "order-desk", "app");

/** The shipped example with the built-in model: the conversations that its README promises, through the real engine and sandbox. */
let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true });
});
after(() => server[Symbol.asyncDispose]());

interface Chunk {
  readonly toolCall?: { readonly displayName: string; readonly args?: object };
  readonly agentTransfer?: { readonly displayName: string };
  readonly updatedVariables?: Readonly<Record<string, unknown>>;
}

interface Output {
  readonly text?: string;
  readonly endSession?: { readonly metadata: object };
  readonly diagnosticInfo?: { readonly messages: readonly { readonly chunks?: readonly Chunk[] }[] };
}

/** Opens a session; each input is a text, or an event when it starts with `@`. */
function openSession() {
  const session = `${APP}/sessions/${randomUUID()}`;
  return async function send(input: string) {
    const response = await fetch(`${server.address}/v1beta/${session}:runSession`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        config: { session },
        inputs: [input.startsWith("@") ? { event: { event: input.slice(1) } } : { text: input }],
      }),
    });
    const { outputs = [] } = (await response.json()) as { readonly outputs?: readonly Output[] };
    const chunks = outputs.flatMap(
      ({ diagnosticInfo }) => diagnosticInfo?.messages.flatMap((message) => message.chunks ?? []) ?? [],
    );
    return {
      text: outputs.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n"),
      ended: outputs.find(({ endSession }) => endSession !== undefined)?.endSession?.metadata,
      transfers: chunks.flatMap(({ agentTransfer }) =>
        agentTransfer === undefined ? [] : [agentTransfer.displayName],
      ),
      calls: chunks.flatMap(({ toolCall }) =>
        toolCall === undefined ? [] : [{ [toolCall.displayName]: toolCall.args ?? {} }],
      ),
      variables: Object.assign({}, ...chunks.map(({ updatedVariables }) => updatedVariables)) as Readonly<
        Record<string, unknown>
      >,
    };
  };
}

/** Every file below a folder with its text. */
async function contentsOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.sort().map(async (file) => [relative(folder, file), await readFile(file, "utf8")] as const),
  );
  return Object.fromEntries(texts);
}

describe("the order desk", () => {
  it("greets at the start of a session without a model", async () => {
    const { text } = await openSession()("@welcome");
    assert.equal(
      text,
      "Hello, this is the order desk of Kettle & Kiln. Which order may I look up, or what else can I do for you?",
    );
  });

  it("answers where an order is, however the number is written", async () => {
    const { text, transfers, calls, variables } = await openSession()("Where is my order a1001?");
    assert.equal(
      text,
      "Order A-1001, two stoneware mugs and a tea strainer, was delivered two days ago and left at the front door.",
    );
    assert.deepEqual(transfers, ["Order status"]);
    assert.equal(calls.length, 1);
    assert.deepEqual(
      [variables.last_order_id, variables.customer_name, variables.lookup_count],
      ["A-1001", "Ada Bergmann", 1],
    );
  });

  it("takes a return from the question to the farewell", async () => {
    const send = openSession();
    await send("Where is my order A-1001?");
    const asked = await send("I want to return it");
    assert.deepEqual(asked.transfers, ["Front desk", "Returns"]);
    assert.equal(asked.text, "Could you tell me the reason for the return, in a few words?");
    const started = await send("It arrived broken");
    assert.deepEqual(started.calls, [{ start_return: { order_id: "A-1001", reason: "It arrived broken" } }]);
    assert.match(started.text, /^I have started return R-1001 for order A-1001\./);
    const goodbye = await send("thanks, bye");
    assert.equal(goodbye.text, "Thank you, Ada Bergmann, and goodbye from Kettle & Kiln.");
    assert.deepEqual(goodbye.ended, { reason: "The customer said goodbye.", session_escalated: false });
  });

  it("declines a late return and escalates to a person with a summary", async () => {
    const send = openSession();
    await send("I want to return order A-1004");
    const declined = await send("I changed my mind");
    assert.match(
      declined.text,
      /^I am sorry, order A-1004 cannot be returned: .* Would you like to talk to a person about it\?$/,
    );
    const { text, ended } = await send("yes");
    assert.equal(text, "I am handing you over to a colleague now.");
    assert.deepEqual(ended, {
      reason: "The customer asked for a person.",
      session_escalated: true,
      params: {
        ESCALATION_MESSAGE: "Customer: Dev Lindqvist. Last topic: a return that was not started yet.",
        order_id: "A-1004",
        return_id: "",
      },
    });
  });

  it("stops a card number before any agent sees it, and continues", async () => {
    const send = openSession();
    const stopped = await send("My card is 4111 1111 1111 1111");
    assert.match(stopped.text, /^Please do not send card numbers here/);
    assert.deepEqual(stopped.calls, []);
    assert.match((await send("when are you open on Friday?")).text, /10 to 20/);
  });

  it("answers an unknown order as its tool advises", async () => {
    const { text } = await openSession()("Where is A-9999?");
    assert.equal(
      text,
      "I could not find an order A-9999. Order numbers look like A-1001 and stand at the top of your receipt.",
    );
  });

  it("answers with a sentence of its instruction word for word", async () => {
    assert.equal(
      (await openSession()("Do you wrap gifts?")).text,
      "We wrap every gift free of charge: just leave us a note with your order.",
    );
  });

  it("is exported byte for byte", async () => {
    const request = create(ExportAppRequestSchema, { name: APP, exportFormat: ExportAppRequest_ExportFormat.JSON });
    const { app } = await server.app.resources.packages.exportApp(request);
    assert.equal(app.case, "appContent");
    const folder = await mkdtemp(join(tmpdir(), "frontdesk-order-desk-"));
    try {
      if (app.case === "appContent") await unpackToFolder(app.value, folder);
      assert.deepEqual(await contentsOf(folder), await contentsOf(EXAMPLE));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
