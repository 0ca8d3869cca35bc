import { Link, useParams } from "@tanstack/react-router";
import { Fragment } from "react";
import { type AppPath, formatAppName } from "../api/app-name.ts";
import { AccessButton } from "../features/access/access-button.tsx";
import { AppPicker } from "./app-picker.tsx";
import { Brand } from "./brand.tsx";
import { APP_PLACES, type Place, SERVER_PLACES } from "./places.ts";
import { ThemeButton } from "./theme-button.tsx";

/** The places one can go to: those of the app on screen, then those of the server. */
export function Rail() {
  const { project, location, app } = useParams({ strict: false });
  const path = project && location && app ? { project, location, app } : undefined;
  return (
    <nav className="rail" aria-label="Places">
      <Brand />
      {path && (
        <>
          <AppPicker app={formatAppName(path)} />
          <div style={{ height: "0.4rem" }} />
          {APP_PLACES.map((place, at) => (
            <Fragment key={place.to}>
              {place.group && place.group !== APP_PLACES[at - 1]?.group && <p className="group">{place.group}</p>}
              <PlaceLink place={place} params={path} />
            </Fragment>
          ))}
        </>
      )}
      <p className="group">Server</p>
      {SERVER_PLACES.map((place) => (
        <PlaceLink key={place.to} place={place} />
      ))}
      <div className="foot">
        <ThemeButton />
        <AccessButton />
      </div>
    </nav>
  );
}

function PlaceLink({ place, params = {} }: { readonly place: Place; readonly params?: Partial<AppPath> }) {
  const { to, label, icon: Icon, exact } = place;
  return (
    <Link to={to} params={params} className="rail-link" activeOptions={{ exact: exact ?? false, includeSearch: false }}>
      <Icon size={17} aria-hidden="true" /> {label}
    </Link>
  );
}
