// Package proposal reads the proposals that accounts of the wallet have a say in: what they would do, who has approved,
// who can, and what an approval with the keys of this wallet would bring about.
//
// It promises that what a proposal does is read from the operations on the ledger, and that approvals are judged as the
// ledger judges them, including accounts that act for accounts. It changes nothing: txbuild.ApproveProposal makes the
// approval.
package proposal
