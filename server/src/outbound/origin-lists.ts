import {
  EndpointControlPolicy_EnforcementScope as Scope,
  type SecuritySettings,
} from "@frontdesk/protos/ces/security_settings";
import type { OriginList } from "#base";
import type { AppNetwork } from "./contract.ts";

/**
 * The allow lists of an app's requests; a request must match each of them. The location's policy applies always or in a perimeter
 * only, by its enforcement scope; an empty policy blocks everything only when the scope is ALWAYS. The app's own list applies
 * in a perimeter (security_settings.proto, app.proto: VpcScSettings).
 */
export function originLists(
  location: Pick<SecuritySettings, "name" | "endpointControlPolicy"> | undefined,
  settings: AppNetwork | undefined,
  perimeter: boolean,
): readonly OriginList[] {
  const policy = location?.endpointControlPolicy;
  const lists: OriginList[] = [];
  const always = policy?.enforcementScope === Scope.ALWAYS;
  if (location && policy && (always || (perimeter && policy.allowedOrigins.length > 0)))
    lists.push({
      origins: policy.allowedOrigins,
      name: `the endpoint control policy of ${location.name}`,
      anyPort: true,
    });
  const own = settings?.vpcScSettings?.allowedOrigins ?? [];
  if (perimeter && own.length > 0) lists.push({ origins: own, name: "vpc_sc_settings of the app", anyPort: false });
  return lists;
}
