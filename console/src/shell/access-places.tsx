import { CircleUserRound, KeyRound, Users } from "lucide-react";
import { useMay } from "../api/permissions.ts";
import { useProjects } from "../api/projects.ts";
import { allowed, NavLink } from "./nav-link.tsx";
import type { NavItem } from "./navigation.ts";

/** Places of a server that asks who calls. */
const ACCESS_NAVIGATION: readonly NavItem[] = [
  { to: "/console/members", label: "Members", icon: Users, permission: "resourcemanager.projects.getIamPolicy" },
  { to: "/console/keys", label: "Keys", icon: KeyRound, permission: "identity.credentials.list" },
  { to: "/console/account", label: "Account", icon: CircleUserRound },
];

/** Who may use the server, by what the person may see of the first project. */
export function AccessPlaces() {
  const [project = ""] = useProjects();
  return allowed(ACCESS_NAVIGATION, useMay(project)).map((item) => <NavLink key={item.to} item={item} />);
}
