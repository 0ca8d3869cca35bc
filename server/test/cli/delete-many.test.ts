import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { restOf } from "../rest.ts";
import { createPassing } from "./passing-server.ts";
import { startCommand } from "./running-command.ts";
import { serveCommands } from "./served-commands.ts";

const FAQ = join(import.meta.dirname, "..", "..", "..", "examples", "templates", "faq");
const PROJECT = "projects/local/locations/us";

describe("deleting many resources", () => {
  const { root, run, output, address } = serveCommands();
  const rest = restOf(() => ({ address: address() }));
  const passing = createPassing(address);
  before(() => passing.listen());
  after(() => passing.close());

  /** An app with evaluations `case-1`, … of these numbers. */
  const appWith = async (app: string, count: number) => {
    await rest("POST", `${PROJECT}/apps?appId=${app}`, { displayName: app });
    for (let at = 1; at <= count; at++)
      await rest("POST", `${PROJECT}/apps/${app}/evaluations?evaluationId=case-${at}`, {
        displayName: `Case ${at}`,
        golden: { turns: [{ steps: [{ userInput: { text: "hello" } }] }] },
      });
  };
  const namesOf = async (app: string, collection: string) => {
    const { stdout } = await run([collection, "list", "--app", app, "--output", "name"]);
    return stdout.split("\n").filter((line) => line !== "");
  };

  it("takes one request for all conversations that a filter finds", async () => {
    await output(0, "push", FAQ, "talks");
    for (const id of ["talk-1", "talk-2", "talk-3"])
      await output(0, "chat", "talks", "--session", id, "--say", "Hello");
    const stored = await namesOf("talks", "conversations");
    assert.equal(stored.length, 3);
    const args = ["conversations", "delete", "--app", "talks", "--filter", "turn_count > 0", "--force"];
    const ran = await run(args, { env: { FRONTDESK_SERVER: passing.address() } });
    assert.equal(ran.stdout, "Deleted 3 conversations.\n", ran.stderr);
    assert.deepEqual(passing.paths(/Delete/), ["BatchDeleteConversations"]);
    assert.deepEqual(await namesOf("talks", "conversations"), []);
  });

  it("goes on behind one that cannot be deleted, and names it with its reason", async () => {
    await output(0, "push", FAQ, "served");
    const app = `${PROJECT}/apps/served`;
    for (const id of ["old-1", "old-2", "old-3"])
      await rest("POST", `${app}/versions?appVersionId=${id}`, { displayName: id });
    await rest("POST", `${app}/deployments?deploymentId=live-chat`, {
      displayName: "Live",
      appVersion: `${app}/versions/old-2`,
      channelProfile: { channelType: "API" },
    });
    const { code, stderr } = await run(["versions", "delete", "old-1", "old-2", "old-3", "--app", "served"]);
    assert.deepEqual([code, await namesOf("served", "versions")], [1, [`${app}/versions/old-2`]], stderr);
    assert.match(
      stderr,
      /2 of 3 versions are deleted\. Not deleted:\n {2}old-2: '.*old-2' is still referenced by .*live/,
    );
  });

  it("takes the names that a list gives to a script", async () => {
    await appWith("names", 3);
    const [first = "", ...others] = await namesOf("names", "evaluations");
    assert.equal((await run(["evaluations", "delete", first, ...others])).stdout, "Deleted 3 evaluations.\n");
    assert.deepEqual(await namesOf("names", "evaluations"), []);
    const { code, stderr } = await run(["evaluations", "get", first, ...others]);
    assert.deepEqual(
      [code, stderr],
      [1, `frontdesk: evaluations get takes one name; '${others[0]}' is one too many.\n`],
    );
    const gone = await run(["evaluations", "delete", "case-1", "case-2", "--app", "names"]);
    assert.equal(gone.code, 1);
    assert.match(gone.stderr, /0 of 2 evaluations are deleted\. Not deleted:\n {2}case-1: .* was not found/);
  });

  it("ends at Ctrl-C with how many are deleted, and deletes no more", async () => {
    await appWith("long-app", 20);
    passing.holdAfter("DeleteEvaluation", 5);
    const args = ["evaluations", "delete", "--app", "long-app", "--filter", 'display_name:"Case"', "--force"];
    await using command = startCommand(args, {
      PATH: process.env.PATH,
      XDG_CONFIG_HOME: root,
      FRONTDESK_SERVER: passing.address(),
    });
    await Promise.race([passing.held(), command.saw(/frontdesk: /)]);
    const ended = command.interrupt();
    passing.release();
    await command.saw(/interrupted: (\d+) of 20 evaluations are deleted; the same command deletes the rest\.\n/);
    assert.equal(await ended, 1);
    const left = (await namesOf("long-app", "evaluations")).length;
    assert.ok(left > 0 && left < 20, `${left} are left`);
  });

  it("says how many are deleted when the server goes away", async () => {
    await appWith("gone-app", 20);
    passing.breakAfter("DeleteEvaluation", 5);
    const args = ["evaluations", "delete", "--app", "gone-app", "--filter", 'display_name:"Case"', "--force"];
    const { code, stderr } = await run(args, { env: { FRONTDESK_SERVER: passing.address() } });
    assert.equal(code, 1);
    assert.match(stderr, /^frontdesk: 5 of 20 evaluations are deleted, and then: the connection to .* was lost/);
  });
});
