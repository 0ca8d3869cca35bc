import { create, type DescMessage, equals, type Message } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { AgentService, CreateAppVersionRequestSchema } from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import type { AppVersion } from "@frontdesk/protos/ces/app_version";
import { EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { LRUCache } from "lru-cache";
import type { Proposal } from "#generation";
import type { AppTree } from "#resources";
import { failedPrecondition } from "#status";
import type { AssistantDeps } from "./contract.ts";

/** A change that waits for a person's word. */
export interface PendingProposal {
  /** `confirmation_id`. */
  readonly id: string;
  readonly proposal: Proposal;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** How long a change waits (ASST-3). */
const WAITS_MS = 30 * 60_000;
/** Changes that wait at once, of all sessions. */
const MAX_WAITING = 200;

/** The changes that wait, one a session, in memory: after a restart they are asked for again. */
export class Proposals {
  readonly #deps: Pick<AssistantDeps, "resources" | "clock" | "ids">;
  readonly #pending = new LRUCache<string, PendingProposal>({ max: MAX_WAITING });

  constructor(deps: Pick<AssistantDeps, "resources" | "clock" | "ids">) {
    this.#deps = deps;
  }

  /** The change that a session waits with; undefined when there is none any more. */
  of(session: string): PendingProposal | undefined {
    const found = this.#pending.get(session);
    return found && found.expiresAt > this.#deps.clock.now() ? found : undefined;
  }

  add(session: string, proposal: Proposal): PendingProposal {
    const pending = { id: this.#deps.ids.uuid(), proposal, expiresAt: this.#deps.clock.now() + WAITS_MS };
    this.#pending.set(session, pending);
    return pending;
  }

  remove(session: string): void {
    this.#pending.delete(session);
  }

  /**
   * Stores a change, after a version of the app as it was; returns its resource name. FAILED_PRECONDITION when the app is another one by now, or locked;
   * then nothing has changed.
   */
  async apply({ base, tree }: Proposal, author: string): Promise<string> {
    const { resources } = this.#deps;
    const app = base.app.name;
    if (!isSame(await resources.tree.readTree(app), base))
      throw failedPrecondition(
        "The app was changed after this change was proposed, so it was not stored. Ask for it again.",
        { reason: "APP_CHANGED" },
      );
    await resources.tree.writeTree(tree, { ...WRITE, author, validateOnly: true });
    const { createAppVersion } = AgentService.method;
    const request = create(CreateAppVersionRequestSchema, {
      parent: app,
      appVersion: { displayName: "Before a change by the assistant" },
    });
    const version = (await resources.standard.invoke(createAppVersion, request, { author })) as AppVersion;
    await resources.tree.writeTree(tree, { ...WRITE, author });
    return version.name;
  }
}

/** What a proposal may change. */
const WRITE = { deleteOthers: ["agents", "tools", "evaluations"] } as const;

/** Whether nobody has changed what a proposal was made of. */
function isSame(now: AppTree, base: AppTree): boolean {
  return (
    equals(AppSchema, now.app, base.app) &&
    sameList(AgentSchema, now.agents, base.agents) &&
    sameList(ToolSchema, now.tools, base.tools) &&
    sameList(EvaluationSchema, now.evaluations, base.evaluations)
  );
}

function sameList(schema: DescMessage, one: readonly Named[], other: readonly Named[]): boolean {
  const known = new Map(other.map((resource) => [resource.name, resource]));
  return (
    one.length === other.length &&
    one.every((resource) => {
      const before = known.get(resource.name);
      return before !== undefined && equals(schema, resource, before);
    })
  );
}

type Named = Message & { readonly name: string };
