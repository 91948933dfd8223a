// Pays each order of a list once: node payouts.mjs ACCOUNT < ORDERS
//
// A line of ORDERS is a JSON object: {"order": "w-1001", "to": "bobby", "amount": "1.5", "asset": "DCT", "memo": ""}. The order is the request
// key. Whatever happens, the program may be started again with the same lines: what was paid is answered with its transaction and not paid
// again. The exit code is 1 if an order was refused.

import { createInterface } from "node:readline";
import { Refused, call, pause } from "./wallet.mjs";

const account = process.argv[2];
if (!account) {
  console.error("usage: node payouts.mjs ACCOUNT < ORDERS");
  process.exit(2);
}

// What passes by itself, or once somebody has done something: the same request is made again.
const passing = new Set([
  "wallet_is_locked_exception", "outcome_unknown", "daemon_away", "daemon_stale", "canceled_exception", "file", "limit_exceeded",
]);

// pay returns the transaction id, or undefined if the order is refused for good.
async function pay({ order, to, amount, asset, memo }) {
  for (;;) {
    try {
      const sent = await call("transfer", { from: account, to, amount, asset_symbol: asset, memo, broadcast: true, request_key: order });
      return sent.transaction_id;
    } catch (problem) {
      console.error(order, problem instanceof Refused ? "refused:" : "no answer:", problem.message);
      if (problem instanceof Refused && problem.kind === "unauthorized") process.exit(1); // this and all orders behind it: start again with another token
      if (problem instanceof Refused && problem.kind === "request_key" && problem.key === "same") process.exit(1); // it may have been paid before a loss: a person says so with billfold store claim
      // Without an answer nobody knows whether it was paid. The same request under the same key pays once at most.
      if (problem instanceof Refused && (problem.key === "new" || problem.key === "taken")) return undefined;
      if (problem instanceof Refused && !passing.has(problem.kind) && !(await wasMade(order))) return undefined;
    }
    await pause();
  }
}

// wasMade tells whether the order was signed: what the node refused may still happen, until it expires. A repeated request has the outcome.
async function wasMade(order) {
  try {
    return Boolean(await call("get_payment", { id_or_key: order }));
  } catch (problem) {
    return !(problem instanceof Refused && problem.kind === "no_such_payment");
  }
}

let failed = false;
for await (const line of createInterface({ input: process.stdin })) {
  if (!line.trim()) continue;
  const order = JSON.parse(line);
  const wrong = ["order", "to", "amount", "asset", "memo"].filter((name) => typeof order[name] !== "string");
  if (wrong.length > 0 || order.order === "") {
    // Without a key, a payment could be made twice; numbers lose digits.
    console.error(`order, to, amount, asset and memo must be text in quotes; this order has none in ${wrong.join(", ") || "order"}: ${line}`);
    process.exit(2);
  }
  const paid = await pay(order);
  console.log(order.order, paid ?? "not paid");
  failed ||= !paid;
}
process.exitCode = failed ? 1 : 0;
