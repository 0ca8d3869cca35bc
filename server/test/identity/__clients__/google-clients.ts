// A program as somebody writes it for the hosted product: it knows an endpoint, and leaves the rest to Google's libraries and the environment.
// It prints what each client answered, as JSON.
import { v1beta } from "@google-cloud/geminidataanalytics";
import { GoogleAuth } from "google-auth-library";
import { ces_v1beta } from "googleapis/build/src/apis/ces/v1beta.js";

const [endpoint = "", wanted = ""] = process.argv.slice(2);
const { hostname, port } = new URL(endpoint);
const parent = "projects/local/locations/us";

async function listAgents(options: object): Promise<string> {
  const client = new v1beta.DataAgentServiceClient({ apiEndpoint: hostname, port: Number(port), ...options });
  try {
    const [agents] = await client.listDataAgents({ parent });
    return `${agents.length} agents`;
  } finally {
    await client.close();
  }
}

async function listApps(): Promise<string> {
  const auth = new GoogleAuth({ scopes: ["https://www.googleapis.com/auth/cloud-platform"] });
  // googleapis-common has the class of its own version of the library.
  const ces = new ces_v1beta.Ces({ rootUrl: `${endpoint}/`, auth: auth as never });
  const { status } = await ces.projects.locations.apps.list({ parent });
  return `status ${status}`;
}

const CLIENTS: Readonly<Record<string, () => Promise<string>>> = {
  "generated over gRPC": () => listAgents({}),
  "generated over REST": () => listAgents({ fallback: true }),
  googleapis: listApps,
};

const answers: Record<string, string> = {};
for (const name of wanted.split(","))
  answers[name] =
    (await CLIENTS[name]?.().catch((error: Error) => `${error.name}: ${error.message}`)) ?? "no such client";
process.stdout.write(`${JSON.stringify(answers)}\n`);
