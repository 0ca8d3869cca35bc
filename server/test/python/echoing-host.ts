import { setTimeout as delay } from "node:timers/promises";
import type { HostCall, HostCallHandler, HostReply } from "#sandbox";

/** Milliseconds that the tool `slow` works: long enough for all that were started with it to be seen running. */
const SLOW_MS = 200;

/** Tools and servers that answer with what they were asked. */
interface EchoingHost {
  readonly toolNames: readonly string[];
  readonly answer: HostCallHandler;
}

/**
 * `look_up` and `product-detail` tell their name and arguments, `fail` fails, `slow` tells how many ran beside it. An address with
 * `missing` is not found, any other answers with the call.
 */
export function createEchoingHost(): EchoingHost {
  let running = 0;
  let most = 0;
  const slow = async (call: Extract<HostCall, { op: "tool" }>): Promise<HostReply> => {
    running += 1;
    most = Math.max(most, running);
    await delay(SLOW_MS);
    running -= 1;
    return reply({ result: { running: most, args: call.args } });
  };
  return {
    toolNames: ["look_up", "product-detail", "fail", "slow"],
    async answer(call) {
      if (call.op === "http") return call.url.includes("missing") ? reply({}, 404, "Not Found") : reply(call);
      if (call.name === "slow") return slow(call);
      if (call.name === "fail") return reply({ status: "error", error: "it broke" }, 500, "it broke");
      return reply({ result: { tool: call.name, args: call.args } });
    },
  };
}

function reply(value: unknown, status = 200, reason = ""): HostReply {
  return { status, reason, text: JSON.stringify(value), headers: { "content-type": "application/json" } };
}
