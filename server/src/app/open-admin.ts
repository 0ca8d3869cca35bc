import { openPolicyBook } from "#access";
import { auditCalls, createAuditLog } from "#audit";
import { createLogger, definedFields, localAddress, systemClock, systemIds } from "#base";
import { createOperations } from "#operations";
import { createConnectHandler, createRestHandler } from "#protocols";
import { createRegistry, type Interceptor } from "#rpc";
import { createCredentialService, createPolicyService } from "#services";
import { permissionDenied } from "#status";
import { openStorage } from "#storage";
import { createAccessControl } from "./build/access.ts";
import { createAuthenticationParts } from "./build/authentication.ts";
import { serverBindings } from "./config/access-section.ts";
import { storagePlace } from "./config/database-section.ts";
import type { Config } from "./config.ts";
import { openSealer } from "./keys/sealing-keys.ts";
import { listen } from "./listen/listen.ts";

/** How commands on this machine manage credentials: as the operator. */
interface Admin {
  readonly address: string;
  readonly token: string;
  close(): Promise<void>;
}

/** Opens a port for the credentials of a data folder alone, on which no server runs. Throws `StorageError` when one does. */
export async function openAdmin(config: Config): Promise<Admin> {
  const logger = createLogger("silent", "json");
  const opened = await openStorage({ ...storagePlace(config), clock: systemClock, logger });
  const policyBook = await openPolicyBook({
    ...{ store: opened.resources, roles: config.access.roles, clock: systemClock, ids: systemIds },
    onFault: (error) => logger.error({ err: error }, "a policy could not be read"),
    serverBindings: serverBindings(config.access, config.identities),
  });
  const storage = { ...opened, resources: policyBook.store };
  const operations = createOperations({
    ...{ store: opened.operations, jobs: opened.jobs, clock: systemClock, ids: systemIds, logger },
  });
  const { access, policies } = createAccessControl({ config, storage, policyBook, clock: systemClock }, operations);
  const parts = await createAuthenticationParts({
    config: { ...config, auth: { ...config.auth, mode: "required" } },
    ...{ storage, clock: systemClock, logger, sealer: openSealer(config.sealing, config.dataDir) },
  });
  const { authentication } = parts;
  // Key files name the address that the server will have.
  authentication.addresses.add(
    localAddress(config.host, config.port).replace("http:", config.tls ? "https:" : "http:"),
  );
  const services = [createCredentialService({ authentication, clock: systemClock }), createPolicyService(policies)];
  const audit = createAuditLog({
    store: storage.audit,
    clock: systemClock,
    logger,
    ...definedFields({ file: config.audit.file }),
  });
  const { records, required: isRequired } = config.audit;
  const audited = auditCalls({ log: audit, records, isRequired, clock: systemClock, resourceOf: access.resourceOf });
  const registry = createRegistry(services, { logger, clock: systemClock, interceptors: [audited, operatorOnly] });
  const deps = { logger, authenticator: authentication.authenticator };
  const handlers = {
    rest: createRestHandler(registry, deps),
    connect: createConnectHandler(registry, deps),
    mcp: createRestHandler(registry, deps),
  };
  const listener = await listen({ host: "127.0.0.1", port: 0, handlers, logger });
  return {
    address: localAddress("127.0.0.1", listener.port),
    token: authentication.operatorToken.text,
    close: async () => {
      await listener.close(1_000);
      await parts.close();
      await audit.close();
      await storage.close();
    },
  };
}

/** Any program of this machine can open the port while a command runs. */
const operatorOnly: Interceptor = (next) => ({
  unary: async (method, request, context) => {
    if (context.caller.kind !== "operator")
      throw permissionDenied("Only the operator may call here.", { reason: "OPERATOR_REQUIRED" });
    return next.unary(method, request, context);
  },
  stream: () => {
    throw permissionDenied("Nothing streams here.", { reason: "OPERATOR_REQUIRED" });
  },
});
