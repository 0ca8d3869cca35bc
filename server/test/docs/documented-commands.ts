import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "..", "..", "..");

/** The pages whose commands readers copy. */
const PAGES = ["README.md", ...globSync("docs/**/*.md", { cwd: ROOT })].toSorted();

/** A block of commands for a shell. */
export interface CommandBlock {
  readonly page: string;
  /** Line of the page that it begins in. */
  readonly line: number;
  readonly commands: readonly string[];
}

/** All blocks of shell commands of README.md and docs/, with whole commands: continued lines, quotes and here-documents belong together. */
export function commandBlocks(): readonly CommandBlock[] {
  return PAGES.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), "utf8");
    return [...text.matchAll(/^( *)```(?:sh|bash|shell)\n(.*?)^ *```/gms)].map(
      ([, indent = "", body = ""], at, all) => ({
        page,
        line: text.slice(0, all[at]?.index).split("\n").length,
        commands: commandsIn(body.replaceAll(new RegExp(`^${indent}`, "gm"), "")),
      }),
    );
  });
}

function commandsIn(body: string): readonly string[] {
  const found: string[] = [];
  let open: string[] = [];
  for (const line of body.split("\n")) {
    open.push(line);
    if (isOpen(open)) continue;
    const command = open.join("\n");
    if (command.trim() !== "" && !command.trim().startsWith("#")) found.push(command);
    open = [];
  }
  return found;
}

/** Whether the command goes on: after a backslash, in a here-document, or in quotes. */
function isOpen(lines: readonly string[]): boolean {
  const here = /<<'?(\w+)'?/.exec(lines[0] ?? "")?.[1];
  if (here !== undefined) return lines.length === 1 || lines.at(-1) !== here;
  const text = lines.join("\n");
  return text.endsWith("\\") || (text.replace(/"[^"']*"/g, "").split("'").length - 1) % 2 === 1;
}

/** The command as the list of those that are not run names it: on one line, without what a comment says. */
export function shown(command: string): string {
  return command
    .replace(/\\\n\s*/g, " ")
    .replace(/\s+#.*$/gm, "")
    .replace(/\s+/g, " ")
    .trim();
}

const CLONE = "makes or starts a clone: the test of the launcher, and the workflow of CI, do";
const SERVES = "serves until it is stopped: the tests of the command line start, use and stop servers";
const TALKS = "talks until it is left: the tests of the command line start and leave it";
const REGISTRY = "needs packages that are packed first: npm run test:packages installs and uses them";
const CONTAINERS = "needs a builder of containers: deploy/test-image.sh runs it";
const CLUSTER = "needs a cluster: server/test/deploy renders the chart and validates it";
const ELSEWHERE = "needs a server at an address of its own, with TLS: server/test/access and server/test/wire have one";
const HOSTED = "needs an account at the hosted product: server/test/cli/hosted.test.ts has a server in its place";
const DATABASE = "needs a PostgreSQL: server/test/replicas starts one";
const MODEL = "needs a language model: server/test/generation and server/test/assistant have one in its place";
const CONNECTED = "needs a database to connect: server/test/analytics/data-connections.slow.test.ts starts two";
const PRODUCT = "needs files of another product: server/test/semantics has them";
const ELLIPSIS = "has an ellipsis where the reader's statement goes: server/test/analytics verifies answers";
const BACKUP = "is one step of a backup: server/test/docs/backup.test.ts takes and restores one";
const CLOCK = "needs a clock that has jumped: server/test/flows/wrong-clock.test.ts has one";
const BUF = "needs the buf program: server/test/wire asks by reflection with other clients";
const KIT = "needs the kit of another project: server/test/a2a runs what it asks for";

const LEFT = "needs a run of which something is left: server/test/evaluation/continued-run.test.ts has some";
const GATEWAY = "needs a channel and the gateway: server/test/docs/channel-gateway.test.ts has both";

/** What no test of the documentation runs, by how it begins, and why. */
export const NOT_RUN: readonly (readonly [begins: string, why: string])[] = [
  ["git clone", CLONE],
  ["cd frontdesk", CLONE],
  ["BODY='{", GATEWAY],
  ["SIGNATURE=$(printf", GATEWAY],
  ['curl -i -H "x-signature', GATEWAY],
  ["npm start", SERVES],
  ["npm test", CLONE],
  ["npm run", CLONE],
  ["frontdesk start", SERVES],
  ["GEMINI_API_KEY=… npm start", SERVES],
  ["OPENAI_API_KEY=… npm start", SERVES],
  ["ANTHROPIC_API_KEY=… npm start", SERVES],
  ["OPENAI_BASE_URL=http://127.0.0.1:11434/v1 FRONTDESK_MODEL=openai/llama3.2 npm start", SERVES],
  ["FRONTDESK_TLS_CERT=desk.crt FRONTDESK_TLS_KEY=desk.key npm start", SERVES],
  ["FRONTDESK_A2A_AGENT=", SERVES],
  ["npx --no frontdesk dev", TALKS],
  ["npx --no frontdesk test my-desk --watch", TALKS],
  ["npm install ./frontdesk", REGISTRY],
  ["./node_modules/.bin/frontdesk start", REGISTRY],
  ["podman ", CONTAINERS],
  ["kubectl ", CLUSTER],
  ["helm ", CLUSTER],
  ["GOOGLE_APPLICATION_CREDENTIALS=shop.json npx --no frontdesk chat --server https://desk.example.com", ELSEWHERE],
  ["FRONTDESK_SERVER=https://desk.example.com", ELSEWHERE],
  ["export FRONTDESK_SERVER=https://desk.example.com", ELSEWHERE],
  ["npx --no frontdesk login https://desk.example.com", ELSEWHERE],
  ["curl -X POST https://desk.example.com", ELSEWHERE],
  ["npx --no frontdesk apps list --context hosted", HOSTED],
  ["npx --no frontdesk run-evaluations order-desk --continue", LEFT],
  ["npx --no frontdesk migrate", DATABASE],
  ["frontdesk move to-database", DATABASE],
  ["npx --no frontdesk data-connections create", CONNECTED],
  ["npx --no frontdesk data import ./lookml-repository", PRODUCT],
  ["npx --no frontdesk data import ./my-dbt-project", PRODUCT],
  ["npx --no frontdesk data import ./retail.osi.yaml", PRODUCT],
  ["./run_tck.py", KIT],
  ["mkdir -m 700 backup", BACKUP],
  ["node -e", BACKUP],
  ["for name in blobs", BACKUP],
  ["cp -pR backup restored", BACKUP],
  ["cp sealing.key", BACKUP],
  ["rm -r restored/", BACKUP],
  ["pg_dump", BACKUP],
  ["pg_restore", BACKUP],
  ["buf curl", BUF],
  ["psql", BACKUP],
  ["app=localhost:8080", MODEL],
  ["curl -s $app/assistantSessions", MODEL],
  ['curl -s "$app/assistantSessions', MODEL],
  ["curl -s localhost:8080/v1beta/projects/local/locations/us/apps/my-app:generateAppResource", MODEL],
  ["curl -s http://127.0.0.1:8080/v1beta/projects/local/locations/us/dataAgents/shop:verifyAnswer", ELLIPSIS],
  ["frontdesk operations retry projects/-/locations/-/operations/…", CLOCK],
];

/** Why a command is not run; undefined for one that is. */
export function whyNotRun(command: string): string | undefined {
  return NOT_RUN.find(([begins]) => shown(command).startsWith(begins))?.[1];
}
