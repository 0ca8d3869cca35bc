import { setTimeout as delay } from "node:timers/promises";
import { Health, HealthCheckResponse_ServingStatus as Status } from "@frontdesk/protos/grpc/health/v1/health";
import { defineService, type ServiceRegistration } from "#rpc";
import { notFound } from "#status";

/** Whether the server takes calls: what `/readyz` says. `stopping`: it will not again. */
export type ServingState = "serving" | "not serving" | "stopping";

/** How old what is told may be, milliseconds. */
const LOOK_MS = 1_000;

/**
 * gRPC's health service (WIRE-55). One server has one state, which is that of each of its services and of the name "". `Watch` ends when the server
 * stops, which would else wait for it.
 */
export function createHealthService(
  state: () => Promise<ServingState>,
  services: () => ReadonlySet<string>,
): ServiceRegistration {
  let known: { readonly at: number; readonly state: Promise<ServingState> } | undefined;
  /** However many ask, who need no credential for it, the database is asked once in a while. */
  const recent = (): Promise<ServingState> => {
    const now = performance.now();
    if (!known || now - known.at >= LOOK_MS) known = { at: now, state: state() };
    return known.state;
  };
  const isKnown = (service: string): boolean => service === "" || services().has(service);

  return defineService(Health, [], {
    check: async ({ service }) => {
      if (!isKnown(service)) throw notFound(service, "grpc.health.v1/service");
      return { status: statusOf(await recent()) };
    },
    list: async () => {
      const status = statusOf(await recent());
      return { statuses: Object.fromEntries(["", ...services()].map((service) => [service, { status }])) };
    },
    watch: async function* ({ service }, { signal }) {
      for (let last: Status | undefined; ; ) {
        const current = await recent();
        const status = isKnown(service) ? statusOf(current) : Status.SERVICE_UNKNOWN;
        if (status !== last) yield { status };
        if (current === "stopping") return;
        last = status;
        await delay(LOOK_MS, undefined, { signal });
      }
    },
  });
}

function statusOf(state: ServingState): Status {
  return state === "serving" ? Status.SERVING : Status.NOT_SERVING;
}
