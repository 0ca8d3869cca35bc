import { spawn } from "node:child_process";
import { appName } from "./app-name.ts";
import { type Command, CommandError, type CommandInput, didYouMean, SERVER_FLAGS } from "./command.ts";
import { printResult, UNNAMED_OUTPUT_FLAGS } from "./output/print-result.ts";
import { warn } from "./output/say.ts";
import { connectionOf } from "./server/connection.ts";
import { environmentBrowser } from "./server/server-address.ts";

/** The pages of an app in the console. */
export const APP_PAGES = [
  "simulator",
  "connect",
  "conversations",
  "agents",
  "tools",
  "guardrails",
  "variables",
  "examples",
  "evaluations",
  "evaluationRuns",
  "scheduledEvaluationRuns",
  "versions",
  "deployments",
  "changelogs",
  "settings",
] as const;

/** `frontdesk open`: a page of the console, in the browser. */
export const open: Command = {
  name: "open",
  operands: "[app] [page]",
  summary: "open the console in a browser: its list of apps, an app, or a page of one",
  flags: [
    { name: "no-browser", summary: "print the address and open nothing" },
    ...UNNAMED_OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: [
    "open",
    "open order-desk",
    "open order-desk conversations",
    "open order-desk conversations/hello-1 --no-browser",
  ],
  run: async (input) => {
    const address = pageOf(input);
    printResult(input.flags, { value: { address }, text: address });
    if (input.flags["no-browser"] !== true) openInBrowser(address);
    return 0;
  },
};

function pageOf(input: CommandInput): string {
  const [app, page, ...others] = input.positionals;
  if (others.length > 0) throw new CommandError("name one app and one page.");
  const { address, wire } = connectionOf(input);
  if (wire === "grpc") throw new CommandError("the console is a Frontdesk server's: name one with --server.");
  const console = new URL("/console", address).href;
  if (!app) return console;
  const ofApp = `${console}/${appName(app, input)}`;
  if (!page) return ofApp;
  const [kind = ""] = page.split("/");
  if (!APP_PAGES.some((known) => known === kind))
    throw new CommandError(
      `'${kind}' is no page of an app; there are ${APP_PAGES.join(", ")}.${didYouMean(kind, APP_PAGES)}`,
    );
  return `${ofApp}/${page.split("/").map(encodeURIComponent).join("/")}`;
}

/** What opens an address on each system; BROWSER names another program. The address is an argument and no shell reads it. */
function openInBrowser(address: string): void {
  const browser = environmentBrowser();
  const [program = "", ...args] = browser ? [browser] : (OPENERS[process.platform] ?? ["xdg-open"]);
  const child = spawn(program, [...args, address], { stdio: "ignore", detached: true });
  // Without a browser, as over SSH, the printed address is what there is.
  child.on("error", () => warn(`${program} cannot be started. Open the address yourself.`));
  child.unref();
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
