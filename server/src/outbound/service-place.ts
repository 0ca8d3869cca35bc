import type { ConnectTarget } from "#base";
import { OutboundError, type OutboundRoute } from "./contract.ts";

/** Where a Service Directory service is reached by the operator's map; undefined when the route names none. */
export function servicePlace(
  { serviceDirectoryConfig }: OutboundRoute,
  places: Readonly<Record<string, string>>,
): ConnectTarget | undefined {
  const service = serviceDirectoryConfig?.service ?? "";
  if (service === "") return undefined;
  const place = Object.hasOwn(places, service) ? places[service] : undefined;
  if (place === undefined)
    throw new OutboundError(
      "refused",
      `The Service Directory service '${service}' is not known to this server. The operator can say where it is under 'outbound.serviceDirectory' of the config file.`,
    );
  const { hostname, port } = new URL(`http://${place}`);
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || 443 };
}
