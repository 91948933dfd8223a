// Calls a Billfold server. Needs nothing but Node 20.

import { readFile } from "node:fs/promises";

const url = process.env.WALLET_URL ?? "http://127.0.0.1:8093/rpc";
const tokenFile = process.env.WALLET_TOKEN_FILE;

// Refused is an error that the wallet answered. key is what a program that pays under a request key may do with that key: "same", "new" or
// "taken"; undefined: the error is about no key.
export class Refused extends Error {
  constructor({ code, message, data }) {
    super(message);
    this.code = code;
    this.kind = data?.name;
    this.key = data?.request_key;
  }
}

// call returns the result of one operation. It throws Refused, and another error where no answer came: then nobody knows whether it was done.
export async function call(method, params) {
  const headers = { "Content-Type": "application/json" };
  if (tokenFile !== undefined) headers.Authorization = "Bearer " + (await readFile(tokenFile, "utf8")).trim();
  const response = await fetch(url, {
    method: "POST",
    headers,
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(90_000),
  });
  const text = await response.text();
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Error(`${url} answers ${response.status}: no wallet server`);
  }
  if (answer.error) throw new Refused(answer.error);
  return answer.result;
}

export const pause = (seconds = 2) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
