import { useNavigate } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { useMay } from "../../api/permissions.ts";
import { pagePath, parentApp } from "../../api/resource-names.ts";
import { IconButton } from "../../components/button.tsx";
import { Menu } from "../../components/menu.tsx";

/** What else there is to know of a resource of an app: how it changed, and who called something on it. */
export function ResourceMenu({ name }: { readonly name: string }) {
  const navigate = useNavigate();
  const app = parentApp(name);
  const mayReadChanges = useMay(app)("ces.changelogs.list");
  const mayReadCalls = useMay(name.split("/").slice(0, 2).join("/"))("audit.auditEntries.list");
  const go = (to: string, search: object) => void navigate({ to, search: search as never });
  const entries = [
    {
      id: "history",
      label: "History of changes",
      disabled: !mayReadChanges,
      onAction: () =>
        go(`${pagePath(app)}/changelogs`, { resource: name === app ? "app" : name.slice(app.length + 1) }),
    },
    {
      id: "audit",
      label: "Audit log",
      disabled: !mayReadCalls,
      onAction: () => go("/console/audit", { resource: name }),
    },
  ].filter(({ disabled }) => !disabled);
  if (entries.length === 0) return null;
  return (
    <Menu
      label="More about the resource"
      trigger={
        <IconButton label="More">
          <Ellipsis size={17} aria-hidden="true" />
        </IconButton>
      }
      entries={entries}
    />
  );
}
