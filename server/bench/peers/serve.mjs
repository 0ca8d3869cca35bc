// What each peer's server is around its framework: the same JSON in and out as ours, history by session in memory, one durable row for none of them.
import { createServer } from "node:http";

/** What every agent is told; the marker has the fake model call the tool. */
export const INSTRUCTION = "MODE-TOOL You help people who ask for their orders.";

/** The tool, as every framework is given it. */
export const TOOL = { name: "look_up_order", description: "Looks up an order.", parameter: "number of the order" };

export function lookUpOrder({ order_id }) {
  return { order_id, status: "shipped" };
}

/** The address of the model's API, by this process's argument. */
export const MODEL = `http://127.0.0.1:${process.argv[2]}`;

/** Serves `turn(session, text)`, which answers with a text; prints the port. */
export function serve(turn) {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", async () => {
      try {
        const { config, inputs } = JSON.parse(Buffer.concat(chunks).toString());
        const text = await turn(config.session, inputs[0].text);
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ outputs: [{ text, turnCompleted: true }] }));
      } catch (error) {
        process.stderr.write(`${error?.stack ?? error}\n`);
        response.writeHead(500).end();
      }
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
}
