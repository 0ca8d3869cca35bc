// The test files of one process: each is a suite.
import { after, describe } from "node:test";

/** For what a test left to end by itself, such as connections that are kept for the next call, in milliseconds. */
const GRACE = 30_000;

/**
 * Declares them, by names and addresses. A process that does not end after its last test, because of a timer or a program that is
 * still open, fails and says so; the runner would wait for it forever.
 */
export function describeFiles(files) {
  let open = files.length;
  for (const [name, address] of files)
    describe(name, async () => {
      after(() => {
        open -= 1;
        if (open === 0) setTimeout(failOpen, GRACE).unref();
      });
      await import(address);
    });
}

function failOpen() {
  const left = process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap");
  process.stderr.write(
    `The tests of this process have ended ${GRACE / 1000} s ago, and it has not. Open: ${left.join(", ")}\n`,
  );
  process.exit(1);
}
