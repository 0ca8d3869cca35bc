// What the pictures of the documentation show. `npm run docs:screenshots` makes them.
import { resolve } from "node:path";
import type { Page } from "playwright-core";
import { sendMessage, startSession } from "../console/chat.ts";
import { APP } from "../console/open-console.ts";

export const IMAGES = resolve(import.meta.dirname, "../../../docs/images");

/** Pixels. */
export const WINDOW = { width: 1360, height: 860 };

/** The documentation shows the one that fits the reader's colours, and the light one outside of its site. */
export const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** One picture, in each theme. */
interface Shot {
  /** Of its files, without ending. */
  readonly name: string;
  /** Address in the console; `{run}` is the run of evaluations that `seedPages` makes. */
  readonly path: string;
  /** What is visible once the page has everything, as a Playwright selector. */
  readonly ready: string;
  /** What somebody does on the page before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>;
}

/** After the greeting. */
const SAID = ["Where is my order A-1001?", "I want to return order A-1001"];
const APP_PATH = `/console/${APP}`;

export const SHOTS: readonly Shot[] = [
  {
    name: "console",
    path: `${APP_PATH}/simulator`,
    ready: "text=Start session",
    async act(page) {
      await startSession(page);
      for (const [at, text] of SAID.entries()) await sendMessage(page, text, at + 2);
      await page.locator(".waterfall").waitFor();
    },
  },
  { name: "conversations", path: `${APP_PATH}/conversations`, ready: "text=No issues" },
  { name: "evaluation-run", path: "/console/{run}", ready: "table" },
  {
    name: "data-agent",
    path: "/console/projects/local/locations/us/dataAgents/shop",
    ready: "text=Measures",
    async act(page) {
      await page.getByRole("textbox").fill("units sold by category");
      await page.keyboard.press("Enter");
      await page.getByText("Download SVG").waitFor();
      await page.getByText("What share of the total is each?").waitFor();
    },
  },
];

/** Name of the file of a picture. */
export function fileOf(name: string, theme: Theme): string {
  return theme === "light" ? `${name}.png` : `${name}-dark.png`;
}
