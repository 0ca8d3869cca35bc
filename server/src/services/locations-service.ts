import type { MessageInitShape } from "@bufbuild/protobuf";
import { type LocationSchema, Locations } from "@frontdesk/protos/google/cloud/location/locations";
import { defineService, type ServiceRegistration } from "#rpc";
import { notFound } from "#status";

/** The locations of the hosted product, and `local` for the example app. All are this server. */
const LOCATIONS: readonly (readonly [id: string, displayName: string])[] = [
  ["eu", "European Union"],
  ["global", "Global"],
  ["local", "This server"],
  ["us", "United States"],
];

/** The locations of apps: `google.cloud.location.Locations`. */
export function createLocationsService(): ServiceRegistration {
  return defineService(Locations, [], {
    listLocations: async ({ name }) => ({
      locations: LOCATIONS.map(([id, displayName]) => location(name, id, displayName)),
    }),
    getLocation: async ({ name }) => {
      const [id = "", , parent = ""] = name.split("/").reverse();
      const known = LOCATIONS.find(([candidate]) => candidate === id);
      if (!known) throw notFound(name, "locations.googleapis.com/Location");
      return location(name.split("/").slice(0, -2).join("/") || parent, ...known);
    },
  });
}

function location(parent: string, locationId: string, displayName: string): MessageInitShape<typeof LocationSchema> {
  const prefix = parent && parent !== "locations" ? `${parent}/` : "";
  return { name: `${prefix}locations/${locationId}`, locationId, displayName };
}
