import type { AgentCard } from "@frontdesk/protos/a2a/a2a";
import { agentCard, type CardSecurity, type PublicAddress, signInCard } from "#a2a";
import type { Access, Asker } from "#access";
import type { A2aAgents } from "./a2a-agents.ts";

/** Agent cards, as clients find them. */
export interface A2aCards {
  /**
   * The public card of an agent, for a reader who may call it and of the agent that the operator names; for all others a card that says how
   * to sign in, whether there is an agent or not (A2A-19).
   */
  public(tenant: string, reader: CardReader & Asker): Promise<AgentCard>;
  /** The extended card of an agent, for a caller who may call it. */
  extended(tenant: string, reader: CardReader): Promise<AgentCard>;
}

/** Who reads a card. */
interface CardReader {
  /** The Host header, from which addresses are made unless the operator names one. */
  readonly host: string | undefined;
}

interface A2aCardsDeps {
  readonly agents: A2aAgents;
  /** The address by which a client reached this server. */
  readonly addressOf: (host: string | undefined) => PublicAddress;
  /** How callers identify themselves. */
  readonly security: () => CardSecurity;
  readonly access: Pick<Access, "may">;
  /** The agent that the operator names: its card is everybody's. */
  readonly published: string | undefined;
}

/** Creates the cards of agents, made anew for each reader. */
export function createA2aCards({ agents, addressOf, security, access, published }: A2aCardsDeps): A2aCards {
  const cardOf = async (tenant: string, host: string | undefined, extended: boolean) => {
    const agent = await agents.of(tenant);
    // The card of a deployment with a traffic split is that of any of its sessions.
    const snapshot = await agent.snapshot(`${agent.app}/sessions/agent-card`);
    return agentCard({ agent, snapshot, address: addressOf(host), security: security(), extended });
  };
  const isShown = async (tenant: string, reader: Asker) => {
    if (published !== undefined && (tenant === "" || tenant === published)) return true;
    const name = tenant === "" ? await agents.defaultName() : tenant;
    return access.may(reader, "ces.sessions.runSession", name ?? "");
  };
  return {
    public: async (tenant, reader) =>
      (await isShown(tenant, reader))
        ? cardOf(tenant, reader.host, false)
        : signInCard({ tenant, address: addressOf(reader.host), security: security() }),
    extended: (tenant, { host }) => cardOf(tenant, host, true),
  };
}
