import type { CommandBlock } from "./documented-commands.ts";

const SESSION = "projects/local/locations/us/apps/order-desk/sessions/hello-1";
const HELLO = `curl -s http://127.0.0.1:8080/v1beta/${SESSION}:runSession -d '{"config":{},"inputs":[{"text":"What are your opening hours?"}]}'`;
const RECORDING = `recordings/${SESSION}.yaml`;
const TOOLS = "http://127.0.0.1:8080/v1beta/projects/local/locations/us/apps/my-app/tools";

/** What the reader of a block has already: a part of its text, and the commands that make it. */
const PRESUMED: readonly (readonly [page: string, part: string, commands: readonly string[]])[] = [
  [
    "README.md",
    "my-app.zip",
    ["frontdesk export order-desk my-app.zip", "mkdir my-folder", "cp -r examples/order-desk/app/. my-folder"],
  ],
  ["README.md", "path/to/unpacked-export", ["frontdesk pull order-desk path/to/unpacked-export"]],
  [
    "docs/evaluations.md",
    "sales-agent.yaml",
    ["cp examples/shop/agent.yaml sales-agent.yaml", "cp -r examples/shop/tests .", "touch frontdesk.yaml"],
  ],
  ["docs/lint.md", "my-app.zip", ["frontdesk export order-desk my-app.zip"]],
  ["docs/lint.md", "lint my-app", ["frontdesk init my-app --template booking"]],
  [
    "docs/recording.md",
    "recordings/",
    [
      HELLO,
      `mkdir -p ${RECORDING.replace(/\/[^/]*$/, "")}`,
      `frontdesk record order-desk/hello-1 ${RECORDING}`,
      "frontdesk pull order-desk my-app",
    ],
  ],
  ["docs/recording.md", "record order-desk/hello-1", [HELLO]],
  [
    "docs/search.md",
    "guide.pdf",
    [
      "printf '%%PDF-1.4\n1 0 obj <</Type /Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%%%EOF\n' > guide.pdf",
      "echo 'question,answer' > faq.csv",
      "frontdesk import examples/order-desk/app my-app",
      `curl -s '${TOOLS}?toolId=manuals' -d '{"fileSearchTool":{"name":"manuals","description":"Manuals of the products"}}'`,
    ],
  ],
  ["docs/analytics.md", "@orders.csv", ["printf 'ordered_at,channel,amount\\n2026-01-03,Web,12.5\\n' > orders.csv"]],
  ["docs/semantic-model.md", "data export", ["cp examples/shop/shop.model.yaml sales.model.yaml"]],
];

/** Commands that make what a block takes for granted. */
export function needsBefore({ page, commands }: CommandBlock): readonly string[] {
  const text = commands.join("\n");
  return PRESUMED.filter(([of, part]) => of === page && text.includes(part)).flatMap(([, , make]) => make);
}
