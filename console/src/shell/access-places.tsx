import { CircleUserRound, Gauge, KeyRound, ScrollText, Users } from "lucide-react";
import { useMay } from "../api/permissions.ts";
import { useProjects } from "../api/projects.ts";
import { useSession } from "../api/session.ts";
import { allowed, NavLink } from "./nav-link.tsx";
import type { NavItem } from "./navigation.ts";

const AUDIT: NavItem = {
  to: "/console/audit",
  label: "Audit",
  icon: ScrollText,
  permission: "audit.auditEntries.list",
};

const QUOTAS: NavItem = { to: "/console/quotas", label: "Quotas", icon: Gauge, permission: "quota.quotaUsages.list" };

/** Places of a server that asks who calls. */
const ACCESS_NAVIGATION: readonly NavItem[] = [
  { to: "/console/members", label: "Members", icon: Users, permission: "resourcemanager.projects.getIamPolicy" },
  { to: "/console/keys", label: "Keys", icon: KeyRound, permission: "identity.credentials.list" },
  AUDIT,
  QUOTAS,
  { to: "/console/account", label: "Account", icon: CircleUserRound },
];

/** Who may use the server and who did, by what the person may see of the first project. */
export function AccessPlaces() {
  const [project = ""] = useProjects();
  const places = useSession().authentication === "required" ? ACCESS_NAVIGATION : [AUDIT, QUOTAS];
  return allowed(places, useMay(project)).map((item) => <NavLink key={item.to} item={item} />);
}
