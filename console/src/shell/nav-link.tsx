import { Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import type { May } from "../api/permissions.ts";
import type { AppPath } from "../api/resource-names.ts";
import type { NavItem } from "./navigation.ts";

/** The places that the person may use. */
export function allowed(places: readonly NavItem[], may: May): readonly NavItem[] {
  return places.filter(({ permission }) => permission === undefined || may(permission));
}

interface NavLinkProps {
  readonly item: NavItem;
  readonly params?: Partial<AppPath>;
  /** Whether something below it has code that does not load. */
  readonly failed?: boolean;
}

/** A place of the rail, in a list of them. */
export function NavLink({ item, params = {}, failed = false }: NavLinkProps) {
  const { to, label, icon: Icon, exact } = item;
  return (
    <li>
      <Link
        to={to}
        params={params}
        className="sidebar-link"
        activeOptions={{ exact: exact ?? false, includeSearch: false }}
      >
        <Icon size={17} aria-hidden="true" /> {label}
        {failed && (
          <span className="sidebar-failed" title="Code does not load">
            <CircleAlert size={15} aria-hidden="true" />
            <span className="visually-hidden">, code does not load</span>
          </span>
        )}
      </Link>
    </li>
  );
}
