// Package payment makes each payment once and follows it until its outcome is final.
//
//	Spend, Send ──► keeper (journal) ──► sender (broadcast) ──► follower (blocks) ──► irreversible, expired or rejected
//
// Spend (request.go) is the path of programs, commands and content: the lock, the request key (checkKey; firstOutcome answers a repeated one), txbuild.Factory.Build
// (names, amounts, memo), checkTrusted, Factory.Complete (fee, rules, who signs), and the approval: what a token may pay where the parameters
// do not state it, then a person; the policy was asked before the call (rpcserver/audit). A
// person at a page looks at what Prepare built and sends it by Send; Again looks at it once more, for what has changed meanwhile. Both end in sendApproved
// (send.go), and nothing else signs and sends:
//
//  1. checkTrusted (payments.go): the journal is this wallet's own and can be written, the daemon is one to pay through.
//  2. A change of an object, and a purchase, that was approved too long ago is built again, and has to come out the same, or it is approved again.
//  3. checkFoundPayments (hold.go): no payment that was found on the ledger already pays this.
//  4. txbuild.Factory.Sign (sign.go there): reference block and expiration, the bytes compared with the request and with what was accepted before, new keys
//     written to disk, the signature by the vault. It is thrown away if the wallet was locked since the approval.
//  5. txbuild.Factory.HandOn: what the transaction changes of facts that are compared is written.
//  6. sender.send (sender.go): the journal writes the bytes (keeper.add), in one commit with what belongs to them, which is refused if the caller's token was
//     revoked or changed meanwhile; only then the daemon gets them (daemonclient/daemon.go: Daemon.BroadcastTransaction, over the connection that was
//     chosen before the journal was written; from there call.go, and conn.go: flush).
//  7. Its answer makes the payment sent, rejected or unknown; the follower finds its block. A taken id, and an object that somebody changed faster, begin
//     at 1 again.
//
// The signed bytes are on disk before any of them leaves the program. An unknown outcome
// is looked up in blocks that the miners' signatures prove. Only the same bytes are ever sent again, and only over a
// connection whose blocks were read and do not contain them (docs/design/003).
package payment
