import type { Egress } from "#base";
import type { Connections, TablePath } from "../contract.ts";
import { type Engines, openMapped } from "../engines.ts";
import type { DatabaseMapping, TablePattern } from "../mapping/warehouse-config.ts";
import { shortTermCache } from "../short-term-cache.ts";
import { connectionStringOf, type DatabaseAddress } from "./database-address.ts";
import { createDatabaseGate } from "./database-gate.ts";

/** Ids of connected databases, which are datasets of their project (CA-61). */
const CONNECTION = /^connection_[0-9a-f]{16,64}$/;

/** Whether a dataset has the tables of a connected database. */
export function isConnection(dataset: string): boolean {
  return CONNECTION.test(dataset);
}

interface ConnectionsDeps {
  readonly engines: Pick<Engines, "database" | "closed">;
  readonly egress: Pick<Egress, "fetch" | "open" | "connect">;
  /** Hosts that may be connected to, as `isListedHost` reads them. */
  readonly hosts: readonly string[];
}

/** Databases that people connected, and their mappings. */
interface ConnectedDatabases extends Connections {
  mappings(): readonly DatabaseMapping[];
}

/** How a database is reached now; its mapping stays, so that what was read of it stays too. */
interface Login {
  version: string;
  address: () => DatabaseAddress;
}

interface Connected {
  readonly mapping: DatabaseMapping;
  readonly login: Login;
}

/** Creates the connected databases: none is kept anywhere but in memory. */
export function createConnectedDatabases({ engines, egress, hosts }: ConnectionsDeps): ConnectedDatabases {
  const known = new Map<string, Connected>();
  const mappingOf = (name: TablePattern, schema: string, address: () => DatabaseAddress): DatabaseMapping => {
    const { engine } = address();
    return {
      ...{ name, ...(engine !== "postgresql" && { engine }), ...(schema !== "" && { schema }) },
      connectionString: () => connectionStringOf(address()),
      gate: createDatabaseGate({ egress, hosts }, address),
    };
  };
  const listed = shortTermCache(async (dataset): Promise<readonly TablePath[]> => {
    const mapping = known.get(dataset)?.mapping;
    if (!mapping) return [];
    const names = await (await engines.database(mapping)).names(dataset);
    return names.map(([, table]) => [mapping.name[0], dataset, table]);
  });
  return {
    hosts,
    mappings: () => [...known.values()].map(({ mapping }) => mapping),
    has: (dataset) => known.has(dataset),
    async put([project, dataset], { version, schema, address }) {
      const found = known.get(dataset);
      if (!found) {
        const login: Login = { version, address };
        known.set(dataset, { mapping: mappingOf([project, dataset], schema, () => login.address()), login });
        return;
      }
      const { mapping, login } = found;
      login.address = address;
      if (login.version === version) return;
      login.version = version;
      await engines.closed(mapping);
    },
    tables: async (dataset) => (known.has(dataset) ? listed(dataset) : []),
    async probe({ schema, address }) {
      const database = await openMapped(mappingOf(["*"], schema, address));
      try {
        return (await database.names("")).length;
      } finally {
        await database.close();
      }
    },
    async remove(dataset) {
      const found = known.get(dataset);
      known.delete(dataset);
      if (found) await engines.closed(found.mapping);
    },
  };
}
