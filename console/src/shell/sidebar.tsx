import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { CircleAlert, Monitor, Moon, Sun } from "lucide-react";
import { Fragment } from "react";
import { useLoadFailures } from "../api/load-failures.ts";
import { type AppPath, formatAppName, parseAppName } from "../api/resource-names.ts";
import { useApps } from "../api/use-apps.ts";
import { IconButton } from "../components/button.tsx";
import { SelectField } from "../components/field.tsx";
import { AccessTokenButton } from "../features/access/access-token.tsx";
import { Brand } from "./brand.tsx";
import { APP_NAVIGATION, type NavItem, SERVER_NAVIGATION } from "./navigation.ts";
import { type Theme, useTheme } from "./theme.ts";

/** The places one can go to: those of the app on screen, then those of the server. */
export function Sidebar() {
  const { project, location, app } = useParams({ strict: false });
  const path = project && location && app ? { project, location, app } : undefined;
  const failing = useLoadFailures(path ? formatAppName(path) : "");
  return (
    <nav className="sidebar" aria-label="Main">
      <Brand />
      {path && (
        <>
          <AppPicker app={formatAppName(path)} />
          <div style={{ height: "0.4rem" }} />
          {APP_NAVIGATION.map((item, at) => (
            <Fragment key={item.to}>
              {item.group && item.group !== APP_NAVIGATION[at - 1]?.group && <p className="group">{item.group}</p>}
              <NavLink
                item={item}
                params={path}
                failed={item.collection !== undefined && failing.has(item.collection)}
              />
            </Fragment>
          ))}
        </>
      )}
      <p className="group">Server</p>
      {SERVER_NAVIGATION.map((item) => (
        <NavLink key={item.to} item={item} />
      ))}
      <div className="foot">
        <ThemeButton />
        <AccessTokenButton />
      </div>
    </nav>
  );
}

interface NavLinkProps {
  readonly item: NavItem;
  readonly params?: Partial<AppPath>;
  /** Whether something below it has code that does not load. */
  readonly failed?: boolean;
}

function NavLink({ item, params = {}, failed = false }: NavLinkProps) {
  const { to, label, icon: Icon, exact } = item;
  return (
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
  );
}

/** Chooses among all apps; the one on screen is shown even while the list loads. */
function AppPicker({ app }: { readonly app: string }) {
  const navigate = useNavigate();
  const apps = useApps().data ?? [];
  const choices = apps.map(({ name, displayName }) => ({ value: name, label: displayName || parseAppName(name).app }));
  const known = choices.some(({ value }) => value === app);
  return (
    <SelectField
      label="App"
      hideLabel
      value={app}
      choices={known ? choices : [{ value: app, label: parseAppName(app).app }, ...choices]}
      onChange={(name) =>
        void navigate({
          to: "/console/projects/$project/locations/$location/apps/$app/simulator",
          params: { ...parseAppName(name) },
        })
      }
    />
  );
}

const NEXT: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };
const ICONS = { system: Monitor, light: Sun, dark: Moon } as const;
const NAMES = { system: "system", light: "light", dark: "dark" } as const;

/** Switches between the light, dark and system theme. */
function ThemeButton() {
  const [theme, setTheme] = useTheme();
  const Icon = ICONS[theme];
  return (
    <IconButton label={`Theme: ${NAMES[theme]}. Switch to ${NAMES[NEXT[theme]]}`} onPress={() => setTheme(NEXT[theme])}>
      <Icon size={18} aria-hidden="true" />
    </IconButton>
  );
}
