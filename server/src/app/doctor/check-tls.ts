import type { Config } from "../config.ts";
import { readTls } from "../tls-identity.ts";
import type { Finding } from "./finding.ts";

const DAY_MS = 86_400_000;

/** Days before the end of a certificate at which it should have been renewed, as deploy/alerts.yaml has it, too. */
const RENEWED_BEFORE_DAYS = 7;

/** Whether the files of TLS can be used, and for how long. Nothing where there are none. */
export async function checkTls({ tls }: Pick<Config, "tls">, now = Date.now()): Promise<readonly Finding[]> {
  if (!tls) return [];
  const name = "tls";
  const fix = "renew it: a server that runs reads its files anew within some seconds";
  try {
    const { subject, endTime } = readTls(tls);
    const end = new Date(endTime).toISOString();
    if (endTime <= now) return [{ name, state: "fault", detail: `the certificate of ${subject} ended at ${end}`, fix }];
    const detail = `the certificate of ${subject} ends at ${end}`;
    if (endTime - now < RENEWED_BEFORE_DAYS * DAY_MS) return [{ name, state: "warning", detail, fix }];
    return [{ name, state: "ok", detail }];
  } catch (error) {
    return [
      { name, state: "fault", detail: (error as Error).message.replace(/\.$/, ""), fix: "see docs/configuration.md" },
    ];
  }
}
