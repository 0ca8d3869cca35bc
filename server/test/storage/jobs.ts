import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Job, JobEnd, JobQueue, Storage } from "#storage";

let queues = 0;

/** The contract of queues of jobs (DB-55). */
export function jobContract(use: () => Storage): void {
  describe("jobs", () => {
    it("are done once each, whatever their key says", async () => {
      const { queue, seen, until } = await opened(async () => "done");
      const keys = ["a", "projects/p/apps/é'\"%", "x".repeat(1_000)];
      assert.deepEqual(await Promise.all(keys.map((key) => queue.add(key))), [true, true, true]);
      await until(3);
      assert.deepEqual(seen.toSorted(), keys.toSorted());
    });

    it("wait and run at most once with the same key, and may come again after that", async () => {
      const { queue, seen, until, let: go } = await held();
      assert.equal(await queue.add("a"), true);
      await until(1);
      assert.deepEqual([await queue.add("a"), await queue.add("later", 3_600_000)], [false, true]);
      assert.equal(await queue.add("later"), false);
      go();
      await ended(queue, "a");
      await until(2);
      assert.deepEqual(seen, ["a", "a"]);
    });

    it("run as many at the same time as the queue says, the others after them", async () => {
      let running = 0;
      let most = 0;
      const { queue, until } = await opened(async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 20));
        running -= 1;
        return "done";
      });
      await Promise.all(Array.from({ length: 7 }, (_, at) => queue.add(String(at))));
      await until(7);
      assert.equal(most, 2);
    });

    it("come back after a pause that grows, when they failed", async () => {
      const pauses: number[] = [];
      const { queue, until } = await opened(async ({ again }) => {
        if (pauses.length === 2) return "done";
        pauses.push((await again("The model is away.")) - Date.now());
        return "again";
      });
      await queue.add("a");
      await until(3);
      const [first = 0, second = 0] = pauses;
      assert.ok(first > 500 && first <= 2_100 && second > 1_500 && second <= 4_100, `${pauses}`);
    });

    it("come back when the work throws", async () => {
      let failed = false;
      const { queue, until } = await opened(async () => {
        if (failed) return "done";
        failed = true;
        throw new Error("a defect");
      });
      await queue.add("a");
      await until(2);
    });

    it("are taken out while they wait, and not while they run", async () => {
      const { queue, until, let: go } = await held();
      await queue.add("waits", 3_600_000);
      assert.deepEqual([await queue.remove("waits"), await queue.remove("waits")], [true, false]);
      await queue.add("runs");
      await until(1);
      assert.equal(await queue.remove("runs"), false);
      go();
    });

    it("are added again when a server ended that had them, and left where they wait", async () => {
      const { queue, seen, until } = await opened(async () => "done");
      await queue.add("waits", 3_600_000);
      await queue.restore("waits");
      await queue.restore("lost");
      await until(1);
      assert.deepEqual([seen, await queue.remove("waits")], [["lost"], true]);
    });

    it("may be added again after they failed for good", async () => {
      const { queue, until } = await opened(async () => "dead");
      await queue.add("a");
      await until(1);
      await ended(queue, "a");
      await until(2);
    });

    /** A queue whose first jobs wait until the test lets them end. */
    async function held() {
      const gate = Promise.withResolvers<void>();
      const found = await opened(async () => {
        await gate.promise;
        return "done";
      });
      return { ...found, let: gate.resolve };
    }

    /** A queue of its own; `seen` are the keys of its jobs in the order in which they began. */
    async function opened(work: (job: Job) => Promise<JobEnd>) {
      const seen: string[] = [];
      const name = `contract-${++queues}`;
      const queue = await use().jobs.open({
        ...{ name, concurrency: 2, firstPauseMs: 1_000, longestPauseMs: 60_000 },
        run: (job) => {
          seen.push(job.key);
          return work(job);
        },
      });
      const until = async (count: number) => {
        while (seen.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
      };
      return { queue, seen, until };
    }
  });
}

/** Adds a job until its key is free: what ended is settled a moment later. */
async function ended(queue: JobQueue, key: string): Promise<void> {
  while (!(await queue.add(key))) await new Promise((resolve) => setTimeout(resolve, 5));
}
