// Credits every deposit to an account once: node deposits.mjs ACCOUNT BOOKS [--once|--old]
//
// BOOKS is a file with a JSON object in each line, made if it is missing. A deposit is booked under its position, which is the same at every
// server and after every restart, and acknowledged only when the books are on disk. A crash at any instant therefore lists some deposits again,
// and books none twice. --once ends when nothing is left to be credited. --old books what there is without crediting it: another system
// has, before this one.

import { open, readFile, truncate } from "node:fs/promises";
import { Refused, call, pause } from "./wallet.mjs";

const [account, path, once] = process.argv.slice(2);
const old = once === "--old";
if (!path) {
  console.error("usage: node deposits.mjs ACCOUNT BOOKS [--once|--old]");
  process.exit(2);
}

// The last line may be half written: the power failed before it was acknowledged, so it is listed again.
const whole = (await readFile(path, "utf8").catch(() => "")).replace(/[^\n]*$/, "");
// Without the memo, which may have been read since.
const mark = ({ position, transaction_id, from_id, asset_id, amount }) => JSON.stringify([position, transaction_id, from_id, asset_id, amount]);
const booked = new Map(whole.split("\n").filter(Boolean).map((line) => JSON.parse(line)).map((d) => [d.position, mark(d)]));
const books = await open(path, "a");
await truncate(path, Buffer.byteLength(whole));

for (;;) {
  let found;
  try {
    found = await call("deposits.next", { account, limit: 100 });
    if (found.length === 0 && once) break;
    if (found.length === 0) found = await call("deposits.wait", { account, limit: 100, seconds: 50 });
  } catch (problem) {
    console.error("no deposits now:", problem.message);
    await pause();
    continue;
  }
  if (found.length === 0) continue;
  if (found.some((d) => d.memo_status === "locked")) {
    // Whose these are stands in memos that nobody reads while the wallet is locked.
    console.error("unlock the wallet: there are deposits with memos");
    if (once) process.exit(4);
    await pause(10);
    continue;
  }
  const other = found.find((d) => booked.has(d.position) && booked.get(d.position) !== mark(d));
  if (other) {
    console.error(`${path} has another deposit at ${other.position}: it is the books of another ledger`);
    process.exit(1);
  }
  const fresh = found.filter((d) => !booked.has(d.position));
  // By asset id, not by symbol, and in smallest units, as text: neither can be mistaken for another, and no digit is lost to a float.
  const row = ({ position, transaction_id, from_id, asset_id, amount, memo }) => ({ position, transaction_id, from_id, asset_id, amount, memo });
  await books.appendFile(fresh.map((d) => JSON.stringify(row(d)) + "\n").join(""));
  await books.sync();
  for (const d of fresh) {
    booked.set(d.position, mark(d));
    console.log(old ? "old" : "credit", d.pretty_amount, "from", d.from, "memo", JSON.stringify(d.memo));
  }
  try {
    await call("deposits.ack", { account, position: found.at(-1).position });
  } catch (problem) {
    if (!(problem instanceof Refused)) console.error("no answer to the acknowledgement:", problem.message);
    else console.error("not acknowledged, so they are listed again:", problem.message);
    await pause();
  }
}
await books.close();
