import { useNavigate, useParams } from "@tanstack/react-router";
import { BookOpen, Monitor, Moon, Sparkles, Sun } from "lucide-react";
import { Fragment, lazy } from "react";
import { useLoadFailures } from "../api/load-failures.ts";
import { useMay } from "../api/permissions.ts";
import { type AppPath, formatAppName, parseAppName } from "../api/resource-names.ts";
import { mustSignIn, useSession } from "../api/session.ts";
import { useApps } from "../api/use-apps.ts";
import { IconButton } from "../components/button.tsx";
import { SelectField } from "../components/field.tsx";
import { Optional } from "../components/optional.tsx";
import { AccessTokenButton } from "../features/access/access-token.tsx";
import { Brand } from "./brand.tsx";
import { allowed, NavLink } from "./nav-link.tsx";
import { APP_NAVIGATION, SERVER_NAVIGATION } from "./navigation.ts";
import { type Theme, useTheme } from "./theme.ts";

/** Id of the button that opens the assistant, which gets the focus back. */
export const ASSISTANT_BUTTON = "assistant-button";

interface AssistantSwitch {
  /** Whether the assistant is beside the page. */
  readonly assisted: boolean;
  readonly onAssist: (assisted: boolean) => void;
}

/** The places one can go to: those of the app on screen, then those of the server, as far as the person may use them. */
export function Sidebar(assistant: AssistantSwitch) {
  const { project, location, app } = useParams({ strict: false });
  const session = useSession();
  return (
    <nav className="sidebar" aria-label="Main">
      <Brand />
      {project && location && app && <AppPlaces path={{ project, location, app }} {...assistant} />}
      {!mustSignIn(session) && (
        <>
          <p className="group" aria-hidden="true">
            Server
          </p>
          <ul aria-label="Server">
            {SERVER_NAVIGATION.map((item) => (
              <NavLink key={item.to} item={item} />
            ))}
            <Optional>
              <AccessPlaces />
            </Optional>
          </ul>
        </>
      )}
      <div className="foot">
        <a className="button icon plain" href="/docs/" target="_blank" rel="noreferrer" title="Documentation">
          <BookOpen size={18} aria-hidden="true" />
          <span className="visually-hidden">Documentation</span>
        </a>
        <ThemeButton />
        <AccessTokenButton />
      </div>
    </nav>
  );
}

function AppPlaces({ path, assisted, onAssist }: { readonly path: AppPath } & AssistantSwitch) {
  const app = formatAppName(path);
  const failing = useLoadFailures(app);
  const may = useMay(app);
  const places = allowed(APP_NAVIGATION, may);
  return (
    <>
      <AppPicker app={app} />
      <div style={{ height: "0.4rem" }} />
      {may("ces.apps.update") && (
        <button
          type="button"
          id={ASSISTANT_BUTTON}
          className="sidebar-link assistant-button"
          aria-expanded={assisted}
          onClick={() => onAssist(!assisted)}
        >
          <Sparkles size={17} aria-hidden="true" /> Assistant
        </button>
      )}
      {[...Map.groupBy(places, ({ group }) => group)].map(([group, items]) => (
        <Fragment key={group}>
          {group && (
            <p className="group" aria-hidden="true">
              {group}
            </p>
          )}
          <ul aria-label={group ?? "App"}>
            {items.map((item) => (
              <NavLink
                key={item.to}
                item={item}
                params={path}
                failed={item.collection !== undefined && failing.has(item.collection)}
              />
            ))}
          </ul>
        </Fragment>
      ))}
    </>
  );
}

/** They come after what one works with. */
const AccessPlaces = lazy(() => import("./access-places.tsx").then((file) => ({ default: file.AccessPlaces })));

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
