import { createLogger, systemClock } from "#base";
import { createModels, type ProviderConfig } from "#models";
import { BUILTIN_MODEL } from "#offline";
import type { Config } from "../config.ts";
import type { ClockOffsets, Finding } from "./finding.ts";

/** How long a provider has to answer, milliseconds. */
const ANSWER_MS = 5_000;

/** Which models answer, and whether their servers can be reached. No key is sent. */
export async function checkModels(
  { models: config }: Pick<Config, "models">,
  offsets: ClockOffsets,
): Promise<readonly Finding[]> {
  const models = createModels(config, { logger: createLogger("silent"), clock: systemClock });
  const { defaultModel, providers } = models.status();
  await models.close();
  if (providers.length === 0)
    return [
      {
        name: "models",
        state: "warning",
        detail: `none is configured: ${BUILTIN_MODEL} answers, by rules`,
        fix: "set GEMINI_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY, or name providers in the configuration file",
      },
    ];
  const keys = providers.map(({ name, keySource }) => `${name} (${keySource})`).join(", ");
  const own: Finding = { name: "models", state: "ok", detail: `${keys}; ${defaultModel || "no model"} by default` };
  return [own, ...(await Promise.all(config.providers.map((provider) => reached(provider, offsets)))).flat()];
}

/** Any answer of the provider's server counts. */
async function reached(provider: ProviderConfig, offsets: ClockOffsets): Promise<readonly Finding[]> {
  const address = addressOf(provider);
  if (address === undefined) return [];
  const name = `model ${provider.name}`;
  try {
    const start = Date.now();
    const response = await fetch(address, {
      method: "HEAD",
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: "manual",
    });
    const serverTime = Date.parse(response.headers.get("date") ?? "");
    if (!Number.isNaN(serverTime)) offsets.push(start - serverTime);
    return [{ name, state: "ok", detail: `${address} answers` }];
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message || String(cause) : message;
    const fix = "check the network, its firewall, and the provider's base URL";
    return [{ name, state: "fault", detail: `${address} cannot be reached: ${reason}`, fix }];
  }
}

/** The origin; undefined where a package of the AI SDK knows it alone. */
function addressOf(provider: ProviderConfig): string | undefined {
  if (!("baseUrl" in provider)) return undefined;
  if (provider.baseUrl !== "") return new URL(provider.baseUrl).origin;
  return provider.kind === "gemini" ? GEMINI[provider.access.kind] : undefined;
}

const GEMINI = {
  "api-key": "https://generativelanguage.googleapis.com",
  vertex: "https://aiplatform.googleapis.com",
} as const;
