// A client that was written for DCore, dcorejs-lib as it is in the registry,
// works with `billfold sandbox`: reads, a signed transfer with memo, broadcast
// with callback, history.    node session.js path/to/billfold
"use strict";
const { spawn } = require("child_process");
const assert = require("assert");
const { Apis, Aes, PrivateKey, TransactionBuilder, TransactionHelper, ops } = require("dcorejs-lib");

// ledger runs the sandbox and gives its address and the demo's keys.
function ledger(program) {
  const child = spawn(program, ["sandbox", "--listen=127.0.0.1:0", "--block-time=1s"]);
  const found = { child, keys: {} };
  return new Promise((resolve, reject) => {
    let text = "";
    child.on("exit", (code) => reject(new Error("the sandbox ended with " + code + ": " + text)));
    child.stderr.on("data", (data) => { text += data; });
    child.stdout.on("data", (data) => {
      text += data;
      const url = /^websocket +(\S+)$/m.exec(text);
      const keys = [...text.matchAll(/^demo key +(\w+) +(\S+)\n/gm)];
      if (url && keys.length === 2) {
        found.url = url[1];
        keys.forEach(([, name, wif]) => { found.keys[name] = PrivateKey.fromWif(wif); });
        resolve(found);
      }
    });
  });
}

async function reads() {
  const db = Apis.instance().db_api();
  const [alice] = await db.exec("lookup_account_names", [["alice"]]);
  assert.strictEqual(alice.name, "alice");
  const [dct] = await db.exec("lookup_asset_symbols", [["DCT"]]);
  assert.strictEqual(dct.precision, 8);
  const global = await db.exec("get_objects", [["2.0.0"]]);
  assert.strictEqual(global[0].parameters.block_interval, 2);
  assert.strictEqual((await db.exec("get_account_balances", [alice.id, ["1.3.0"]])).length, 1);
  assert.strictEqual((await db.exec("get_chain_id", [])).length, 64);
  await assert.rejects(db.exec("lookup_accounts", ["", 1001]), (e) => e.code === 208);
  await assert.rejects(db.exec("no_such_method", []), (e) => e.code === 51);
  // Its chain store was made for an older node; it cannot be used with any of 1.5.0.
  await assert.rejects(db.exec("set_subscribe_callback", [() => {}, true]), (e) => e.code === 51);
}

// transfer builds and signs one as the library's own example does.
async function transfer(key, from, to, text) {
  const memo_key = to.options.memo_key;
  const nonce = TransactionHelper.unique_nonce_uint64();
  const tr = new TransactionBuilder();
  tr.add_type_operation("transfer", {
    fee: { amount: 0, asset_id: "1.3.0" }, from: from.id, to: to.id,
    amount: { amount: 12345678, asset_id: "1.3.0" },
    memo: {
      from: from.options.memo_key, to: memo_key, nonce,
      message: Aes.encrypt_with_checksum(key, memo_key, nonce, text),
    },
  });
  await tr.set_required_fees();
  tr.add_signer(key, key.toPublicKey().toPublicKeyString());
  return tr;
}

// included broadcasts with a callback, and waits for the block.
async function included(tr) {
  await tr.finalize();
  tr.sign();
  const packed = ops.signed_transaction.toObject(tr);
  return new Promise((resolve, reject) => {
    Apis.instance().network_api().exec("broadcast_transaction_with_callback", [(notices) => resolve(notices[0]), packed]).catch(reject);
  });
}

async function pays(keys) {
  const db = Apis.instance().db_api();
  const [alice, bobby] = await db.exec("lookup_account_names", [["alice", "bobby"]]);
  const before = (await db.exec("get_account_balances", [bobby.id, ["1.3.0"]]))[0].amount;
  const tr = await transfer(keys.alice, alice, bobby, "from another library");
  const notice = await included(tr);
  assert.strictEqual(notice.id, tr.id());
  assert.ok(notice.block_num > 0 && notice.trx.operation_results.length === 1);
  const after = (await db.exec("get_account_balances", [bobby.id, ["1.3.0"]]))[0].amount;
  assert.strictEqual(BigInt(after) - BigInt(before), 12345678n);
  const block = await db.exec("get_block", [notice.block_num]);
  assert.ok(block.transaction_ids.includes(tr.id()));

  const history = await Apis.instance().history_api().exec("get_account_history", [bobby.id, "1.7.0", 10, "1.7.0"]);
  const memo = history[0].op[1].memo;
  const text = Aes.decrypt_with_checksum(keys.bobby, memo.from, memo.nonce, Buffer.from(memo.message, "hex"));
  assert.strictEqual(text.toString(), "from another library");

  // With the wrong key it is refused as by the node.
  const wrong = await transfer(keys.alice, bobby, alice, "not mine");
  await assert.rejects(included(wrong), (e) => e.code === 405);
}

function blockApplied() {
  return new Promise((resolve, reject) => {
    Apis.instance().db_api().exec("set_block_applied_callback", [(ids) => resolve(ids[0])]).catch(reject);
  });
}

async function main() {
  const box = await ledger(process.argv[2]);
  const late = setTimeout(() => { console.error("no end after 60 s"); box.child.kill(); process.exit(1); }, 60000);
  let code = 0;
  try {
    await Apis.instance(box.url, true).init_promise;
    for (const [name, step] of Object.entries({
      "block callback": async () => assert.match(await blockApplied(), /^[0-9a-f]{40}$/),
      reads,
      "signed transfer with memo, broadcast with callback, history": () => pays(box.keys),
    })) {
      await step();
      console.log("ok   " + name);
    }
  } catch (error) {
    console.error(error);
    code = 1;
  }
  clearTimeout(late);
  box.child.removeAllListeners("exit");
  box.child.kill();
  process.exit(code);
}

main();
