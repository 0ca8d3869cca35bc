import { BUILTIN_MODEL } from "#offline";

/** What the banner shows. */
interface BannerFacts {
  readonly address: string;
  /** Where the data is: a folder, or a database. */
  readonly data: string;
  readonly model: string;
  /** Whether callers must be known. */
  readonly auth: "off" | "required";
  /** Address that signs in whoever opens it first; undefined: people sign in otherwise. */
  readonly link?: string | undefined;
  /** App of the printed curl command; undefined: no command. */
  readonly app: string | undefined;
  readonly warnings: readonly string[];
}

/** The lines that `start` prints: address, data folder, model, and a curl command to paste. */
export function banner({ address, data, model, auth, link, app, warnings }: BannerFacts): string {
  const builtin =
    model === BUILTIN_MODEL
      ? " (built in: rules, not a language model; set GEMINI_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY to use one)"
      : "";
  const lines = [
    "",
    `  Frontdesk is up at ${address}`,
    "",
    `  data    ${data}`,
    `  model   ${model}${builtin}`,
    `  callers ${auth === "off" ? "not asked who they are: whoever reaches this address may do everything" : "must show a credential (docs/auth.md)"}`,
    ...warnings.map((warning) => `  note    ${warning}`),
  ];
  if (link)
    lines.push("", "  Open this address within an hour to sign in as the operator. It works once:", "", `    ${link}`);
  if (app && auth === "off")
    lines.push("", "  Open the address in a browser, or try:", "", ...indented(curlFor(address, app)));
  return `${lines.join("\n")}\n\n`;
}

function curlFor(address: string, app: string): readonly string[] {
  const session = `${app}/sessions/hello-1`;
  const body = JSON.stringify({ config: { session }, inputs: [{ text: "Where is my order A-1001?" }] });
  return [
    `curl -s ${address}/v1beta/${session}:runSession \\`,
    "  -H 'content-type: application/json' \\",
    `  -d '${body}'`,
  ];
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `    ${line}`);
}
