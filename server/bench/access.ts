// `npm run bench -- access`: what one decision costs, on a server with a thousand apps that have policies of their own.
import { create } from "@bufbuild/protobuf";
import { BindingSchema, PolicySchema } from "@frontdesk/protos/google/iam/v1/policy";
import { type Access, type Asker, createAccess, createRoles, openPolicyBook } from "#access";
import { ANONYMOUS, type Caller, createLogger, systemClock, systemIds } from "#base";
import { openStorage } from "#storage";

const APPS = 1_000;
const MEMBERS = 20;
const DECISIONS = 200_000;
const ROUNDS = 5;

const app = (at: number) => `projects/p${at % 10}/locations/us/apps/app-${at}`;
const person = (name: string): Caller => ({
  ...ANONYMOUS,
  kind: "user",
  principal: `user:${name}@example.com`,
  groups: [`group:team-${name}@example.com`, "group:staff@example.com"],
});

/** Measures and prints the lines of decisions. */
export async function benchAccess(dataDir: string): Promise<void> {
  const storage = await openStorage({ dataDir, clock: systemClock, logger: createLogger("error") });
  try {
    const access = await openAccess(storage.resources);
    const ask = (name: string): Asker => ({ caller: person(name), peer: { address: "10.1.2.3" } });
    const agent = (at: number) => `${app(at)}/agents/agent-${at}`;
    const may = (asker: Asker, permission: string) => (at: number) => access.may(asker, permission, agent(at));
    row("by a binding on the server", may(ask("root"), "ces.agents.get"), true);
    row("by a binding on the project", may(ask("owner"), "ces.agents.get"), true);
    row("by a binding on the app", may(ask("member-3"), "ces.agents.get"), true);
    row("refused, member of nothing", may(ask("stranger"), "ces.agents.get"), false);
    row("refused, role without the permission", may(ask("member-3"), "ces.agents.delete"), false);
    row("under a condition on the address", may(ask("guest"), "ces.agents.get"), true);
    const auditor = may(ask("auditor"), "ces.agents.get");
    row("under a condition on the name, anew", auditor, true);
    row("under a condition on the name, again", (at) => auditor(at % 100), true);
  } finally {
    await storage.close();
  }
}

async function openAccess(store: Parameters<typeof openPolicyBook>[0]["store"]): Promise<Access> {
  const binding = (role: string, ...members: string[]) => create(BindingSchema, { role, members });
  const under = (name: string, expression: string) =>
    create(BindingSchema, {
      role: "roles/ces.viewer",
      members: [`user:${name}@example.com`],
      condition: { expression },
    });
  const roles = createRoles();
  const serverBindings = [
    binding("roles/owner", "user:root@example.com"),
    under("guest", 'inIpRange(origin.ip, "10.0.0.0/8")'),
    under("auditor", 'resource.name.startsWith("projects/p")'),
  ];
  const onFault = () => {};
  const book = await openPolicyBook({ store, roles, serverBindings, clock: systemClock, ids: systemIds, onFault });
  const members = Array.from({ length: MEMBERS }, (_, at) => `user:member-${at}@example.com`);
  const ofApps = create(PolicySchema, { bindings: [binding("roles/ces.viewer", ...members)] });
  const ofProjects = create(PolicySchema, { bindings: [binding("roles/owner", "user:owner@example.com")] });
  const projects = Array.from({ length: 10 }, (_, at) => book.toWrite(`projects/p${at}`, ofProjects, ""));
  await book.store.write([...projects, ...Array.from({ length: APPS }, (_, at) => book.toWrite(app(at), ofApps, ""))]);
  const operationSubject = async () => "";
  return createAccess({ mode: "all", book, store, clock: systemClock, operationSubject, isExempt: () => false });
}

/** The median of some rounds: microseconds of the processor for one decision. Each decision is about another agent. */
function row(label: string, decide: (at: number) => unknown, expected: boolean): void {
  const rounds: number[] = [];
  const count = label.includes("condition") ? DECISIONS / 10 : DECISIONS;
  for (let round = 0; round < ROUNDS; round++) {
    const processor = process.cpuUsage();
    for (let at = 0; at < count; at++) if (decide(at % APPS) !== expected) throw new Error(`${label}: not ${expected}`);
    const { user, system } = process.cpuUsage(processor);
    rounds.push((user + system) / count);
  }
  rounds.sort((a, b) => a - b);
  const median = (rounds[Math.floor(ROUNDS / 2)] ?? 0).toFixed(2).padStart(7);
  process.stdout.write(`${label.padEnd(40)} ${median} µs\n`);
}
